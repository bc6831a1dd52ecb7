import { expect, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { sayCounts, tellHistories } from './histories/tally.ts';

/**
 * Random sequences of pushes, re-runs, parallel runs, faults, signals, kills, lost machines and moving findings, each
 * played in virtual time by the real run against the real stand-ins, over a network that only the history touches.
 *
 * The seed is always the same here, so that a change is judged by itself and not by its luck; `npm run histories` plays
 * new ones, and more. A broken history is told with the two variables that play it again:
 * `HISTORIES_SEED=… HISTORIES_PATH=… npx vitest run test/simulation/histories.test.ts`.
 */
const COUNT = rounds(60, 500);
const SEED = 542_394_488;
/** A guard against hanging. */
const LONGEST_MS = 900_000;

test('no history breaks a promise', { timeout: LONGEST_MS }, async () => {
  const seed = Number(process.env['HISTORIES_SEED'] ?? SEED);
  const path = process.env['HISTORIES_PATH'];
  const told = await tellHistories({ count: COUNT, seed, path });
  console.log(sayCounts(told));
  expect(told.broken).toBeUndefined();
  expect(told.counts).toMatchObject({
    doubleLaunches: 0,
    falseGreens: 0,
    lostFindings: 0,
    doubledFindings: 0,
    orphans: 0,
    othersBelieved: 0,
    othersCancelled: 0,
  });
  expect(told.counts.launches).toBeGreaterThan(0);
});
