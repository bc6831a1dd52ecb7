import { test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { readGrouping, readMergeQueue } from '../../../src/github/branch-rules.ts';
import { mergeBaseByCompare } from '../../../src/github/compare.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { listOpenPullRequests } from '../../../src/github/open-pull-requests.ts';
import { accountMayWrite, readPullRequestPeople, userMayWrite } from '../../../src/github/people.ts';
import { readPullRequestState } from '../../../src/github/pull-request-state.ts';
import { listJobs, listRunsOfHead, readWorkflowRun, rerunJob } from '../../../src/github/workflow-run.ts';
import { hasRunSince, readWorkflowFiles } from '../../../src/github/workflows.ts';
import type { Reply } from '../../support/answering.ts';
import { content, JOB, NEXT, pullRequestAnswer, pullRequestByRest, WORKFLOW_RUN } from './answers.ts';
import { expectConversations, type Row } from './conversation.ts';
import { SHA } from './samples.ts';

const no = (status: number, message = 'no'): Reply => [status, { message }];
const shows = (body: unknown, headers = {}): Reply => [200, body, headers];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const state = (github: GitHubClient) => readPullRequestState(github, 5);
const byRest = shows(pullRequestByRest());
const FORBIDDEN = { type: 'FORBIDDEN', message: 'Resource not accessible by integration' };
const hides = (...errors: unknown[]) =>
  shows({ data: { viewer: { login: 'a[bot]' }, repository: { pullRequest: null } }, errors });
const down = [no(503), no(503), no(503)];
const withPrevious = (previous: unknown, errors: readonly unknown[]): Reply => {
  const { data } = pullRequestAnswer();
  return shows({ data: { ...data, repository: { ...data.repository, previous } }, errors });
};
const hidden = (...path: string[]) => ({ ...FORBIDDEN, path: ['repository', ...path] });
const STATES: readonly Row[] = [
  ['a base branch withheld with an error', state, shows({ ...pullRequestAnswer(), errors: [FORBIDDEN] })],
  [
    'a previous head that the token may not read',
    (github) => readPullRequestState(github, 5, SHA.other),
    withPrevious(null, [hidden('previous', 'checkSuites')]),
  ],
  [
    'comments and a previous head that the token may not read',
    (github) => readPullRequestState(github, 5, SHA.other),
    withPrevious(null, [hidden('previous'), hidden('pullRequest', 'comments')]),
  ],
  ['GraphQL is down', state, ...down, byRest],
  ['GraphQL forbids the read', state, hides(FORBIDDEN), byRest],
  ['a refusal by GraphQL and REST', state, hides(FORBIDDEN), no(403)],
  ['a refusal by GraphQL, with REST down', state, hides(FORBIDDEN), ...down],
  ['a refusal by REST alone', state, hides(), no(403)],
  ['an unknown pull request', state, hides({ type: 'NOT_FOUND' }), no(404)],
  ['a rate limit of GraphQL and REST', state, hides({ type: 'RATE_LIMITED' }), no(429), no(429)],
  [
    'a rate limit that GraphQL reports as forbidden',
    state,
    hides({ type: 'FORBIDDEN', message: 'API rate limit exceeded for installation ID 4711.' }),
    no(429),
    no(429),
  ],
  ['a failure of GraphQL and REST', state, hides(), ...down],
  ['a hostile list of errors', state, hides('FORBIDDEN', null, { type: ['FORBIDDEN'] }), ...down],
];

const list = (github: GitHubClient) => listOpenPullRequests(github, 'Security scan');
const listed = (number: number, endCursor: string | null = null): Reply => {
  const nodes = [{ number, headRefOid: SHA.head, commits: null }];
  const pageInfo = { hasNextPage: endCursor !== null, endCursor };
  return shows({ data: { repository: { pullRequests: { pageInfo, nodes } } } });
};
const OPEN: readonly Row[] = [
  ['open pull requests on two pages', list, listed(7, 'next'), listed(8)],
  ['open pull requests on more than six pages', list, ...numbers(6).map(() => listed(7, 'next'))],
  ['open pull requests, with a refusal of the second page', list, listed(7, 'next'), no(403)],
  ['more open pull requests than REST lists', list, no(403), shows([], NEXT)],
];

const grouping = (github: GitHubClient) => readGrouping(github, 'release/1.x');
const rule = (grouping: unknown) => ({ type: 'merge_queue', parameters: { grouping_strategy: grouping } });
const queue = (mergeQueue: unknown) => shows({ data: { repository: { mergeQueue } } });
const strategy = (mergingStrategy: string) => queue({ configuration: { mergingStrategy } });
const REFUSAL = shows({ data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] });
const REFUSALS = shows({
  data: { repository: null },
  errors: ['One.', 'Two.'].map((message) => ({ type: 'FORBIDDEN', message })),
});
const mergeQueue = (github: GitHubClient) =>
  readMergeQueue(github, 'main', ok({ rules: [], complete: true }));
