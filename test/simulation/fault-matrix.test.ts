import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRIVER } from '../support/driver/stage.ts';
import { type Elsewhere, openElsewhere } from './elsewhere.ts';
import { faultKinds } from './fault-kinds.ts';
import { createGround, type Ground } from './ground.ts';
import { renderTable, type Told } from './matrix-table.ts';
import { findFaults } from './oracle.ts';
import { playCell } from './play-cell.ts';
import { permanencesOf, promised } from './policy.ts';
import { REQUEST_POINTS } from './request-points.ts';
import type { Cell } from './saboteur.ts';

/** A guard against hanging, also for the longest cells of the bundle on a busy machine. */
const LONGEST_CELL_MS = 600_000;
/** The bundle mostly waits, so that several cells are played side by side. */
const sideBySide = DRIVER === 'bundle' ? describe.concurrent : describe;

const CELLS: readonly Cell[] = REQUEST_POINTS.flatMap((point) =>
  faultKinds(point.access).flatMap((fault) =>
    permanencesOf(point, fault).map((permanence): Cell => ({ point, fault, permanence })),
  ),
);

const told: Told[] = [];
const counts = { doubleLaunches: 0, falseGreens: 0, orphans: 0 };
const began = performance.now();
let ground: Ground;
let elsewhere: Elsewhere;

beforeAll(async () => {
  [ground, elsewhere] = await Promise.all([createGround(), openElsewhere()]);
});

afterAll(async () => {
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${renderTable(REQUEST_POINTS, told)}\n${summary()} ${seconds} s.`);
  await Promise.all([ground.remove(), elsewhere.close()]);
});

sideBySide('the fault matrix', { timeout: LONGEST_CELL_MS }, () => {
  test.for(CELLS.map((cell) => [nameOf(cell), cell] as const))('%s', async ([name, cell], { expect }) => {
    await playCell(ground, elsewhere, cell, (played) => {
      const faults = findFaults(played, promised(cell.point, cell.fault, cell.permanence));
      const { outcome = '', reason = '' } = played.main.outputs;
      told.push({ ...cell, outcome, reason, kept: faults.broken.length === 0 });
      counts.doubleLaunches += Number(faults.doubleLaunch);
      counts.falseGreens += Number(faults.falseGreen);
      counts.orphans += Number(faults.orphan);
      expect(faults.broken, `${name}\n${played.main.log}\n${played.post?.log ?? ''}`).toEqual([]);
      expect(faults).toMatchObject({ doubleLaunch: false, falseGreen: false, orphan: false });
    });
  });
});

test('no token was ever sent to another origin', () => {
  expect(elsewhere.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

function summary(): string {
  const points = new Set(CELLS.map(({ point }) => point));
  const faults = new Set(CELLS.map(({ fault }) => fault.name));
  const kept = told.filter((cell) => cell.kept).length;
  return (
    `Fault matrix: ${told.length} cells (${points.size} request points, ${faults.size} faults, once and for good), ` +
    `${kept} as promised; ${counts.doubleLaunches} double launches, ${counts.falseGreens} false greens, ` +
    `${counts.orphans} scans left running.`
  );
}

/** `npx vitest run test/simulation -t "launch × reset after × permanent"` plays one cell alone. */
function nameOf({ point, fault, permanence }: Cell): string {
  return `${point.name} × ${fault.name} × ${permanence}`;
}
