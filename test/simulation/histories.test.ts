import { expect, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { describeCounts, runHistories } from './histories/run-histories.ts';

/**
 * Random sequences of pushes, re-runs, concurrent runs, faults, signals, kills, lost machines and changing findings.
 * The code of the action runs in virtual time against the fake servers. The history plans every error of the network.
 * In some histories a stranger launches scans with the gate's token, a workflow copies marks, and pull requests are
 * closed, reopened and retargeted.
 *
 * The seed is fixed here, so that the result depends only on the code. `npm run histories` runs more histories, with
 * new seeds. A broken history is printed with the two variables that repeat it: `HISTORIES_SEED=… HISTORIES_PATH=… npx
 * vitest run test/simulation/histories.test.ts`.
 */
const COUNT = rounds(30, 600);
const SEED = 542_394_488;
/** A limit against hanging. */
const LONGEST_MS = 900_000;

test('no random history of pushes, re-runs and faults breaks a promise', {
  timeout: LONGEST_MS,
}, async () => {
  const seed = Number(process.env['HISTORIES_SEED'] ?? SEED);
  const path = process.env['HISTORIES_PATH'];
  const results = await runHistories({ count: COUNT, seed, path });
  console.log(describeCounts(results));
  expect(results.broken).toBeUndefined();
  expect(results.counts.launches).toBeGreaterThan(0);
  expect(results.counts.greens).toBeGreaterThan(0);
});
