import { describe, expect, test } from 'vitest';
import { shownText } from '../../../src/github/comment-marker.ts';
import { freeRerunIn, freeRerunOf, withFreeRerun } from '../free-rerun.ts';
import { countOf, expectPaid, runAgain } from '../reuse.ts';
import type { Scenario } from '../scenario.ts';
import {
  asBlocked,
  blockedPullRequest,
  comment,
  GATE_RUN,
  seen,
  sweep,
  triage,
} from './blocked-pull-request.ts';

/** With this input, the gate cannot use the paid scan, because that scan has another credit budget. */
const OTHER_SCAN = { 'credit-budget': '30' };

/** Runs the gate in this attempt of its job. */
async function rerun(scenario: Scenario, runAttempt: number, inputs: Readonly<Record<string, string>> = {}) {
  const { github } = scenario.environment;
  const granted = { ...github.permissions };
  Object.assign(github.permissions, { contents: 'read', checks: 'write' });
  const { run } = await runAgain(scenario, { runId: GATE_RUN, runAttempt }, inputs);
  Object.assign(github.permissions, granted);
  github.workflowRuns.complete(GATE_RUN, run.exitCode === 0 ? 'success' : 'failure');
  return run;
}

describe('the hidden entry for a free re-run', () => {
  test('a sweep adds a hidden entry to the comment, and keeps the visible text', async () => {
    const scenario = await blockedPullRequest();
    triage(scenario);
    const { github } = scenario.environment;
    const before = github.comments[0]?.body ?? '';
    await sweep(scenario);
    expect(freeRerunIn(scenario)).toBe(freeRerunOf(scenario, { runId: GATE_RUN, runAttempt: 2 }));
    expect(shownText(github.comments[0]?.body ?? '')).toBe(shownText(before));
    const writes = github.requests.map(({ point }) => point).filter((point) => /update|rerun/.test(point));
    expect(writes.slice(-2)).toEqual(['comments.update', 'job.rerun']);
    expect(github.requests.slice(-2).map(({ point }) => point)).toEqual(['comments.list', 'job.rerun']);
  });

  test('only a sweep that requests a re-run adds a hidden entry to the comment', async () => {
    const scenario = await blockedPullRequest();
    await sweep(scenario);
    triage(scenario);
    await comment(scenario);
    expect(seen(scenario).attempt).toBe(2);
    expect(freeRerunIn(scenario)).toBeUndefined();
  });
});

test('a job that a sweep re-runs uses no credits for a new scan', async () => {
  const scenario = await blockedPullRequest();
  triage(scenario);
  await sweep(scenario);
  const swept = await rerun(scenario, 2, OTHER_SCAN);
  expect(swept.outputs, swept.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
  expectPaid(scenario, 1);

  const next = await sweep(scenario);
  expect(next.log).toContain('The last re-run that the sweep asked for ended without a result.');
  expect(next).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });

  const byHand = await rerun(scenario, 3, OTHER_SCAN);
  expect(byHand.outputs, byHand.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  expectPaid(scenario, 2);
  expect(freeRerunIn(scenario)).toBeUndefined();
});

describe('a comment that another run changes during a sweep', () => {
  test.each<[what: string, change: (body: string) => string]>([
    ['removes the hidden entry', (body) => withFreeRerun(body, undefined)],
    ['replaces the comment', (body) => body.replace(/ run=\d+ /, ' run=9000000099 ')],
    ['changes the history in the comment', (body) => body.replace(/;h1:[^; ]+/, '')],
  ])('a sweep requests no re-run if another run %s', async (_what, change) => {
    let isWritten = false;
    const scenario = await blockedPullRequest(
      {},
      {},
      {
        github: ({ point }, { environment }) => {
          if (point === 'comments.update') isWritten = true;
          const [comment] = environment.github.comments;
          if (point !== 'comments.list' || !isWritten || comment === undefined) return undefined;
          Object.assign(comment, { body: change(comment.body) });
          return undefined;
        },
      },
    );
    triage(scenario);
    const ended = await sweep(scenario);
    expect(ended.log).toContain('A run for this commit is under way.');
    expect(ended).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
    expect(seen(scenario).attempt).toBe(1);
    expectPaid(scenario, 1);
  });
});

