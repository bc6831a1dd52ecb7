import { afterAll, beforeAll, describe, test } from 'vitest';
import type { GitFixture } from '../../sandbox/git-fixture.ts';
import { createRepository } from '../scenarios/repository.ts';
import { DRIVER } from '../support/driver/stage.ts';
import { judgeKilled } from './kill-oracle.ts';
import { KILL_CELLS, type KillCell } from './kill-stages.ts';
import { type KillTold, renderKills } from './kill-table.ts';
import { playKilled } from './play-killed.ts';

const told: KillTold[] = [];
const counts = { doubleLaunches: 0, falseGreens: 0, orphans: 0, outOfSight: 0 };
const began = performance.now();
let ground: GitFixture;

beforeAll(async () => {
  ground = await createRepository();
});

afterAll(async () => {
  const order = new Map(KILL_CELLS.map((cell, index) => [nameOf(cell), index]));
  const place = (cell: KillCell) => order.get(nameOf(cell)) ?? 0;
  const kept = told.filter((cell) => cell.kept).length;
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    [
      renderKills(told.toSorted((a, b) => place(a) - place(b))),
      `Kill points: ${told.length}, ${kept} as promised; double launches ${counts.doubleLaunches}, ` +
        `false greens ${counts.falseGreens}, orphans ${counts.orphans}, out of sight ${counts.outOfSight}; ${seconds} s.`,
    ].join('\n'),
  );
  await ground.remove();
});

/** The bundle mostly waits, so that several are played side by side. */
const sideBySide = DRIVER === 'bundle' ? describe.concurrent : describe;

// A guard against hanging.
sideBySide('killed at every stage', { timeout: 600_000 }, () => {
  test.for(KILL_CELLS.map((cell) => [nameOf(cell), cell] as const))(
    '%s',
    async ([name, cell], { expect }) => {
      const seen = await playKilled(ground, cell);
      const { fate, broken, ...faults } = judgeKilled(cell, seen);
      told.push({ ...cell, fate, kept: broken.length === 0 });
      counts.doubleLaunches += Number(faults.doubleLaunch);
      counts.falseGreens += Number(faults.falseGreen);
      counts.orphans += Number(faults.orphan);
      counts.outOfSight += Number(fate === 'out of sight');
      expect(broken, `${name}\n${seen.main.log}\n--- then\n${seen.sequel.log}`).toEqual([]);
    },
  );
});

/** `npx vitest run test/simulation/kill-points -t "launch, unanswered, SIGKILL, push"` plays one cell alone. */
function nameOf({ stage, killing, sequel }: KillCell): string {
  return `${stage.name}, ${stage.moment}, ${killing}, ${sequel}`;
}
