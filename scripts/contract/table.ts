import type { AssumedRules } from '../../sandbox/contract/assumed-rules.ts';
import { FAKE_ONLY, neededFor } from './action-names.ts';
import type { Verdict } from './compare.ts';
import { remedyOf } from './remedy.ts';

/** The widest line that the command prints, in characters. A name that is longer has a line of its own. */
const WIDTH = 100;

/**
 * Renders the differences. A missing endpoint or record has one row. The names in it have no rows.
 * @param isWhole true to render also all assumptions, and the names in missing endpoints and records
 */
export function table(verdicts: readonly Verdict[], file: string, isWhole: boolean): string {
  const assumptions = verdicts.filter(({ assumed }) => assumed);
  const open = verdicts.filter(({ state }) => state !== 'confirmed');
  const outer = withoutInner(open);
  const shown = isWhole ? verdicts.filter((one) => one.assumed || open.includes(one)) : outer;
  const title = isWhole ? 'What is assumed:' : 'Assumed, and not so in the file:';
  const remedies = outer.map(remedyOf).filter((remedy) => remedy !== '');
  const ofFake = remedies.filter((remedy) => remedy === FAKE_ONLY).length;
  const split = `${remedies.length - ofFake} for the action, ${ofFake} for the fake service only`;
  const count = (state: Verdict['state']) => assumptions.filter((one) => one.state === state).length;
  const hidden = isWhole ? 0 : open.length - outer.length;
  return [
    `To do: ${remedies.length === 0 ? '0' : split}`,
    ...section(
      title,
      shown.filter(({ assumed }) => assumed),
    ),
    ...section(
      'Documented, and not so in the file:',
      shown.filter(({ assumed }) => !assumed),
    ),
    '',
    `${visible(file)}:`,
    `of ${assumptions.length} assumptions ${count('confirmed')} are confirmed, ${count('read anyway')} read anyway, ${count('wrong')} wrong, ${count('not found')} not found.`,
    `Of the documented names ${open.filter(({ assumed }) => !assumed).length} are not as documented.`,
    ...(hidden === 0
      ? []
      : [`${hidden} of these have no row, because their whole endpoint or record has one.`]),
  ].join('\n');
}

function withoutInner(open: readonly Verdict[]): Verdict[] {
  const missing = open.filter(({ state }) => state === 'not found');
  const isInside = (inner: Verdict, outer: Verdict) =>
    inner.endpoint === outer.endpoint &&
    (outer.place === 'endpoint'
      ? inner.place !== 'endpoint'
      : inner.place === outer.place &&
        inner.name.startsWith(outer.name) &&
        /^(?:\.|\[\]|=)/.test(inner.name.slice(outer.name.length)));
  return open.filter((inner) => !missing.some((outer) => isInside(inner, outer)));
}

/** Renders the rows below each endpoint, which says what it is needed for. */
function section(title: string, verdicts: readonly Verdict[]): string[] {
  const width = (column: 'state' | 'place') => Math.max(0, ...verdicts.map((one) => one[column].length));
  const [stateWidth, placeWidth] = [width('state'), width('place')];
  const rows = verdicts.flatMap((verdict, index) => {
    const { endpoint, state, place, name, note } = verdict;
    const needed = neededFor(endpoint);
    // The heading says `FAKE_ONLY` already.
    const remedy = needed === FAKE_ONLY ? '' : remedyOf(verdict);
    return [
      ...(verdicts[index - 1]?.endpoint === endpoint ? [] : ['', `${endpoint}  (${needed})`]),
      `  ${state.padEnd(stateWidth)}  ${place.padEnd(placeWidth)}  ${name}`.trimEnd(),
      ...(note === '' ? [] : wrapped(note, '    ')),
      ...(remedy === '' ? [] : wrapped(`-> ${remedy}`, '    ')),
    ];
  });
  return verdicts.length === 0 ? [] : ['', title, ...rows];
}

/** Renders what the action needs beside names. Empty if there is nothing to say. */
export function warningsText(warnings: readonly string[]): string {
  const lines = warnings.flatMap((warning) => wrapped(warning, '  '));
  return lines.length === 0 ? '' : `${['Warnings:', ...lines].join('\n')}\n\n`;
}

/**
 * Renders the rules that the documentation of the service leaves open. No contract file can confirm them, so they do
 * not affect the exit code.
 * @param isWhole false to say only how many there are, and which option prints them
 */
export function rulesText(groups: readonly AssumedRules[], isWhole: boolean): string {
  const count = groups.flatMap(({ rules }) => rules).length;
  if (!isWhole) return `With --all: every name, and ${count} rules that no file can confirm.`;
  const lines = groups.flatMap(({ endpoint = 'Every endpoint', rules }) => [
    '',
    endpoint,
    ...rules.flatMap((rule) => wrapped(rule, '  ')),
  ]);
  return [
    '',
    `To be asked of the service: ${count} rules that its documentation leaves open.`,
    ...lines,
  ].join('\n');
}

/**
 * Returns the exit code. It is 0 if the action reads all assumed names, and all documented names exist. Otherwise it is
 * 1.
 */
export function exitCodeOf(verdicts: readonly Verdict[]): 0 | 1 {
  return verdicts.every(({ state }) => state === 'confirmed' || state === 'read anyway') ? 0 : 1;
}

/** Breaks a text into lines at its spaces. The first line begins with `indent`, and the others are two columns deeper. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of visible(text).split(' ')) {
    const isEmpty = line.trim() === '';
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${indent}  ${word}`;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line];
}

/**
 * Keeps printable ASCII and `…`, and replaces every other character. Otherwise, a name from the file could move the
 * cursor or change colours in the terminal.
 */
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e…]/g, '?');
}
