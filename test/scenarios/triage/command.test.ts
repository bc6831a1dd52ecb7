import { describe, expect, test } from 'vitest';
import type { Interception } from '../../../sandbox/faults/interception.ts';
import type { WorkflowRunSeed } from '../../../sandbox/github/workflow-runs.ts';
import { isObject, type JsonObject } from '../../../sandbox/json.ts';
import { REPOSITORY_ID } from '../../../sandbox/runner/job.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import {
  blockedPullRequest,
  type CommentChanges,
  comment,
  type During,
  minutesLater,
  seen,
  triage,
} from './blocked-pull-request.ts';
import { addCheckRun, marked, markOf } from './forged.ts';

interface Situation {
  /** The options of the gate's run. */
  readonly options?: ScenarioOptions;
  readonly run?: Partial<WorkflowRunSeed>;
  readonly before?: (scenario: Scenario) => unknown;
  readonly during?: During;
  readonly comment?: CommentChanges;
  /** `silence` means no reaction and no reply. A pattern means the reaction 😕 and one reply, whose text matches. */
  readonly answer: '👍' | 'silence' | RegExp;
  /** The expected exit code. Default: 0. */
  readonly exitCode?: 0 | 1;
}
type Row = readonly [what: string, situation: Situation];

const FENCE = '```';

function status(code: number): Interception {
  return { status: code, body: { message: 'Not now.' } };
}

/** Makes GitHub answer each request of the kind `point` with `answer`. */
function answering(point: string, answer: Interception): During {
  return { github: (request) => (request.point === point ? answer : undefined) };
}

/** Makes the server change members of its answer. */
function rewriting(change: (body: JsonObject) => JsonObject): Interception {
  return {
    rewrite: (answer) => ({ ...answer, body: isObject(answer.body) ? change(answer.body) : answer.body }),
  };
}

const COMMENTS: readonly Row[] = [
  ['with text below the command', { comment: { body: '/scangate recheck\nthanks' }, answer: '👍' }],
  ['that quotes the command', { comment: { body: '> /scangate recheck' }, answer: 'silence' }],
  [
    'with the command in a code block',
    { comment: { body: `${FENCE}\n/scangate recheck\n${FENCE}` }, answer: 'silence' },
  ],
  ['with the command after text', { comment: { body: 'see above\n/scangate recheck' }, answer: 'silence' }],
  [
    'with more text after the command',
    { comment: { body: '/scangate recheck --force' }, answer: /No finding was changed.*takes nothing else/ },
  ],
  ['on an issue', { comment: { onIssue: true }, answer: 'silence' }],
  [
    'that is older than the run',
    { comment: { createdAt: new Date(0) }, answer: /run again after this comment/ },
  ],
];

const PULL_REQUESTS: readonly Row[] = [
  ['without triage', { answer: '👍' }],
  ['with everything triaged', { before: triage, answer: '👍' }],
  ['from a fork', { run: { event: 'pull_request_target' }, answer: '👍' }],
  [
    'that is closed',
    { before: ({ environment }) => environment.github.edit(7, { state: 'closed' }), answer: /is closed/ },
  ],
  [
    'that is merged',
    { before: ({ environment }) => environment.github.edit(7, { state: 'merged' }), answer: /is closed/ },
  ],
  [
    'that is closed during the run',
    {
      during: {
        github: ({ point }, { environment }) => {
          if (point === 'run.jobs') environment.github.edit(7, { state: 'closed' });
          return undefined;
        },
      },
      answer: /is closed/,
    },
  ],
  [
    'whose newer head was not scanned',
    {
      before: ({ environment, repository }) => environment.github.setHead(7, repository.id('clean')),
      answer: /No check run/,
    },
  ],
  [
    'whose head changes during the run',
    {
      during: {
        github: ({ point }, { environment, repository }) => {
          if (point === 'run.jobs') environment.github.setHead(7, repository.id('clean'));
          return undefined;
        },
      },
      answer: /another head commit/,
    },
  ],
];

