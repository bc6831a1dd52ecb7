import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rounds as times } from '../support/rounds.ts';
import { openRounds, type RoundPlan, type Rounds } from './twins.ts';

/** The number of seeds with which each case is tested. */
const SEEDS = times(5, 200);

let rounds: Rounds;
beforeAll(async () => {
  rounds = await openRounds();
});
afterAll(() => rounds.close());

const CASES = [2, 3].flatMap((jobs) =>
  (['none', 'reads fail', 'a job ends early'] as const).map((trouble) => ({ jobs, trouble })),
);

describe('jobs that start together', () => {
  test.each(CASES)(
    '$jobs jobs that start together leave exactly one scan (trouble: $trouble)',
    { timeout: 900_000 },
    async (round) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const played = await rounds.run({ ...round, seed });
        const why = describeRound({ ...round, seed }, played);
        expect(played.redForNothing, why).toEqual([]);
        expect(played.scansLeft, why).toHaveLength(1);
        expect(played.jobs.map(({ crash }) => crash).filter((crash) => crash !== undefined)).toEqual([]);
      }
    },
  );

  test.each([2, 3])(
    'if GitHub often fails to create check runs, %i jobs that start together leave at least one scan',
    { timeout: 900_000 },
    async (jobs) => {
      const left = new Map<number, number>();
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const plan: RoundPlan = { jobs, trouble: 'creations fail', seed };
        const played = await rounds.run(plan);
        expect(played.redForNothing, describeRound(plan, played)).toEqual([]);
        expect(played.scansLeft.length, describeRound(plan, played)).toBeGreaterThan(0);
        left.set(played.scansLeft.length, (left.get(played.scansLeft.length) ?? 0) + 1);
      }
      const counts = [...left].toSorted(([a], [b]) => a - b).map(([scans, times]) => `${scans}: ${times}`);
      console.log(`Twins: ${jobs} jobs, creations fail, ${SEEDS} seeds; scans left: ${counts.join(', ')}`);
    },
  );
});

function describeRound(
  plan: RoundPlan,
  { jobs, launches, scansLeft }: Awaited<ReturnType<Rounds['run']>>,
): string {
  const logs = jobs.map(({ plan: { number }, log }) => `--- job ${number}\n${log.join('\n')}`);
  return `${JSON.stringify(plan)}: ${launches} launches, left: ${scansLeft}\n${logs.join('\n')}`;
}
