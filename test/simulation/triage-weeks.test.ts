import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { plans } from './triage-weeks/plan.ts';
import { simulateWeeks } from './triage-weeks/simulate-weeks.ts';

/**
 * Simulates random weeks of a pull request in virtual time. Users with and without access, a bot and an app write
 * comments; authors push; GitHub and the service fail. The judge of these weeks knows the rules in docs/triage.md, and
 * nothing about the code.
 *
 * `TRIAGE_WEEKS=2000 npx vitest run test/simulation/triage-weeks.test.ts` runs more weeks, with a new seed. A failure
 * prints the two variables that repeat it.
 */
const GIVEN = process.env['TRIAGE_WEEKS'];
const COUNT = GIVEN === undefined ? rounds(12, 100) : Number(GIVEN);
const SEED = GIVEN === undefined ? 310_871 : Math.floor(Math.random() * 2 ** 31);

test('in random simulated weeks, the triage action keeps the promises of docs/triage.md', async () => {
  const seed = Number(process.env['TRIAGE_SEED'] ?? SEED);
  const path = process.env['TRIAGE_PATH'];
  const counts: Record<string, number> = {};
  const property = fc.asyncProperty(plans, async (plan) => {
    const broken = await simulateWeeks(plan, counts);
    if (broken.length > 0) throw new Error(broken.join('\n'));
  });
  const details = await fc.check(property, {
    numRuns: COUNT,
    seed,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  if (GIVEN !== undefined) console.log(`seed ${seed}`, counts);
  if (details.failed) {
    const why = details.errorInstance instanceof Error ? details.errorInstance.message : 'no reason is known';
    const again = `TRIAGE_SEED=${seed} TRIAGE_PATH=${details.counterexamplePath}`;
    expect.fail(`${why}\n${again}\n${JSON.stringify(details.counterexample, null, 1)}`);
  }
  // Every one of these events has to occur in the simulation.
  for (const what of [
    'commands that may',
    'commands that may not',
    'commands with a fault',
    'changes',
    'refused for one label',
    'refused with a reply',
    're-run by a change',
    're-run ended passed',
  ])
    expect(counts[what], what).toBeGreaterThan(0);
});