const RUNS: readonly Row[] = [
  ['that is under way', { run: { status: 'in_progress' }, answer: /is under way/ }],
  [
    'whose head has another run under way',
    {
      before: ({ environment, headSha }) =>
        environment.github.workflowRuns.put({ id: 42, headSha, status: 'queued' }),
      answer: /is under way/,
    },
  ],
  [
    'whose head has a run of another workflow under way',
    {
      before: ({ environment, headSha }) =>
        environment.github.workflowRuns.put({ id: 42, workflowId: 2, headSha, status: 'queued' }),
      answer: '👍',
    },
  ],
  ['whose job passed', { run: { jobs: [['scangate', 'success']] }, answer: /did not fail/ }],
  ['whose job was cancelled', { run: { jobs: [['scangate', 'cancelled']] }, answer: /did not fail/ }],
  [
    'with several jobs',
    {
      run: {
        jobs: [
          ['test', 'failure'],
          ['scangate', 'failure'],
        ],
      },
      answer: /several jobs.*test, scangate/,
    },
  ],
  [
    'with several jobs, if one has the name in `job-name`',
    {
      run: {
        jobs: [
          ['test', 'failure'],
          ['scangate', 'failure'],
        ],
      },
      comment: { inputs: { 'job-name': 'scangate' } },
      answer: '👍',
    },
  ],
  [
    'without a job of the name in `job-name`',
    { comment: { inputs: { 'job-name': 'gate' } }, answer: /no single job/ },
  ],
  ['that ran ten times', { run: { attempt: 10 }, answer: /already ran 10 times/ }],
  [
    'that is older than 30 days',
    { run: { createdAt: new Date('2001-01-01') }, answer: /older than 30 days/ },
  ],
  ['that a push started', { run: { event: 'push' }, answer: /is not a run of this pull request/ }],
  [
    'that GitHub does not re-run',
    { during: answering('job.rerun', status(403)), answer: /30 days.*50 times/, exitCode: 1 },
  ],
  [
    'that GitHub does not show',
    { during: answering('run.read', status(500)), answer: /Could not read the workflow run/, exitCode: 1 },
  ],
];

const MARKS: readonly Row[] = [
  ['of the tenth attempt', { before: marked({ runAttempt: 10 }), answer: /already ran 10 times/ }],
  ['of a run that is not in this repository', { before: marked({ runId: 404 }), answer: /is not a run of/ }],
  [
    'of a run with another head',
    {
      before: async (scenario) => {
        const headSha = scenario.repository.id('clean');
        scenario.environment.github.workflowRuns.put({ id: 55, headSha });
        await marked({ runId: 55 })(scenario);
      },
      answer: /is not a run of/,
    },
  ],
  ['of another pull request', { before: marked({ pullRequest: 8 }), answer: /No check run/ }],
  ['without a pull request', { before: marked({ pullRequest: undefined }), answer: /No check run/ }],
  [
    'of another head',
    {
      before: (scenario) => marked({ headSha: scenario.repository.id('clean') })(scenario),
      answer: /No check run/,
    },
  ],
  [
    'of a gate that does not reuse scans',
    { options: { inputs: { 'reuse-scan': 'false' } }, answer: /can launch a new scan/ },
  ],
  [
    'that was made with an older token',
    {
      options: {
        service: { tokens: [{}, {}] },
        inputs: ({ environment }) => ({ 'api-token': environment.service.tokens[1]?.token ?? '' }),
      },
      answer: /No check run/,
    },
  ],
  [
    'of a check run with another name',
    { comment: { inputs: { 'check-name': 'Other' } }, answer: /No check run/ },
  ],
  [
    'that is forged, and names the run of another workflow',
    {
      before: async (scenario) => {
        const { headSha, environment } = scenario;
        environment.github.workflowRuns.put({ id: 77_000_000_000, workflowId: 2, headSha });
        const forged = encodeMark(
          { ...markOf(scenario), runId: 77_000_000_000 },
          createSeal('a guessed token', REPOSITORY_ID),
        );
        await addCheckRun(scenario, { external_id: forged });
      },
      answer: '👍',
    },
  ],
  [
    'that is copied to a check run with the address of another run',
    {
      before: async (scenario) => {
        const { headSha, environment } = scenario;
        const { github, repository } = environment;
        github.workflowRuns.put({ id: 77_000_000_000, workflowId: 2, headSha });
        await addCheckRun(scenario, {
          external_id: github.checkRuns[0]?.externalId,
          details_url: `${github.serverUrl}/${repository}/actions/runs/77000000000`,
        });
      },
      answer: '👍',
    },
  ],
];

