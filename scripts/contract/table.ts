import { FAKE_ONLY, neededFor } from './action-names.ts';
import type { Verdict } from './compare.ts';
import { visible, wrapped } from './lines.ts';
import { remedyOf } from './remedy.ts';

/** Renders all assumptions, and all documented names that the file does not confirm. */
export function fullTable(verdicts: readonly Verdict[], file: string): string {
  const documented = verdicts.filter(({ assumed, state }) => !assumed && state !== 'confirmed');
  return [
    'What is assumed:',
    ...rows(verdicts.filter(({ assumed }) => assumed)),
    ...section('Documented, and not so in the file:', documented),
    '',
    ...countsLine(verdicts, file),
  ].join('\n');
}

/** Renders only differences. A missing endpoint or record has one row. The names in it have no rows. */
export function deviations(verdicts: readonly Verdict[], file: string): string {
  const shown = withoutInner(verdicts.filter(({ state }) => state !== 'confirmed'));
  const remedies = shown.map(remedyOf).filter((remedy) => remedy !== '');
  const ofAction = remedies.filter((remedy) => remedy !== FAKE_ONLY).length;
  const split =
    remedies.length === 0
      ? '0'
      : `${ofAction} for the action, ${remedies.length - ofAction} for the fake service only`;
  const withoutRow = verdicts.filter(({ state }) => state !== 'confirmed').length - shown.length;
  return [
    `To do: ${split}`,
    ...section(
      'Assumed, and not so in the file:',
      shown.filter(({ assumed }) => assumed),
    ),
    ...section(
      'Documented, and not so in the file:',
      shown.filter(({ assumed }) => !assumed),
    ),
    '',
    ...countsLine(verdicts, file),
    ...(withoutRow === 0
      ? []
      : [`${withoutRow} of these have no row, because their whole endpoint or record has one.`]),
  ].join('\n');
}

/** Renders what the action needs beside names. Empty if there is nothing to say. */
export function warningsText(warnings: readonly string[]): string {
  const lines = warnings.flatMap((warning) => wrapped(visible(warning), '  '));
  return lines.length === 0 ? '' : `${['Warnings:', ...lines].join('\n')}\n\n`;
}

/**
 * Returns the exit code. It is 0 if the action reads all assumed names, and all documented names exist. Otherwise it is
 * 1.
 */
export function exitCodeOf(verdicts: readonly Verdict[]): 0 | 1 {
  return verdicts.every(({ state }) => state === 'confirmed' || state === 'read anyway') ? 0 : 1;
}

function countsLine(verdicts: readonly Verdict[], file: string): string[] {
  const assumptions = verdicts.filter(({ assumed }) => assumed);
  const documented = verdicts.filter(({ assumed, state }) => !assumed && state !== 'confirmed');
  const count = (state: Verdict['state']) => assumptions.filter((one) => one.state === state).length;
  return [
    `${visible(file)}:`,
    `of ${assumptions.length} assumptions ${count('confirmed')} are confirmed, ${count('read anyway')} read anyway, ${count('wrong')} wrong, ${count('not found')} not found.`,
    `Of the documented names ${documented.length} are not as documented.`,
  ];
}

function withoutInner(verdicts: readonly Verdict[]): Verdict[] {
  const missing = verdicts.filter(({ state, place }) => state === 'not found' || place === 'endpoint');
  return verdicts.filter(
    (inner) =>
      !missing.some(
        (outer) =>
          outer !== inner &&
          outer.endpoint === inner.endpoint &&
          (outer.place === 'endpoint' ||
            (outer.place === inner.place && /^(?:\.|\[\]|=)/.test(rest(inner.name, outer.name)))),
      ),
  );
}

/** Returns what follows `outer` in `name`. Empty if `name` does not begin with `outer`. */
function rest(name: string, outer: string): string {
  return name.startsWith(outer) ? name.slice(outer.length) : '';
}

function section(title: string, verdicts: readonly Verdict[]): string[] {
  return verdicts.length === 0 ? [] : ['', title, ...rows(verdicts)];
}

/** Renders the rows below each endpoint, which says what it is needed for. */
function rows(verdicts: readonly Verdict[]): string[] {
  const widest = (column: 'state' | 'place') => Math.max(0, ...verdicts.map((one) => one[column].length));
  const widths = { state: widest('state'), place: widest('place') };
  return verdicts.flatMap((verdict, index) => {
    const { endpoint, state, place, name, note } = verdict;
    const isFirst = verdicts[index - 1]?.endpoint !== endpoint;
    const needed = neededFor(endpoint);
    const remedy = remedyOf(verdict);
    return [
      ...(isFirst ? ['', `${endpoint}  (${needed})`] : []),
      `  ${state.padEnd(widths.state)}  ${place.padEnd(widths.place)}  ${name}`.trimEnd(),
      ...(note === '' ? [] : wrapped(visible(note), '    ')),
      // The heading says it already.
      ...(remedy === '' || needed === FAKE_ONLY ? [] : wrapped(visible(`-> ${remedy}`), '    ')),
    ];
  });
}
