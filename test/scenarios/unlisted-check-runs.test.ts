import { expect, test } from 'vitest';
import { expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';

/** Runs the gate on a change without findings. It writes no comment, so only the check run names the scan. */
async function passedOnce(status: number) {
  let isDown = false;
  const scenario = await prepare({
    head: 'clean',
    github: {
      intercept: ({ point }) =>
        isDown && point === 'check.list' ? { status, body: { message: 'No' } } : undefined,
    },
  });
  const first = await runPrepared(scenario);
  expect(first.run.outputs, first.run.log).toMatchObject({ outcome: 'passed' });
  expect(scenario.environment.github.comments).toEqual([]);
  return {
    scenario,
    scanId: first.run.outputs['scan-id'],
    setDown: (down: boolean) => {
      isDown = down;
    },
  };
}

const eventOf = ({ environment }: Scenario, action: string) => ({
  event: { name: 'pull_request', payload: environment.pullRequestPayload({ action }) },
  runId: 9_000_000_070,
});

test.each<[what: string, again: (scenario: Scenario) => Parameters<typeof runAgain>[1]]>([
  ['a re-run', () => ({ runAttempt: 2 })],
  ['a run for an edited title', (scenario) => eventOf(scenario, 'edited')],
  ['a run for a reopened pull request', (scenario) => eventOf(scenario, 'reopened')],
  ['a run for a draft that is ready for review', (scenario) => eventOf(scenario, 'ready_for_review')],
])('without the list of check runs, %s launches no scan, and explains what to do', async (_what, again) => {
  const { scenario, scanId, setDown } = await passedOnce(503);
  setDown(true);
  const next = await runAgain(scenario, again(scenario));
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
  expect(next.run.exitCode).toBe(1);
  expect(next.run.summary).toContain('Could not list the check runs: GitHub could not be reached');
  expect(next.run.summary).toContain('push a commit to have it scanned');
  expectPaid(scenario, 1);

  setDown(false);
  const repeated = await runAgain(scenario, { ...again(scenario), runAttempt: 3 });
  expect(repeated.run.outputs, repeated.run.log).toMatchObject({ outcome: 'passed', 'scan-id': scanId });
  expectPaid(scenario, 1);
});

test('with `reuse-scan: false`, a re-run launches a scan even if it cannot list the check runs', async () => {
  const { scenario, setDown } = await passedOnce(503);
  setDown(true);
  const next = await runAgain(scenario, { runAttempt: 2 }, { 'reuse-scan': 'false' });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  expectPaid(scenario, 2);
});

test('if a re-run may not read check runs, it launches a scan, and warns of paying twice', async () => {
  const { scenario, setDown } = await passedOnce(403);
  setDown(true);
  const next = await runAgain(scenario, { runAttempt: 2 });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  expect(next.run.log).toMatch(/Could not look up earlier scans in check runs\. .* may be paid for again\./);
  expectPaid(scenario, 2);
});

test('a re-run that gets one 404 for the list of check runs pays for no second scan', async () => {
  let slips = 0;
  const scenario = await prepare({
    head: 'clean',
    github: {
      intercept: ({ point }) => {
        if (point !== 'check.list' || slips === 0) return undefined;
        slips -= 1;
        return { status: 404, body: { message: 'Not Found' } };
      },
    },
  });
  await runPrepared(scenario);
  slips = 1;
  const next = await runAgain(scenario, { runAttempt: 2 });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
  expectPaid(scenario, 1);
});

test.each([
  ['read', ['check.list', 'check.create']],
  ['write', ['check.create']],
])(
  'without permission to %s check runs, a re-run launches nothing if it cannot read the comments',
  async (_what, refused: readonly string[]) => {
    let isDown = false;
    const scenario = await prepare({
      github: {
        intercept: ({ point }) => {
          if (refused.includes(point)) return { status: 403, body: { message: 'No' } };
          const isComment = point === 'graphql' || point === 'comments.list';
          return isDown && isComment ? { status: 502, body: { message: 'Server Error' } } : undefined;
        },
      },
    });
    await runPrepared(scenario);
    isDown = true;
    const next = await runAgain(scenario, { runAttempt: 2 });
    expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
    expect(next.run.summary).toContain('Could not read the comments of the pull request');
    expectPaid(scenario, 1);

    isDown = false;
    const repeated = await runAgain(scenario, { runAttempt: 3 });
    expect(repeated.run.outputs, repeated.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-reused': 'true',
    });
    expectPaid(scenario, 1);
  },
);
