import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY_ID } from '../../sandbox/runner/job.ts';
import { createSeal } from '../../src/domain/seal.ts';
import { encodeMark, readMark } from '../../src/scan/scan-mark.ts';
import { mergeGroup } from './branch-events.ts';
import { declareBlocks, expectBlock } from './golden.ts';
import { type Head, openRepository } from './repository.ts';
import { countOf, expectPaid, pushed, runAgain } from './reuse.ts';
import { prepare, type Scenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts';

type Run = Parameters<typeof runAgain>[1];
type Inputs = Readonly<Record<string, string>>;
/** A pull request, and its head as the last push made it. */
interface Pull {
  readonly scenario: Scenario;
  head: string;
}
/** A run for the pull request, or something that happens to it. */
type Step = (pull: Pull) => Promise<ScenarioResult | undefined>;

/** Inputs that write the JSON report. A scan with these inputs reserves 20 credits. */
const REPORT = { 'report-file': 'scan.json' };
/** A scan takes six polls. It still runs when the action reads the marks of other jobs for the second time. */
const LASTING = { pace: { phasesPerPoll: 1 }, retryAfterSeconds: 8 };
const OTHER_RUN = { runId: 9_000_000_050 };

const run =
  (options: Run | ((scenario: Scenario) => Run) = {}, inputs: Inputs = {}): Step =>
  ({ scenario }) =>
    runAgain(scenario, typeof options === 'function' ? options(scenario) : options, { ...REPORT, ...inputs });
/** Pushes this head, and runs the gate. */
const push =
  (head: Head, options: Run = {}): Step =>
  (pull) => {
    const [before, headSha] = [pull.head, pull.scenario.repository.id(head)];
    pull.head = headSha;
    return runAgain(pull.scenario, { ...pushed(pull.scenario, before, headSha), ...options }, REPORT);
  };
const act =
  (change: (scenario: Scenario, pull: Pull) => unknown): Step =>
  async (pull) => {
    await change(pull.scenario, pull);
    return undefined;
  };
/** Another job for the same head. It launches a scan of its own, for 30 credits. */
const otherJob = (inputs: Inputs = {}) =>
  run(OTHER_RUN, { 'check-name': 'Other scan', 'credit-budget': '30', ...inputs });
/** Another attempt for the current head. */
const rerun: Step = ({ scenario, head: headSha }) => {
  const payload = scenario.environment.pullRequestPayload({ headSha });
  return runAgain(scenario, { event: { name: 'pull_request', payload }, runAttempt: 2 }, REPORT);
};

async function send(
  { environment: { github, repository } }: Scenario,
  method: string,
  route: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const response = await fetch(`${github.apiUrl}/repos/${repository}/${route}`, {
    method,
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
}
const deleteComment = act((scenario) =>
  send(scenario, 'DELETE', `issues/comments/${scenario.environment.github.comments[0]?.id}`),
);
/** Creates a check run on the head. Its mark is made of the newest mark. */
const copyMark = (markOf: (mark: string, token: string) => string) =>
  act((scenario, { head }) => {
    const { github, service } = scenario.environment;
    const mark = markOf(github.checkRuns.at(-1)?.externalId ?? '', service.token);
    return send(scenario, 'POST', 'check-runs', { name: 'x', head_sha: head, external_id: mark });
  });
/** A user lowers the cost in all marks, so that their MAC is wrong. */
const forgeMarks = act(async (scenario) => {
  for (const { id, externalId } of [...scenario.environment.github.checkRuns])
    await send(scenario, 'PATCH', `check-runs/${id}`, {
      external_id: externalId?.replace(':20:-:', ':0:-:'),
    });
});
const ofAnotherRepository = copyMark((mark, token) => {
  const own = readMark(mark, createSeal(token, REPOSITORY_ID)) ?? expect.unreachable();
  return encodeMark({ ...own, scanId: 'other', credits: 900 }, createSeal(token, '1296270'));
});

/** The service gives this answer to the second launch. */
const secondLaunch = (status: number, body: object): ScenarioOptions => ({
  service: {
    intercept: ({ point, count }) =>
      point === 'scans.launch' && count === 2 ? { status, body: { ...body } } : undefined,
  },
});
const LOST = secondLaunch(502, {});
const REFUSED = secondLaunch(402, { error: { code: 'insufficient_credits', message: 'no' } });
let isDown = false;
const failingLists: ScenarioOptions = {
  github: {
    intercept: ({ point }) => (isDown && point === 'check.list' ? { status: 502, body: {} } : undefined),
  },
};
const setDown = (value: boolean) =>
  act(() => {
    isDown = value;
  });

/** What each row does. Its golden text has the cost that each run shows. */
const ROWS: readonly {
  readonly name: string;
  readonly options?: ScenarioOptions;
  readonly steps: readonly Step[];
}[] = [
  {
    name: 'the cost counts each of four scans once',
    options: { service: LASTING },
    steps: [
      run(),
      push('amended'),
      deleteComment,
      push('clean'),
      copyMark((mark) => mark.replace(':40:-:', ':940:-:')),
      push('medium', {
        onLine: (line, { cancel }) => {
          if (line.includes('2 of 6 phases')) cancel();
        },
      }),
      push('low'),
      rerun,
    ],
  },
  {
    name: 'the cost is a lower bound after a push without a run',
    steps: [
      run(),
      act((scenario, pull) => {
        pushed(scenario, pull.head, scenario.repository.id('medium'));
        pull.head = scenario.repository.id('medium');
      }),
      push('clean'),
      push('low'),
    ],
  },
  {
    name: 'the cost is a lower bound if the check runs cannot be listed',
    options: failingLists,
    steps: [setDown(false), run(), setDown(true), push('clean')],
  },
  {
    name: 'the cost is a lower bound if a user edited the marks',
    steps: [run(), forgeMarks, deleteComment, push('clean')],
  },
  {
    name: 'the cost ignores a mark of another repository with the same API token',
    steps: [run(), ofAnotherRepository, push('clean')],
  },
  {
    name: 'the cost is a lower bound without the permission for check runs',
    options: { github: { permissions: { contents: 'read', checks: 'none', 'pull-requests': 'write' } } },
    steps: [run(), push('medium')],
  },
  {
    name: 'the cost is a lower bound after a lost launch',
    options: LOST,
    steps: [run(), push('clean'), push('low')],
  },
  {
    name: 'the cost is a lower bound after another job lost a launch',
    options: LOST,
    steps: [run(), otherJob(), rerun, push('clean'), push('low')],
  },
  {
    name: 'a launch that the service refused adds nothing to the cost',
    options: REFUSED,
    steps: [run(), otherJob(), rerun, push('clean')],
  },
  {
    name: 'the cost is a lower bound with `reuse-scan: false`',
    options: REFUSED,
    steps: [run(), otherJob({ 'reuse-scan': 'false' })],
  },
  {
    name: 'the cost counts the credits that the service chose itself',
    steps: [run({}, { 'launch-parameters': '{"creditBudget": null}' })],
  },
  {
    name: 'a run does not update the comment if only the cost has changed',
    steps: [
      run(),
      otherJob({ comment: 'never' }),
      rerun,
      act((scenario) => expect(countOf(scenario, 'github', 'comments.update')).toBe(0)),
    ],
  },
  { name: 'a run without a pull request shows no cost', steps: [run((scenario) => mergeGroup(scenario))] },
];

declareBlocks('pull-request-cost', ROWS);
test.each(ROWS)('$name', async ({ name, options, steps }) => {
  const scenario = await prepare({ baseRef: 'stable', ...options });
  const pull = { scenario, head: scenario.headSha };
  const lines: string[] = [];
  for (const step of steps) {
    const result = await step(pull);
    if (result !== undefined) lines.push(await costOf(result));
  }
  expectBlock('pull-request-cost', name, lines.join('\n'));
});

/** What a run shows: the job summary, the check run, the JSON report and the output agree. No comment has a cost. */
async function costOf({
  run: { outputs, summary, log },
  workspace,
  environment,
}: ScenarioResult): Promise<string> {
  const { 'credits-pull-request': credits = '', outcome, reason } = outputs;
  const text = `${credits} credits so far for this pull request, as far as Scangate knows`;
  // A lower bound of nothing says nothing, so it is not shown.
  const isShown = Number(credits) > 0;
  expect(summary.includes(` · ${text} · `), log).toBe(isShown);
  if (!isShown) expect(summary).not.toContain('for this pull request');
  const report = JSON.parse(await readFile(path.join(workspace, 'scan.json'), 'utf8'));
  expect(String(report.creditsPullRequest?.credits ?? '')).toBe(credits);
  const checkRun = environment.github.checkRuns.find(({ htmlUrl }) => htmlUrl === outputs['check-run-url']);
  if (checkRun !== undefined) expect(checkRun.output.summary?.includes(text)).toBe(isShown);
  for (const { body } of environment.github.comments) expect(body).not.toMatch(/credits? (?:so far|in)/);
  const use = outputs['scan-reused'] === 'true' ? ', reused' : '';
  return `${reason || outcome}${use}: ${credits === '' ? 'no cost' : `${credits} credits`}`;
}

test('the cost does not include a scan that another pull request paid for', async () => {
  const pull = { headSha: (await openRepository()).id('vulnerable'), baseRef: 'stable' };
  const scenario = await prepare({
    baseRef: 'stable',
    github: { pullRequests: [7, 8].map((number) => ({ ...pull, number })) },
  });
  await runAgain(scenario, {}, REPORT);
  const payload = scenario.environment.pullRequestPayload({ action: 'opened', number: 8 });
  const other = await runAgain(scenario, { event: { name: 'pull_request', payload }, ...OTHER_RUN }, REPORT);
  expect(await costOf(other)).toBe('blocked, reused: 0 credits');
});

test('two concurrent jobs that do not see each other show a lower bound', async () => {
  // Uses virtual time, because two processes on a busy machine may not start at the same time.
  const scenario = await prepare({ service: LASTING, driver: 'in process' });
  const jobs = await Promise.all(
    [1, 2].map((number) =>
      runAgain(scenario, { runId: 9_000_000_000 + number }, { ...REPORT, 'timeout-minutes': '20' }),
    ),
  );
  expectPaid(scenario, 2);
  const yielded = jobs.map(({ run: { log } }) => log.includes('Another job launched scan'));
  expect(yielded.toSorted()).toEqual([false, true]);
  expect(new Set(scenario.environment.service.scans().map(({ status }) => status))).toEqual(
    new Set(['CANCELLED', 'COMPLETED']),
  );
  for (const job of jobs) expect(await costOf(job)).toMatch(/^blocked.*: 20 credits$/);
  const next = await push('clean')({ scenario, head: scenario.headSha });
  expect(next && (await costOf(next))).toBe('passed: 40 credits');
});
