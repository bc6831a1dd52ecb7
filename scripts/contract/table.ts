import type { Verdict } from './compare.ts';

/** What `npm run contract` prints: every assumption, and every documented name that the file does not confirm. */
export function contractTable(verdicts: readonly Verdict[], file: string): string {
  const assumptions = verdicts.filter(({ assumed }) => assumed);
  const documented = verdicts.filter(({ assumed, state }) => !assumed && state !== 'confirmed');
  const count = (state: Verdict['state']) => assumptions.filter((one) => one.state === state).length;
  const unconfirmed =
    documented.length === 0 ? [] : ['', 'Documented, and not so in the file:', ...rows(documented)];
  return [
    'What is assumed:',
    ...rows(assumptions),
    ...unconfirmed,
    '',
    `${visible(file)}: of ${assumptions.length} assumptions ${count('confirmed')} are confirmed, ${count('wrong')} wrong, ` +
      `${count('not found')} not found. Of the documented names ${documented.length} are not as documented.`,
  ].join('\n');
}

/** 0: every assumption is confirmed, and every documented name is there; 1: not so. */
export function exitCodeOf(verdicts: readonly Verdict[]): 0 | 1 {
  return verdicts.every(({ state }) => state === 'confirmed') ? 0 : 1;
}

/** Under each endpoint its rows, in columns of even width. */
function rows(verdicts: readonly Verdict[]): string[] {
  const widest = (cell: (verdict: Verdict) => string) =>
    verdicts.reduce((width, verdict) => Math.max(width, cell(verdict).length), 0);
  const [place, name] = [widest((one) => one.place), widest((one) => one.name)];
  return verdicts.flatMap((verdict, index) => {
    const isFirst = verdicts[index - 1]?.endpoint !== verdict.endpoint;
    const cells = [
      verdict.state.padEnd('confirmed'.length),
      verdict.place.padEnd(place),
      verdict.name.padEnd(name),
      visible(verdict.note),
    ];
    const row = `  ${cells.join('  ').trimEnd()}`;
    return isFirst ? ['', verdict.endpoint, row] : [row];
  });
}

/** The names of another file are foreign: nothing of them moves the cursor or colours the terminal. */
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
