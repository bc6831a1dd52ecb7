import { afterAll, beforeAll, describe, test } from 'vitest';
import { openRepository } from '../scenarios/repository.ts';
import { DRIVER } from '../support/driver/environment.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { judgeKilled } from './kill-oracle.ts';
import { KILL_CELLS, type KillCell } from './kill-stages.ts';
import { type KillResults, renderKills } from './kill-table.ts';
import { runKilled } from './run-killed.ts';

const results: KillResults[] = [];
const counts = { doubleLaunches: 0, falseGreens: 0, orphans: 0, outOfSight: 0 };
const began = performance.now();
let fixture: SharedRepository;

beforeAll(async () => {
  fixture = await openRepository();
});

afterAll(async () => {
  const order = new Map(KILL_CELLS.map((cell, index) => [nameOf(cell), index]));
  const place = (cell: KillCell) => order.get(nameOf(cell)) ?? 0;
  const kept = results.filter((cell) => cell.kept).length;
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    [
      renderKills(results.toSorted((a, b) => place(a) - place(b))),
      `Kill points: ${results.length}, ${kept} as promised; double launches ${counts.doubleLaunches}, ` +
        `false greens ${counts.falseGreens}, orphans ${counts.orphans}, out of sight ${counts.outOfSight}; ${seconds} s.`,
    ].join('\n'),
  );
});

/** The bundle mostly waits, so several cells run concurrently. */
const sideBySide = DRIVER === 'bundle' ? describe.concurrent : describe;

// The timeout ends a test that hangs.
sideBySide('a job that is killed at every stage', { timeout: 600_000 }, () => {
  test.for(KILL_CELLS.map((cell) => [nameOf(cell), cell] as const))(
    'the remains of a killed job are cleaned up as promised: %s',
    async ([name, cell], { expect }) => {
      const seen = await runKilled(fixture, cell);
      const { result, broken, ...faults } = judgeKilled(cell, seen);
      results.push({ ...cell, result, kept: broken.length === 0 });
      counts.doubleLaunches += Number(faults.doubleLaunch);
      counts.falseGreens += Number(faults.falseGreen);
      counts.orphans += Number(faults.orphan);
      counts.outOfSight += Number(result === 'out of sight');
      expect(broken, `${name}\n${seen.main.log}\n--- then\n${seen.sequel.log}`).toEqual([]);
    },
  );
});

/**
 * The name of a cell: request, moment, signal, what follows.
 * `npx vitest run test/simulation/kill-points -t "launch, unanswered, SIGKILL, push"` runs one cell alone.
 */
function nameOf({ stage, killing, sequel }: KillCell): string {
  return `${stage.name}, ${stage.moment}, ${killing}, ${sequel}`;
}
