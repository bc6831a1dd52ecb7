import type { Fate } from './kill-oracle.ts';
import type { KillCell } from './kill-stages.ts';

/** How a cell came out. */
export interface KillTold extends KillCell {
  readonly fate: Fate;
  readonly kept: boolean;
}

const LETTERS: Readonly<Record<Fate, string>> = {
  'none launched': '-',
  completed: 'd',
  'cancelled by main': 'm',
  'cancelled by post': 'p',
  followed: 'f',
  'cancelled after the push': 'n',
  'out of sight': 'o',
};

/** A grid for people: one row a moment of the story, one column a way to be killed and what follows. */
export function renderKills(told: readonly KillTold[]): string {
  const rowOf = ({ stage }: KillCell) => `${stage.name}, ${stage.moment}`;
  const columnOf = ({ killing, sequel }: KillCell) => `${killing}/${sequel}`;
  const rows = [...new Set(told.map(rowOf))];
  const columns = [...new Set(told.map(columnOf))];
  const width = Math.max(...rows.map((row) => row.length));
  const lines = rows.map((row) => {
    const cells = columns.map((column) => {
      const cell = told.find((one) => rowOf(one) === row && columnOf(one) === column);
      const letter = cell === undefined ? ' ' : cell.kept ? LETTERS[cell.fate] : '!';
      return letter.padEnd(column.length);
    });
    return `${row.padEnd(width)}  ${cells.join('  ')}`;
  });
  return [
    `${''.padEnd(width)}  ${columns.join('  ')}`,
    ...lines,
    'the scan: - none launched, d completed before, m cancelled by main, p cancelled by post, f followed by the next run,',
    'n cancelled after the push, o out of sight (no check run yet, and an old head); ! is not as promised',
  ].join('\n');
}
