import { expect, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { prepare, runPrepared } from './scenario.ts';

/** A scan takes eight polls. It still runs when a job reads the marks of other jobs for the second time. */
const LASTING = { service: { pace: { phasesPerPoll: 1 }, retryAfterSeconds: 8 } };

/** Starts two jobs of one pull request at the same time. */
async function runTogether(): Promise<void> {
  const scenario = await prepare({ ...LASTING, driver: 'bundle' });
  const jobs = await Promise.all(
    [1, 2].map((number) =>
      runPrepared(scenario, {
        run: () => ({ runId: 9_000_000_000 + number }),
        inputs: { 'timeout-minutes': '20' },
      }),
    ),
  );
  const { service, github } = scenario.environment;
  const left = service.scans().filter(({ status }) => status !== 'CANCELLED');
  const logs = jobs.map(({ run }) => run.log).join('\n---\n');
  expect(left, logs).toMatchObject([{ status: 'COMPLETED' }]);
  for (const { run } of jobs) {
    expect(run.outputs, logs).toMatchObject({ outcome: 'blocked', 'scan-id': left[0]?.id });
    expect(run.exitCode).toBe(1);
  }
  expect(jobs.map(({ run }) => run.outputs['scan-reused']).toSorted()).toEqual(['false', 'true']);
  expect(github.checkRuns.map(({ status, conclusion }) => [status, conclusion])).toEqual([
    ['completed', 'failure'],
    ['completed', 'failure'],
  ]);
  expect(service.ledger()).toMatchObject({ reserved: 0 });
}

const ROUNDS = Array.from({ length: rounds(1, 5) }, (_, index) => index + 1);

test.each(ROUNDS)('two jobs in two processes use one scan and give one verdict, round %i', runTogether);