describe('a sweep requests only one re-run', () => {
  /**
   * Sweeps up to three times. Calls `each` for every re-run that a sweep requests.
   * @returns the last attempt
   */
  async function sweptAgain(scenario: Scenario, each: (attempt: number) => Promise<unknown>, first = 2) {
    triage(scenario);
    for (let attempt = first; attempt < first + 3; attempt += 1) {
      await sweep(scenario);
      if (seen(scenario).attempt < attempt) break;
      await each(attempt);
    }
    expectPaid(scenario, 1);
    return seen(scenario).attempt;
  }

  test('after a re-run without an API token, a sweep requests no other re-run', async () => {
    const scenario = await blockedPullRequest();
    const each = (attempt: number) => rerun(scenario, attempt, { 'api-token': '' });
    expect(await sweptAgain(scenario, each)).toBe(2);
  });

  test('after a re-run that ended before the gate ran, a sweep requests no other re-run', async () => {
    const scenario = await blockedPullRequest();
    const { workflowRuns } = scenario.environment.github;
    const each = async () => workflowRuns.complete(GATE_RUN, 'failure');
    expect(await sweptAgain(scenario, each)).toBe(2);
  });

  test('after two attempts with the same error, a sweep requests no other re-run', async () => {
    const wrong = { preset: 'gone-diff' };
    const scenario = await blockedPullRequest();
    const byHand = await rerun(scenario, 2, wrong);
    expect(byHand.outputs, byHand.log).toMatchObject({ reason: 'configuration' });
    asBlocked(scenario, { attempt: 2 });
    expect(await sweptAgain(scenario, (attempt) => rerun(scenario, attempt, wrong), 3)).toBe(3);
  });

  test('a sweep requests only one re-run of a job if a newer run has written the comment', async () => {
    let isDown = false;
    const service = () => (isDown ? { status: 503, body: 'Service Unavailable' } : undefined);
    const scenario = await blockedPullRequest({}, {}, { service });
    const { github } = scenario.environment;
    isDown = true;
    Object.assign(github.permissions, { contents: 'read', checks: 'write' });
    const payload = scenario.environment.pullRequestPayload({ action: 'edited' });
    await runAgain(scenario, { event: { name: 'pull_request', payload }, runId: GATE_RUN + 1 });
    isDown = false;
    asBlocked(scenario);
    expect(await sweptAgain(scenario, (attempt) => rerun(scenario, attempt, OTHER_SCAN))).toBe(2);
  });
});

test('a sweep requests another re-run if the service was down during the first re-run', async () => {
  let isDown = false;
  const scenario = await blockedPullRequest(
    {},
    {},
    {
      service: () => (isDown ? { status: 503, body: 'Service Unavailable' } : undefined),
    },
  );
  triage(scenario);
  await sweep(scenario);
  isDown = true;
  const failed = await rerun(scenario, 2);
  expect(failed.outputs, failed.log).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
  isDown = false;
  await sweep(scenario);
  expect(seen(scenario).attempt).toBe(3);
  const passed = await rerun(scenario, 3);
  expect(passed.outputs, passed.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
  expectPaid(scenario, 1);
});

test('if a sweep cannot re-run the job, the first re-run by hand uses no credits', async () => {
  let isKilled = true;
  const scenario = await blockedPullRequest(
    {},
    {},
    {
      github: ({ point }) =>
        isKilled && point === 'job.rerun' ? { status: 403, body: { message: 'No' } } : undefined,
    },
  );
  triage(scenario);
  const ended = await sweep(scenario);
  expect(ended.outputs).toEqual({ rerun: '0' });
  expect(freeRerunIn(scenario)).toBeDefined();

  // The next sweep finds the entry in the comment, and does not write it again.
  const edits = countOf(scenario, 'github', 'comments.update');
  await sweep(scenario);
  expect(countOf(scenario, 'github', 'comments.update')).toBe(edits);

  isKilled = false;
  const job = scenario.environment.github.workflowRuns.all[0]?.jobs[0];
  scenario.environment.github.workflowRuns.rerun(job?.id ?? 0);
  const byHand = await rerun(scenario, 2, OTHER_SCAN);
  expect(byHand.outputs, byHand.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
  expectPaid(scenario, 1);
  const again = await rerun(scenario, 3, OTHER_SCAN);
  expect(again.outputs, again.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  expectPaid(scenario, 2);
});

describe('a job with two gate steps that have different check names', () => {
  const OTHER_STEP = { ...OTHER_SCAN, 'check-name': 'Second scan' };

  test('in a re-run by a sweep, a step with another check name launches nothing if it runs first', async () => {
    const scenario = await blockedPullRequest();
    triage(scenario);
    await sweep(scenario);
    const second = await rerun(scenario, 2, OTHER_STEP);
    expect(second.outputs, second.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
    expectPaid(scenario, 1);
  });

  test('in a re-run by a sweep, a step with another check name launches nothing if it runs second', async () => {
    const scenario = await blockedPullRequest();
    triage(scenario);
    await sweep(scenario);
    const first = await rerun(scenario, 2);
    expect(first.outputs, first.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
    const second = await rerun(scenario, 2, OTHER_STEP);
    expect(second.outputs, second.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
    expectPaid(scenario, 1);
    const byHand = await rerun(scenario, 3, OTHER_STEP);
    expect(byHand.outputs, byHand.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });
});
