import type { FaultKind } from './fault-kinds.ts';
import type { Permanence, Promised } from './policy.ts';
import type { RequestPoint } from './request-points.ts';

/** The result of a cell. `outcome` is what really happened. */
export interface CellResult {
  readonly point: RequestPoint;
  readonly fault: FaultKind;
  readonly permanence: Permanence;
  readonly outcome: string;
  readonly reason: string;
  readonly kept: boolean;
}

const LETTERS: Readonly<Record<string, string>> = {
  passed: 'p',
  blocked: 'b',
  'service-error': 'S',
  'rate-limited': 'R',
  'launch-unknown': 'L',
  timeout: 'T',
  configuration: 'C',
} satisfies Readonly<Record<Exclude<Promised['outcome'], 'not-scanned'> | string, string>>;

/**
 * Prints a grid. It has a row for each fault, and a column for each kind of request. A cell has one letter for a
 * transient fault, and one for a permanent fault.
 */
export function renderTable(points: readonly RequestPoint[], results: readonly CellResult[]): string {
  const faults = [...new Set(results.map(({ fault }) => fault.name))];
  const width = Math.max(...faults.map((name) => name.length));
  const rows = faults.map((name) => {
    const cells = points.map((point) => {
      const letters = (['transient', 'permanent'] as const).map((permanence) => {
        const cell = results.find(
          (one) => one.point === point && one.fault.name === name && one.permanence === permanence,
        );
        if (cell === undefined) return '·';
        return cell.kept ? (LETTERS[cell.reason || cell.outcome] ?? '?') : '!';
      });
      return ` ${letters.join('')} `;
    });
    return `${name.padEnd(width)} ${cells.join('')}`;
  });
  return [
    `${''.padEnd(width)} ${points.map(({ short }) => `${short.padEnd(3)} `).join('')}`,
    ...rows,
    'transient, then permanent: p passed, b blocked, S service-error, R rate-limited, L launch-unknown,',
    'T timeout, C configuration; ! is not as the policy says;',
    '· is the same as permanent, does not exist, or only runs with SCANGATE_ROUNDS=full',
  ].join('\n');
}