const OTHERS = [{ type: 'deletion' }, { type: 7 }, null];
const GROUPINGS: readonly Row[] = [
  ['rules with ALLGREEN', grouping, shows([rule('ALLGREEN'), rule('ALLGREEN'), ...OTHERS])],
  ['rules with HEADGREEN', grouping, shows([rule('HEADGREEN')])],
  ['different rules', grouping, shows([rule('ALLGREEN'), rule('HEADGREEN')])],
  ['a rule without parameters', grouping, shows([rule('ALLGREEN'), { type: 'merge_queue' }])],
  ['an unknown grouping', grouping, shows([rule('ALLGREEN'), rule('SOMETHING_NEW')])],
  ['several pages of rules', grouping, shows([rule('ALLGREEN')], NEXT), strategy('HEADGREEN')],
  ['no rule, but a queue with ALLGREEN', grouping, shows(OTHERS), strategy('ALLGREEN')],
  ['unreadable rules, and no queue', grouping, no(403), queue(null)],
  ['unreadable rules, and an unreadable queue', grouping, no(403), REFUSAL],
  ['a refusal for two reasons', mergeQueue, REFUSALS],
  ['an answer after a failure', mergeQueue, no(502), strategy('ALLGREEN')],
];

const COMMIT = { sha: SHA.head, author: null, committer: null, parents: [], commit: {} };
const PULL = shows({ user: null, head: { sha: SHA.head }, commits: 250 });
const commits = (count: number, headers = {}) =>
  shows(
    numbers(count).map(() => COMMIT),
    headers,
  );
const FULL = commits(100, NEXT);
const people = (github: GitHubClient) => readPullRequestPeople(github, 7);
const PEOPLE: readonly Row[] = [
  ['a deleted account', (github) => accountMayWrite(github, '', 'read it')],
  ['a user without a login', (github) => userMayWrite(github, { login: '', id: 5 })],
  ['every page of commits', people, PULL, FULL, FULL, commits(50)],
  ['more than three pages of commits', people, PULL, FULL, FULL, FULL],
  [
    'no shared history',
    (github) => mergeBaseByCompare(github, { base: SHA.other, head: SHA.head }),
    no(404, `No common ancestor between ${SHA.other} and ${SHA.head}.`),
  ],
];

const files = (github: GitHubClient) => readWorkflowFiles(github, SHA.head);
const entry = (name: string, type = 'file') => ({ type, path: `.github/workflows/${name}` });
const NAMES = numbers(31).map((index) => `w${index}.yml`);
const EVENT = { path: '.github/workflows/scangate.yml', event: 'pull_request_target', since: '2026-01-02' };
const hasRun = (github: GitHubClient) => hasRunSince(github, EVENT);
const runs = (...ids: number[]) =>
  shows({ workflow_runs: ids.map((id) => ({ id, head_sha: SHA.head, conclusion: null })) });
const jobs = (...steps: unknown[]) => shows({ jobs: steps.map((one) => ({ steps: one })) });
const WORKFLOWS: readonly Row[] = [
  [
    'YAML files among others',
    files,
    shows([entry('ci.yml'), entry('notes.md'), entry('old', 'dir'), entry('scangate.yaml')]),
    shows(content('the second file')),
    shows(content('the first filä')),
  ],
  [
    '31 files',
    files,
    shows(NAMES.map((name) => entry(name))),
    ...NAMES.slice(1).map((name) => shows(content(name))),
  ],
  ['a job with steps', hasRun, runs(3, 2), jobs([]), jobs(null, [{ name: 'Set up job' }])],
  ['jobs without steps', hasRun, runs(3, 2), jobs(), jobs([])],
  [
    'more than one page of runs',
    (github) => listRunsOfHead(github, { workflowId: 5, headSha: SHA.head }),
    shows({ workflow_runs: [WORKFLOW_RUN] }, NEXT),
  ],
  [
    'too many pages of jobs',
    (github) => listJobs(github, 100),
    ...numbers(5).map(() => shows({ jobs: [JOB] }, NEXT)),
  ],
];

/** Reads the run, then asks for a re-run of its job. */
const rerun = async (github: GitHubClient) => {
  const read = await readWorkflowRun(github, WORKFLOW_RUN.id);
  return read.ok ? rerunJob(github, JOB.id, read.value) : read;
};
const run = (changes: object = {}) => shows({ ...WORKFLOW_RUN, ...changes });
const rerunRow = (what: string, ...replies: Reply[]): Row => [`re-run: ${what}`, rerun, run(), ...replies];
const LOST: Reply = [502, 'Bad Gateway'];
const DONE: Reply = [201, {}];
const RERUNS: readonly Row[] = [
  rerunRow('accepted', DONE),
  rerunRow('refused', no(403)),
  rerunRow('a lost answer, and a new attempt', LOST, run({ run_attempt: 2 })),
  rerunRow('a lost answer, and the run has started', LOST, run({ status: 'queued' })),
  rerunRow('a lost request', LOST, run(), DONE),
  rerunRow('two lost requests', LOST, run(), LOST, run()),
  rerunRow(
    'a lost answer, and GitHub shows the new attempt late',
    LOST,
    run(),
    no(403, 'This workflow is already running'),
    run({ status: 'in_progress', run_attempt: 2 }),
  ),
  rerunRow('a lost answer, and the run cannot be read', LOST, no(404)),
  rerunRow('an unexpected answer, and a new attempt', no(200, 'maintenance'), run({ run_attempt: 2 })),
];

test('each function sends the requests that earlier answers call for, and no others', async () => {
  await expectConversations('conversations', [
    ...STATES,
    ...OPEN,
    ...GROUPINGS,
    ...PEOPLE,
    ...WORKFLOWS,
    ...RERUNS,
  ]);
});
