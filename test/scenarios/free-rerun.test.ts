import { describe, expect, test } from 'vitest';
import {
  editComment,
  freeRerunIn,
  freeRerunOf,
  GATE_RUN_ID,
  leaveFreeRerun,
  type Signed,
  withFreeRerun,
} from './free-rerun.ts';
import { expectPaid, pushed, runAgain } from './reuse.ts';
import { prepare, runPrepared, type Scenario, type ScenarioOptions } from './scenario.ts';

/** With this budget, the gate cannot reuse the paid scan, so it needs a new scan. */
const OTHER_SCAN = { 'credit-budget': '30' };
const BLOCKED = { outcome: 'blocked', 'scan-reused': 'true' };
const NOT_LAUNCHED = { outcome: 'not-scanned', reason: 'configuration', 'scan-id': '' };
const LAUNCHED = { outcome: 'blocked', 'scan-reused': 'false' };

/**
 * Creates a pull request that the gate blocked. The comment of the gate has an entry that keeps the second attempt
 * from using credits.
 */
async function swept(options: ScenarioOptions = {}, signed: Signed = {}): Promise<Scenario> {
  const scenario = await prepare(options);
  const first = await runPrepared(scenario, options);
  expect(first.run.outputs, first.run.log).toMatchObject({ outcome: 'blocked' });
  await leaveFreeRerun(scenario, freeRerunOf(scenario, signed));
  return scenario;
}

describe('a re-run that the sweep asked for', () => {
  test('the re-run uses the paid scan again, and applies the triage', async () => {
    const scenario = await swept();
    const { service } = scenario.environment;
    for (const id of service.scans()[0]?.findingIds ?? []) {
      service.control.triage(id, { resolutionStatus: 'FALSE_POSITIVE' });
    }
    const next = await runAgain(scenario, { runAttempt: 2 });
    expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
    expectPaid(scenario, 1);
    // The entry stays, because it also applies to later steps of the job. It now says that the sweep may ask for one
    // more re-run.
    expect(freeRerunIn(scenario)).toBe(freeRerunOf(scenario, { mayRepeat: true }));
  });

  test('the re-run launches nothing if the change has to be scanned again', async () => {
    const scenario = await swept();
    const allowed = 'timeout, service-error, launch-unknown, superseded, insufficient-credits';
    const next = await runAgain(scenario, { runAttempt: 2 }, { ...OTHER_SCAN, 'allow-unscanned': allowed });
    expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
    expect(next.run.exitCode).toBe(1);
    expect(next.run.summary).toContain(
      'The sweep asked for this re-run after triage, and the change has to be scanned again, which uses credits.',
    );
    expect(next.run.summary).toContain('by hand');
    expectPaid(scenario, 1);
    // The entry stays, so that the sweep does not ask for the same re-run again.
    expect(freeRerunIn(scenario)).toBe(freeRerunOf(scenario));

    const byHand = await runAgain(scenario, { runAttempt: 3 }, OTHER_SCAN);
    expect(byHand.run.outputs, byHand.run.log).toMatchObject(LAUNCHED);
    expectPaid(scenario, 2);
    expect(freeRerunIn(scenario)).toBeUndefined();
  });

  test.each([
    ['writes no comment', { comment: 'never' }],
    ['reuses no scan', { 'reuse-scan': 'false' }],
  ])('the re-run launches nothing if the budget has changed and the gate %s', async (_what, inputs) => {
    const scenario = await swept();
    const next = await runAgain(scenario, { runAttempt: 2 }, { ...OTHER_SCAN, ...inputs });
    expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
    expectPaid(scenario, 1);
  });

  test.each([
    ['writes no comment', { comment: 'never' }],
    ['reuses no scan', { 'reuse-scan': 'false' }],
  ])(
    'the re-run launches nothing if GraphQL does not show all comments and the gate %s',
    async (_what, inputs) => {
      const scenario = await swept();
      const { github } = scenario.environment;
      for (let count = 0; count < 120; count += 1)
        github.addComment({ author: 'rea', body: `Note ${count}` });
      const next = await runAgain(scenario, { runAttempt: 2 }, { ...OTHER_SCAN, ...inputs });
      expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
      expectPaid(scenario, 1);
    },
  );

  test.each([
    ['writes no comment', { comment: 'never' }],
    ['reuses no scan', { 'reuse-scan': 'false' }],
  ])('the re-run launches nothing if GraphQL is down and the gate %s', async (_what, inputs) => {
    let isDown = false;
    const scenario = await swept({
      github: {
        intercept: ({ point }) =>
          isDown && point === 'graphql' ? { status: 502, body: { message: 'No' } } : undefined,
      },
    });
    isDown = true;
    const next = await runAgain(scenario, { runAttempt: 2 }, { ...OTHER_SCAN, ...inputs });
    expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
    expectPaid(scenario, 1);
  });

  test('the re-run launches nothing if the scan no longer exists', async () => {
    let isGone = false;
    const scenario = await swept({
      service: {
        intercept: ({ point }) =>
          isGone && point === 'scans.read'
            ? { status: 404, body: { error: { code: 'not_found', message: 'Scan was not found.' } } }
            : undefined,
      },
    });
    isGone = true;
    const next = await runAgain(scenario, { runAttempt: 2 });
    expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
    expectPaid(scenario, 1);
  });

  test('the re-run uses the scan of another commit with the same files', async () => {
    const scenario = await swept({ baseRef: 'stable' });
    const { repository } = scenario;
    const sameFiles = pushed(scenario, scenario.headSha, repository.id('amended'));
    const free = freeRerunOf(scenario, { runId: sameFiles.runId });
    await leaveFreeRerun(scenario, free);
    const next = await runAgain(scenario, { ...sameFiles, runAttempt: 2 });
    expect(next.run.outputs, next.run.log).toMatchObject(BLOCKED);
    expectPaid(scenario, 1);
  });
});

