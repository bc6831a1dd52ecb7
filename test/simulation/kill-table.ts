import type { ScanFate } from './kill-oracle.ts';
import type { KillCell } from './kill-stages.ts';

/** The result of a cell. */
export interface KillResults extends KillCell {
  readonly result: ScanFate;
  readonly kept: boolean;
}

const LETTERS: Readonly<Record<ScanFate, string>> = {
  'none launched': '-',
  completed: 'd',
  'cancelled by main': 'm',
  'cancelled by post': 'p',
  followed: 'f',
  'cancelled after the push': 'n',
  'out of sight': 'o',
};

/**
 * Prints a grid. It has a row for each stage of a run. Each column names a way to kill the job, and the run that
 * follows.
 */
export function renderKills(results: readonly KillResults[]): string {
  const rowOf = ({ stage }: KillCell) => `${stage.name}, ${stage.moment}`;
  const columnOf = ({ killing, sequel }: KillCell) => `${killing}/${sequel}`;
  const rows = [...new Set(results.map(rowOf))];
  const columns = [...new Set(results.map(columnOf))];
  const width = Math.max(...rows.map((row) => row.length));
  const lines = rows.map((row) => {
    const cells = columns.map((column) => {
      const cell = results.find((one) => rowOf(one) === row && columnOf(one) === column);
      const letter = cell === undefined ? ' ' : cell.kept ? LETTERS[cell.result] : '!';
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
