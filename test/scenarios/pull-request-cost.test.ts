import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import { REPOSITORY_ID } from '../../sandbox/runner/job.ts';
import { createSeal } from '../../src/domain/seal.ts';
import { encodeMark, readMark } from '../../src/scan/scan-mark.ts';
import { type Head, openRepository } from './repository.ts';
import { countOf, expectPaid, pushed, runAgain } from './reuse.ts';
import {
  prepare,
  runPrepared,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from './scenario.ts';

/** Inputs that write the JSON report. A scan with these inputs reserves 20 credits. */
const REPORT = { 'report-file': 'scan.json' };

/** A scan takes six polls. It still runs when the action reads the marks of other jobs for the second time. */
const LASTING = { pace: { phasesPerPoll: 1 }, retryAfterSeconds: 8 };

/** Uses virtual time, because two processes on a busy machine may not start at the same time. */
const TOGETHER = { service: LASTING, driver: 'in process' } as const;

/**
 * Checks that the check run, the job summary, the JSON report and the output show this cost. No comment may show a
 * cost.
 */
async function expectCost({ run, workspace, environment }: ScenarioResult, credits: number): Promise<void> {
  const text = `${credits} credits so far for this pull request, as far as Scangate knows`;
  // A lower bound of nothing says nothing, so it is not shown.
  const isShown = credits > 0;
  expect(run.summary.includes(` · ${text} · `), run.log).toBe(isShown);
  expect(run.outputs['credits-pull-request']).toBe(String(credits));
  const report: unknown = JSON.parse(await readFile(path.join(workspace, 'scan.json'), 'utf8'));
  expect(report).toMatchObject({ creditsPullRequest: { credits } });
  const shown = environment.github.checkRuns.filter(
    ({ htmlUrl }) => htmlUrl === run.outputs['check-run-url'],
  );
  for (const { output } of shown) expect(output.summary?.includes(text)).toBe(isShown);
  for (const { body } of environment.github.comments) expect(body).not.toMatch(/credits? (?:so far|in)/);
}

async function send(
  { environment }: Scenario,
  method: string,
  route: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { github, repository } = environment;
  const response = await fetch(`${github.apiUrl}/repos/${repository}/${route}`, {
    method,
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
}

/** Opens a pull request to which the tests push. */
async function openPullRequest(options: ScenarioOptions = {}) {
  const scenario = await prepare({ baseRef: 'stable', ...options });
  let head = scenario.headSha;
  const push = (next: Head, run: Parameters<typeof runAgain>[1] = {}) => {
    const [before, headSha] = [head, scenario.repository.id(next)];
    head = headSha;
    return runAgain(scenario, { ...pushed(scenario, before, headSha), ...run }, REPORT);
  };
  return { scenario, push, first: await runPrepared(scenario, { inputs: REPORT }) };
}

test('the cost of a pull request counts each of four scans once', async () => {
  const { scenario, first, push } = await openPullRequest({ service: LASTING });
  const { github } = scenario.environment;
  await expectCost(first, 20);

  const reused = await push('amended');
  expect(reused.run.outputs['scan-reused']).toBe('true');
  await expectCost(reused, 20);

  await send(scenario, 'DELETE', `issues/comments/${github.comments[0]?.id}`);
  await expectCost(await push('clean'), 40);

  // A check run that claims a higher cost. Its mark was edited, so the MAC is wrong.
  const foreign = github.checkRuns.at(-1)?.externalId?.replace(':40:-:', ':940:-:') ?? '';
  const headSha = scenario.repository.id('clean');
  await send(scenario, 'POST', 'check-runs', { name: 'x', head_sha: headSha, external_id: foreign });
  const cancelled = await push('medium', {
    onLine: (line, { cancel }) => {
      if (line.includes('2 of 6 phases')) cancel();
    },
  });
  expect(cancelled.run.outputs).toMatchObject({ reason: 'scan-cancelled' });
  await expectCost(cancelled, 60);

  const last = await push('low');
  await expectCost(last, 80);
  const headOfLast = {
    ...pushed(scenario, scenario.repository.id('medium'), last.run.outputs['head-commit'] ?? ''),
  };
  const rerun = await runAgain(scenario, { ...headOfLast, runAttempt: 2 }, REPORT);
  expect(rerun.run.outputs['scan-reused']).toBe('true');
  await expectCost(rerun, 80);
  expectPaid(scenario, 4);
});

test('the cost of a pull request is a lower bound after a push without a run', async () => {
  const { scenario } = await openPullRequest();
  // This push starts no run.
  pushed(scenario, scenario.headSha, scenario.repository.id('medium'));
  const { repository } = scenario;
  const [before, headSha] = [repository.id('medium'), repository.id('clean')];
  const broken = await runAgain(scenario, pushed(scenario, before, headSha), REPORT);
  await expectCost(broken, 40);
  await expectCost(await runAgain(scenario, pushed(scenario, headSha, repository.id('low')), REPORT), 60);
});

test('the cost of a pull request is a lower bound if the check runs cannot be listed', async () => {
  let isDown = false;
  const { scenario, push } = await openPullRequest({
    github: {
      intercept: ({ point }) => (isDown && point === 'check.list' ? { status: 502, body: {} } : undefined),
    },
  });
  isDown = true;
  await expectCost(await push('clean'), 40);
  expectPaid(scenario, 2);
});

test('the cost of a pull request is a lower bound if a user edited the marks', async () => {
  const { scenario, push } = await openPullRequest();
  for (const run of [...scenario.environment.github.checkRuns]) {
    const forged = run.externalId?.replace(':20:-:', ':0:-:');
    await send(scenario, 'PATCH', `check-runs/${run.id}`, { external_id: forged });
  }
  await send(scenario, 'DELETE', `issues/comments/${scenario.environment.github.comments[0]?.id}`);
  await expectCost(await push('clean'), 20);
});

test('the cost of a pull request ignores a mark of another repository with the same API token', async () => {
  const { scenario, push } = await openPullRequest();
  const { service, github } = scenario.environment;
  const seal = (repositoryId: string) => createSeal(service.token, repositoryId);
  const own = readMark(github.checkRuns[0]?.externalId ?? '', seal(REPOSITORY_ID)) ?? expect.unreachable();
  const copied = { ...own, scanId: 'other', credits: 900 };
  await send(scenario, 'POST', 'check-runs', {
    name: 'x',
    head_sha: scenario.headSha,
    external_id: encodeMark(copied, seal('1296270')),
  });
  await expectCost(await push('clean'), 40);
});

test('the cost of a pull request is a lower bound without the permission for check runs', async () => {
  const { first, push } = await openPullRequest({
    github: { permissions: { contents: 'read', checks: 'none', 'pull-requests': 'write' } },
  });
  await expectCost(first, 20);
  await expectCost(await push('medium'), 40);
});

test('two concurrent jobs that do not see each other show a lower bound', async () => {
  const scenario = await prepare(TOGETHER);
  const jobs = await Promise.all(
    [1, 2].map((number) =>
      runPrepared(scenario, {
        run: () => ({ runId: 9_000_000_000 + number }),
        inputs: { ...REPORT, 'timeout-minutes': '20' },
      }),
    ),
  );
  expectPaid(scenario, 2);
  const yielded = jobs.map(({ run }) => run.log.includes('Another job launched scan'));
  expect(yielded.toSorted()).toEqual([false, true]);
  expect(
    scenario.environment.service
      .scans()
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual(['CANCELLED', 'COMPLETED']);
  for (const job of jobs) await expectCost(job, 20);
  const push = pushed(scenario, scenario.headSha, scenario.repository.id('clean'));
  await expectCost(await runAgain(scenario, push, REPORT), 40);
});

test('the cost of a pull request does not include a scan that another pull request paid for', async () => {
  const { id } = await openRepository();
  const pull = { headSha: id('vulnerable'), baseRef: 'stable' };
  const { scenario } = await openPullRequest({
    github: { pullRequests: [7, 8].map((number) => ({ ...pull, number })) },
  });
  const payload = scenario.environment.pullRequestPayload({ action: 'opened', number: 8 });
  const other = await runAgain(
    scenario,
    { event: { name: 'pull_request', payload }, runId: 9_000_000_050 },
    REPORT,
  );
  expect(other.run.outputs, other.run.log).toMatchObject({
    'scan-reused': 'true',
    'credits-pull-request': '0',
  });
  await expectCost(other, 0);
});

test('the cost of a pull request is a lower bound after a lost launch', async () => {
  const { push } = await openPullRequest({
    service: {
      intercept: ({ point, count }) =>
        point === 'scans.launch' && count === 2 ? { status: 502, body: {} } : undefined,
    },
  });
  const lost = await push('clean');
  expect(lost.run.outputs).toMatchObject({ reason: 'launch-unknown' });
  await expectCost(lost, 20);
  await expectCost(await push('low'), 40);
});

/** Makes the service give this answer to the second launch of the scenario. */
const secondLaunch = (status: number, body: object): ScenarioOptions => ({
  service: {
    intercept: ({ point, count }) =>
      point === 'scans.launch' && count === 2 ? { status, body: { ...body } } : undefined,
  },
});
/** The inputs of another job for the same head. The job launches a scan of its own. */
const OTHER_JOB = { ...REPORT, 'check-name': 'Other scan', 'credit-budget': '30' };

test('the cost of a pull request is a lower bound after another job lost a launch', async () => {
  const { scenario, push } = await openPullRequest(secondLaunch(502, {}));
  const lost = await runAgain(scenario, { runId: 9_000_000_050 }, OTHER_JOB);
  expect(lost.run.outputs).toMatchObject({ reason: 'launch-unknown' });
  await expectCost(lost, 20);
  const rerun = await runAgain(scenario, { runAttempt: 2 }, REPORT);
  expect(rerun.run.outputs['scan-reused']).toBe('true');
  await expectCost(rerun, 20);
  await expectCost(await push('clean'), 40);
  await expectCost(await push('low'), 60);
});

test('the cost of a pull request counts the credits that the service chose itself', async () => {
  const scenario = await prepare({});
  const result = await runPrepared(scenario, {
    inputs: { ...REPORT, 'launch-parameters': '{"creditBudget": null}' },
  });
  const reserved = Number(result.run.outputs['credits-reserved']);
  expect(reserved).toBeGreaterThan(0);
  await expectCost(result, reserved);
});

test('a run does not update the comment if only the cost has changed', async () => {
  const { scenario } = await openPullRequest();
  const { github } = scenario.environment;
  const body = github.comments[0]?.body;
  await expectCost(
    await runAgain(scenario, { runId: 9_000_000_050 }, { ...OTHER_JOB, comment: 'never' }),
    50,
  );
  const rerun = await runAgain(scenario, { runAttempt: 2 }, REPORT);
  await expectCost(rerun, 50);
  expect(github.comments.map((comment) => comment.body)).toEqual([body]);
  expect(countOf(scenario, 'github', 'comments.update')).toBe(0);
});

test('a launch that the service refused adds nothing to the cost of a pull request', async () => {
  const { scenario, push } = await openPullRequest(
    secondLaunch(402, { error: { code: 'insufficient_credits', message: 'no' } }),
  );
  const refused = await runAgain(scenario, { runId: 9_000_000_050 }, OTHER_JOB);
  expect(refused.run.outputs).toMatchObject({ reason: 'insufficient-credits' });
  await expectCost(refused, 20);
  await expectCost(await runAgain(scenario, { runAttempt: 2 }, REPORT), 20);
  await expectCost(await push('clean'), 40);
});

test('the cost of a pull request is a lower bound with `reuse-scan: false`', async () => {
  const { scenario } = await openPullRequest(
    secondLaunch(402, { error: { code: 'insufficient_credits', message: 'no' } }),
  );
  const own = await runAgain(scenario, { runId: 9_000_000_050 }, { ...OTHER_JOB, 'reuse-scan': 'false' });
  expect(own.run.outputs).toMatchObject({ reason: 'insufficient-credits' });
  await expectCost(own, 0);
});

test('a run without a pull request shows no cost of a pull request', async () => {
  const scenario = await prepare({});
  const { run } = await runPrepared(scenario, {
    inputs: REPORT,
    run: ({ environment, repository, headSha }) => ({
      event: {
        name: 'merge_group',
        payload: mergeGroupEvent({
          repository: environment.repository,
          headSha,
          baseSha: repository.id('start'),
          baseRef: 'main',
        }),
      },
    }),
  });
  expect(run.outputs, run.log).toMatchObject({ 'scan-status': 'COMPLETED', 'credits-pull-request': '' });
  expect(run.summary).not.toContain('for this pull request');
});