const SERVICE: readonly Row[] = [
  ['is down', { during: { service: () => status(503) }, answer: /service/, exitCode: 1 }],
  [
    'does not know the scan',
    {
      during: { service: ({ point }) => (point === 'scans.read' ? status(404) : undefined) },
      answer: /scan/,
      exitCode: 1,
    },
  ],
  ...['RUNNING', 'FAILED', 'CANCELLED'].map((word): Row => {
    const shown = rewriting((body) => ({
      ...body,
      scan: { ...(isObject(body['scan']) ? body['scan'] : {}), status: word },
    }));
    const service: During['service'] = ({ point }) => (point === 'scans.read' ? shown : undefined);
    return [
      `shows the scan as ${word}`,
      { during: { service }, answer: new RegExp(`${word}, not COMPLETED`) },
    ];
  }),
  [
    'has the token in a project other than `project-id`',
    { comment: { inputs: { 'project-id': 'prj_other' } }, answer: /belongs to project/, exitCode: 1 },
  ],
  [
    'shows no project for the token, if `project-id` is not an id',
    {
      comment: { inputs: { 'project-id': '..' } },
      during: {
        service: ({ point }) => (point === 'token' ? rewriting(() => ({ scopes: ['read'] })) : undefined),
      },
      answer: /project-id is not a valid id/,
      exitCode: 1,
    },
  ],
];

/** How the title describes the answer. */
function endOf({ answer }: Situation): string {
  if (answer === '👍') return 're-runs the job';
  return answer === 'silence' ? 'is ignored' : 'is refused';
}

describe.each([
  ['a comment', COMMENTS],
  ['a pull request', PULL_REQUESTS],
  ['a run', RUNS],
  ['a mark', MARKS],
  ['a service that', SERVICE],
])('`recheck` for %s', (about, rows) => {
  test.each(rows.map(([what, situation]) => [endOf(situation), what, situation] as const))(
    `a \`recheck\` %s for ${about} %s`,
    async (_end, _what, { options, run, before, during, answer, exitCode = 0, ...given }) => {
      const scenario = await blockedPullRequest(options, run, during);
      await before?.(scenario);
      const ledger = scenario.environment.service.ledger();
      const ended = await comment(scenario, given.comment);

      const { attempt, reactions, replies } = seen(scenario);
      const reruns = answer === '👍' ? 1 : 0;
      expect(attempt, ended.log).toBe((run?.attempt ?? 1) + reruns);
      expect(ended.outputs).toEqual({ rerun: String(reruns) });
      expect(ended.exitCode, ended.log).toBe(exitCode);
      expect(reactions).toEqual(answer === 'silence' ? [] : [answer === '👍' ? '+1' : 'confused']);
      expect(replies).toHaveLength(answer instanceof RegExp ? 1 : 0);
      if (answer instanceof RegExp) expect(plain(replies[0] ?? '')).toMatch(answer);
      expect(scenario.environment.service.ledger()).toEqual(ledger);
    },
  );
});

/** Removes the markup from a reply. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/<\/?code>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

test('a comment of a user without access causes one request to GitHub, and none to the service', async () => {
  const scenario = await blockedPullRequest();
  const { github, service } = scenario.environment;
  const before = { github: github.requests.length, service: service.requests.length };
  const ended = await comment(scenario, { author: 'mallory' });
  expect(ended.log).not.toContain('mallory');
  expect(github.requests.slice(before.github).map(({ point }) => point)).toEqual(['permission']);
  expect(service.requests).toHaveLength(before.service);
});

test('a re-run of the triage workflow does not reply to a comment of the day before', async () => {
  const scenario = await blockedPullRequest();
  await comment(scenario, { createdAt: minutesLater(scenario, -24 * 60), runAttempt: 2 });
  expect(seen(scenario)).toMatchObject({ attempt: 1, replies: [] });
});

test('a `recheck` does not re-run the job if a sweep has just re-run the job', async () => {
  let isFirst = true;
  const scenario = await blockedPullRequest({}, undefined, {
    github: ({ point }, { environment }) => {
      const { workflowRuns } = environment.github;
      const [job] = workflowRuns.all[0]?.jobs ?? [];
      if (point === 'job.rerun' && isFirst) workflowRuns.rerun(job?.id ?? 0);
      isFirst = isFirst && point !== 'job.rerun';
      return undefined;
    },
  });
  const ended = await comment(scenario);
  expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
  const { attempt, reactions, replies } = seen(scenario);
  expect([attempt, reactions]).toEqual([2, ['confused']]);
  expect(replies).toEqual([expect.stringContaining('is under way')]);
});