describe('a re-run that a person asked for', () => {
  test.each<[string, Signed]>([
    ['is for an earlier attempt', { runAttempt: 1 }],
    ['is for a later attempt', { runAttempt: 3 }],
    ['is for another run', { runId: GATE_RUN_ID - 1 }],
    ['was copied from another pull request', { pullRequest: 8 }],
    ['was copied from another repository', { repositoryId: '1296270' }],
    ['was signed with another token', { apiToken: 'svc_proj_other_0123456789abcdef' }],
  ])('a re-run launches a scan if the entry for a free re-run %s', async (_what, signed) => {
    const scenario = await swept({}, signed);
    const next = await runAgain(scenario, { runAttempt: 2 }, OTHER_SCAN);
    expect(next.run.outputs, next.run.log).toMatchObject(LAUNCHED);
    expectPaid(scenario, 2);
  });

  test('a re-run launches a scan if a user edited the entry for a free re-run', async () => {
    const scenario = await swept({}, { runAttempt: 1 });
    await editComment(scenario, (body) => body.replace(/f1:(\d+):1:/, 'f1:$1:2:'));
    const next = await runAgain(scenario, { runAttempt: 2 }, OTHER_SCAN);
    expect(next.run.outputs, next.run.log).toMatchObject(LAUNCHED);
  });

  test('a re-run launches a scan if the entry for a free re-run is in a comment without a marker', async () => {
    const scenario = await swept({}, { runAttempt: 1 });
    const { github } = scenario.environment;
    github.addComment({ author: 'mallory', body: freeRerunOf(scenario) });
    const next = await runAgain(scenario, { runAttempt: 2 }, OTHER_SCAN);
    expect(next.run.outputs, next.run.log).toMatchObject(LAUNCHED);
  });
});

test('the signed entry for a free re-run is valid in a comment by any author', async () => {
  const scenario = await swept({}, { runAttempt: 1 });
  const { github } = scenario.environment;
  const body = withFreeRerun(github.comments[0]?.body ?? '', freeRerunOf(scenario));
  github.addComment({ author: 'gate-app[bot]', type: 'Bot', body });
  const next = await runAgain(scenario, { runAttempt: 2 }, OTHER_SCAN);
  expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
  expectPaid(scenario, 1);
});

