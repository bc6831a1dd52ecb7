import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRIVER } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import type { Cell } from './fault-injector.ts';
import { faultKinds } from './fault-kinds.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';
import { type CellResult, renderTable } from './matrix-table.ts';
import { findFaults } from './oracle.ts';
import { permanencesOf, promised } from './policy.ts';
import { REQUEST_POINTS } from './request-points.ts';
import { runCell } from './run-cell.ts';
import { eachFaultOnce, kindsOf, sampleCells } from './sample-cells.ts';
import { createSharedFixture, type SharedFixture } from './shared-fixture.ts';

/** The time limit of one cell. Even on a busy machine, the longest cell of the bundle takes less time. */
const LONGEST_CELL_MS = 600_000;
/** The bundle mostly waits, so several cells run concurrently. */
const sideBySide = DRIVER === 'bundle' ? describe.concurrent : describe;

const ALL_CELLS: readonly Cell[] = REQUEST_POINTS.flatMap((point) =>
  faultKinds(point.access).flatMap((fault) =>
    permanencesOf(point, fault).map((permanence): Cell => ({ point, fault, permanence })),
  ),
);

/**
 * `SCANGATE_ROUNDS=full` tests all cells. Otherwise, each kind of request gets each fault once. The bundle gets a
 * smaller sample, because each cell has to start a process.
 */
const CELLS = rounds(DRIVER === 'bundle' ? sampleCells(ALL_CELLS) : eachFaultOnce(ALL_CELLS), ALL_CELLS);

const results: CellResult[] = [];
const counts = { doubleLaunches: 0, falseGreens: 0, orphans: 0 };
const began = performance.now();
let fixture: SharedFixture;
let foreignOrigin: ForeignOrigin;

beforeAll(async () => {
  [fixture, foreignOrigin] = await Promise.all([createSharedFixture(), openForeignOrigin()]);
});

afterAll(async () => {
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${renderTable(REQUEST_POINTS, results)}\n${summary()} ${seconds} s.`);
  await Promise.all([fixture.remove(), foreignOrigin.close()]);
});

sideBySide('the fault matrix', { timeout: LONGEST_CELL_MS }, () => {
  test.for(CELLS.map((cell) => [nameOf(cell), cell] as const))(
    'a run handles a fault (request × fault × duration) as promised: %s',
    async ([name, cell], { expect }) => {
      await runCell(fixture, foreignOrigin, cell, (completed) => {
        const faults = findFaults(completed, promised(cell.point, cell.fault, cell.permanence));
        const { outcome = '', reason = '' } = completed.main.outputs;
        results.push({ ...cell, outcome, reason, kept: faults.broken.length === 0 });
        counts.doubleLaunches += Number(faults.doubleLaunch);
        counts.falseGreens += Number(faults.falseGreen);
        counts.orphans += Number(faults.orphan);
        expect(faults.broken, `${name}\n${completed.main.log}\n${completed.post?.log ?? ''}`).toEqual([]);
        expect(faults).toMatchObject({ doubleLaunch: false, falseGreen: false, orphan: false });
      });
    },
  );
});

test('the sample for the bundle has every request, every fault and every duration', () => {
  expect(kindsOf(sampleCells(ALL_CELLS))).toEqual(kindsOf(ALL_CELLS));
});

test('the sample for the in-process driver has every fault of every request', () => {
  const kinds = (cells: readonly Cell[]) => ({
    pairs: new Set(cells.map(({ point, fault }) => `${point.name} × ${fault.name}`)),
    ofPoints: new Set(cells.map(({ point, permanence }) => `${point.name} × ${permanence}`)),
  });
  const sample = eachFaultOnce(ALL_CELLS);
  expect(kinds(sample)).toEqual(kinds(ALL_CELLS));
  expect(sample).toHaveLength(kinds(ALL_CELLS).pairs.size);
});

test('the runs never sent a token to another origin', () => {
  expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

function summary(): string {
  const points = new Set(CELLS.map(({ point }) => point));
  const faults = new Set(CELLS.map(({ fault }) => fault.name));
  const kept = results.filter((cell) => cell.kept).length;
  return (
    `Fault matrix: ${results.length} cells (${points.size} request points, ${faults.size} faults, once and for good), ` +
    `${kept} as promised; ${counts.doubleLaunches} double launches, ${counts.falseGreens} false greens, ` +
    `${counts.orphans} scans left running.`
  );
}

/**
 * The name of a cell. This command runs one cell alone:
 * `SCANGATE_ROUNDS=full npx vitest run test/simulation/fault-matrix.test.ts -t "launch × reset after × permanent"`
 */
function nameOf({ point, fault, permanence }: Cell): string {
  return `${point.name} × ${fault.name} × ${permanence}`;
}
