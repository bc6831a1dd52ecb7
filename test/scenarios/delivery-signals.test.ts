import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import {
  prepare,
  runPrepared,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from './scenario.ts';

/**
 * The clock of the bundle runs this many times faster than real time. With a larger factor, the action would have too
 * little real time after a signal.
 */
const SCALE = 3;
const CANCELLED = { launches: 1, texts: ['The job was cancelled'] };

/**
 * Runs the action, and cancels the workflow when the action asks the service for `point`. That request gets `answer`.
 * Like GitHub, the runner kills the process if it does not end in time.
 */
async function runCancelledAt(
  point: string,
  answer: Interception | undefined,
  options: Pick<ScenarioOptions, 'github'> = {},
): Promise<ScenarioResult> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const scenario = await prepare({
    timeScale: SCALE,
    ...options,
    service: {
      intercept: (request) => {
        if (request.point !== point) return undefined;
        resolve();
        return answer;
      },
    },
  });
  return runCancelled(scenario, asked);
}

async function runCancelled(scenario: Scenario, cancelAfter: Promise<void>): Promise<ScenarioResult> {
  const result = await runPrepared(scenario, {
    inputs: EVERYTHING_ALLOWED,
    run: () => ({ cancelAfter }),
  });
  const { conclusion, exitCode, signal } = result.run;
  // The action ended by itself, before the runner had to kill it.
  expect({ conclusion, exitCode, signal }, result.run.log).toEqual({
    conclusion: 'cancelled',
    exitCode: 1,
    signal: null,
  });
  return result;
}

/**
 * Runs `post`, as GitHub does after a cancelled job. Then checks that no credits are reserved, and that no check run is
 * in progress.
 */
async function runPost({ environment, run }: ScenarioResult): Promise<void> {
  const post = await environment.run({ step: 'post', state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expectNothingLeft({ environment });
}

function expectNothingLeft({ environment }: Pick<Scenario, 'environment'>): void {
  expect(environment.service.ledger().reserved).toBe(0);
  expect(environment.github.checkRuns.filter(({ status }) => status !== 'completed')).toEqual([]);
}

test.each([
  ['a request of the preflight', 'repositories', 0],
  ['a request for the findings', 'findings.list', 1],
])('after a signal, a run ends in time although %s hangs', async (_what, point, launches) => {
  const result = await runCancelledAt(point, { fault: 'hang-before' });
  expectNotScanned(result, 'scan-cancelled', { ...CANCELLED, launches });
  await runPost(result);
});

test('after a signal, a run ends in time although the launch gets no answer', async () => {
  const result = await runCancelledAt('scans.launch', { fault: 'hang-before' });
  expect(result.run.outputs, result.run.log).toMatchObject({
    outcome: 'not-scanned',
    reason: 'scan-cancelled',
  });
  expect(result.run.log).toContain('Check project');
  expectNothingLeft(result);
});

test('after a signal, a run cancels the scan although a poll hangs', async () => {
  const result = await runCancelledAt('scans.read', { fault: 'hang-before' });
  expect(result.run.outputs, result.run.log).toMatchObject({
    outcome: 'not-scanned',
    reason: 'scan-cancelled',
  });
  await runPost(result);
});

test('after a signal, a run cancels the scan although GitHub does not answer', async () => {
  let broken = true;
  const result = await runCancelledAt('scans.read', undefined, {
    github: {
      intercept: ({ point }) => (broken && point === 'check.update' ? { fault: 'hang-before' } : undefined),
    },
  });
  expect(result.environment.service.ledger().reserved).toBe(0);
  broken = false;
  await runPost(result);
});

test('`post` cancels the scan if the run could not cancel it', async () => {
  const { promise: launched, resolve } = Promise.withResolvers<void>();
  let broken = true;
  const scenario = await prepare({
    timeScale: SCALE,
    service: {
      pace: { hold: true },
      intercept: ({ point }) => {
        if (point === 'scans.read') resolve();
        return broken && point === 'scans.cancel' ? { fault: 'hang-before' } : undefined;
      },
    },
  });
  const result = await runCancelled(scenario, launched);
  expect(result.environment.service.ledger().reserved).toBe(20);
  expect(result.run.log).toContain('Could not cancel scan');
  broken = false;
  await runPost(result);
  expect(result.environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
});