test('a step with another check name launches nothing if the entry for a free re-run is valid', async () => {
  const scenario = await swept();
  const other = { ...OTHER_SCAN, 'check-name': 'Other scan' };
  const next = await runAgain(scenario, { runAttempt: 2 }, other);
  expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
  expectPaid(scenario, 1);
});

test("a run that updates the comment keeps another run's entry for a free re-run", async () => {
  const scenario = await swept();
  const edited = scenario.environment.pullRequestPayload({ action: 'edited' });
  const { service } = scenario.environment;
  for (const id of service.scans()[0]?.findingIds ?? []) {
    service.control.triage(id, { resolutionStatus: 'FALSE_POSITIVE' });
  }
  const between = await runAgain(scenario, {
    event: { name: 'pull_request', payload: edited },
    runId: GATE_RUN_ID + 1,
  });
  expect(between.run.outputs, between.run.log).toMatchObject({ outcome: 'passed' });
  expect(freeRerunIn(scenario)).toBe(freeRerunOf(scenario));
  const next = await runAgain(scenario, { runAttempt: 2 }, OTHER_SCAN);
  expect(next.run.outputs, next.run.log).toMatchObject(NOT_LAUNCHED);
  expectPaid(scenario, 1);
});

describe('GitHub answers 404 to a re-run that asks for the list of comments', () => {
  /**
   * Re-runs the gate, and expects no new scan. GitHub answers the first `times` requests for the list of comments with
   * 404. Until the last of these answers, GraphQL fails, so that the run has to request the list.
   */
  async function notFound(times: number) {
    let left = 0;
    const scenario = await swept({
      github: {
        intercept: ({ point }) => {
          if (left > 0 && point === 'graphql') return { status: 502, body: { message: 'No' } };
          if (left === 0 || point !== 'comments.list') return undefined;
          left -= 1;
          return { status: 404, body: { message: 'Not Found' } };
        },
      },
    });
    left = times;
    const next = await runAgain(scenario, { runAttempt: 2 }, OTHER_SCAN);
    expectPaid(scenario, 1);
    return next.run;
  }

  test('after one 404 for the list of comments, a re-run requests the list again', async () => {
    const run = await notFound(1);
    expect(run.outputs, run.log).toMatchObject(NOT_LAUNCHED);
  });

  test('a re-run launches nothing if every request for the list of comments gets 404', async () => {
    const run = await notFound(Number.POSITIVE_INFINITY);
    expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
    expect(run.summary).toContain('The comments can say that this re-run must not use credits');
  });
});

describe('comments that cannot be read on a re-run', () => {
  async function withoutComments(status: number, inputs: Readonly<Record<string, string>>) {
    let isDown = false;
    const scenario = await prepare({
      github: {
        intercept: ({ point }) =>
          isDown && (point === 'graphql' || point === 'comments.list')
            ? { status, body: { message: 'No' } }
            : undefined,
      },
    });
    await runPrepared(scenario, { inputs: { comment: inputs['comment'] ?? 'on-findings' } });
    isDown = true;
    const next = await runAgain(scenario, { runAttempt: 2 }, inputs);
    return { scenario, ...next };
  }

  test('a re-run launches nothing if it cannot read the comments', async () => {
    const { scenario, run } = await withoutComments(502, OTHER_SCAN);
    expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
    expect(run.exitCode).toBe(1);
    expect(run.summary).toContain('The comments can say that this re-run must not use credits');
    expectPaid(scenario, 1);
  });

  test.each([
    ['a scan can be used again', 502, {}, BLOCKED, 1],
    ['the gate writes no comment', 502, { ...OTHER_SCAN, comment: 'never' }, LAUNCHED, 2],
    ['the gate reuses no scan', 502, { 'reuse-scan': 'false' }, LAUNCHED, 2],
    ['a permission is missing', 403, OTHER_SCAN, LAUNCHED, 2],
  ] as const)(
    'a re-run does not need to read the comments if %s',
    async (_what, status, inputs, outputs, launches) => {
      const { scenario, run } = await withoutComments(status, inputs);
      expect(run.outputs, run.log).toMatchObject(outputs);
      expectPaid(scenario, launches);
    },
  );
});
