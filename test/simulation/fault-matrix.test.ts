import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRIVER } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import type { Cell } from './fault-injector.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';
import { findFaults } from './oracle.ts';
import { permanencesOf, promised } from './policy.ts';
import { REQUEST_POINTS } from './request-points.ts';
import { runCell } from './run-cell.ts';
import { cellsOf, kindsOf, sampleCells } from './sample-cells.ts';
import { createSharedFixture, type SharedFixture } from './shared-fixture.ts';

/** The time limit of one cell. Even on a busy machine, the longest cell of the bundle takes less time. */
const LONGEST_CELL_MS = 600_000;
/** The bundle mostly waits, so several cells run concurrently. */
const sideBySide = DRIVER === 'bundle' ? describe.concurrent : describe;

const ALL_CELLS = cellsOf(REQUEST_POINTS, permanencesOf);
/** `SCANGATE_ROUNDS=full` tests all cells. */
const CELLS = rounds(sampleCells(ALL_CELLS), ALL_CELLS);

let fixture: SharedFixture;
let foreignOrigin: ForeignOrigin;
beforeAll(async () => {
  [fixture, foreignOrigin] = await Promise.all([createSharedFixture(), openForeignOrigin()]);
});
afterAll(() => Promise.all([fixture.remove(), foreignOrigin.close()]));

sideBySide('the fault matrix', { timeout: LONGEST_CELL_MS }, () => {
  test.for(CELLS.map((cell) => [nameOf(cell), cell] as const))(
    'a run handles a fault (request × fault × duration) as promised: %s',
    async ([name, cell], { expect }) => {
      await runCell(fixture, foreignOrigin, cell, (completed) => {
        const broken = findFaults(completed, promised(cell.point, cell.fault, cell.permanence));
        expect(broken, `${name}\n${completed.main.log}\n${completed.post?.log ?? ''}`).toEqual([]);
      });
    },
  );
});

test('the sample has every request, every fault and every duration', () => {
  expect(kindsOf(sampleCells(ALL_CELLS))).toEqual(kindsOf(ALL_CELLS));
});

test('the runs never sent a token to another origin', () => {
  expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

/**
 * The name of a cell. This command runs one cell alone:
 * `SCANGATE_ROUNDS=full npx vitest run test/simulation/fault-matrix.test.ts -t "launch × reset after × permanent"`
 */
function nameOf({ point, fault, permanence }: Cell): string {
  return `${point.name} × ${fault.name} × ${permanence}`;
}
