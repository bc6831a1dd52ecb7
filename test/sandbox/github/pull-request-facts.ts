import { happens } from '../play.ts';
import type { Fact, Server } from './facts.ts';

const COMMENTS = 'rest/issues/comments#create-an-issue-comment';
const LIST = 'rest/issues/comments#list-issue-comments';
const PULL = 'rest/pulls/pulls#get-a-pull-request';
const ACCESS = 'rest/authentication/permissions-required-for-github-apps';
const RERUN = 'rest/actions/workflow-runs#re-run-a-job-from-a-workflow-run';
const COMMENT = ['POST issues/7/comments', { body: 'x' }] as const;
const READS = [
  'GET compare/main...topic',
  'GET pulls/7',
  'GET issues/7/comments',
  'GET commits/main/check-runs',
] as const;
const MONTH_MS = 30 * 24 * 60 * 60_000;
const ACTIONS = { actions: 'write', 'pull-requests': 'read' } as const;

export const PULL_REQUEST_FACTS: readonly Fact[] = [
  {
    name: 'a token without permissions reads a public repository',
    page: ACCESS,
    options: { permissions: {} },
    steps: [...READS, COMMENT],
  },
  {
    name: 'a token without permissions reads nothing of a private repository',
    page: ACCESS,
    options: { permissions: {}, visibility: 'private' },
    steps: READS,
  },
  { name: 'a public repository', page: ACCESS, as: 'anonymous', steps: [...READS, COMMENT] },
  {
    name: 'a private repository',
    page: ACCESS,
    as: 'anonymous',
    options: { visibility: 'private' },
    steps: [...READS, COMMENT],
  },
  {
    name: 'a public repository',
    page: ACCESS,
    as: 'a wrong token',
    steps: [...READS, 'GET /user', 'GET /repos/octo-org/other', 'GET commits/{t3}/pulls'],
  },
  {
    name: 'a check run needs `checks: write`',
    page: ACCESS,
    options: { permissions: { checks: 'read', contents: 'write' } },
    steps: [
      ['POST check-runs', { name: 'n', head_sha: '{t3}' }],
      happens<Server>('the permission is granted', ({ github }) => (github.permissions.checks = 'write')),
      ['POST check-runs', { name: 'n', head_sha: '{t3}' }],
      'GET /user',
    ],
  },
  {
    name: 'a comment needs `issues: write` or `pull-requests: write`',
    page: ACCESS,
    options: { permissions: { issues: 'write' } },
    steps: [
      COMMENT,
      happens<Server>('read access to both', ({ github }) =>
        Object.assign(github.permissions, { issues: 'read', 'pull-requests': 'read', checks: 'write' }),
      ),
      COMMENT,
      happens<Server>(
        'write access to pull requests',
        ({ github }) => (github.permissions['pull-requests'] = 'write'),
      ),
      COMMENT,
    ],
  },
  {
    name: 'a body must be JSON',
    page: 'rest/using-the-rest-api/troubleshooting-the-rest-api',
    steps: [['POST check-runs', '{']],
  },
  {
    name: 'a collaborator has a permission, the owner is an admin, and all others may read',
    page: 'rest/collaborators/collaborators#get-repository-permissions-for-a-user',
    options: { collaborators: { alice: 'maintain', bob: 'none', carol: 'triage' } },
    steps: ['Alice', 'bob', 'carol', 'octo-org', 'other'].map(
      (login) => `GET collaborators/${login}/permission`,
    ),
    show: 'permission role_name',
  },
  {
    name: 'a pull request shows its current head, base and state',
    page: PULL,
    steps: [
      happens<Server>('a push', ({ github, id }) => github.setHead(7, id('t2'))),
      'GET pulls/7',
      happens<Server>('another base, and a merge', ({ github }) => {
        github.setBase(7, 'topic');
        github.edit(7, { state: 'merged' });
      }),
      'GET pulls/7',
      'GET pulls',
      'GET pulls/8',
    ],
    show: 'number state merged updated_at head.sha head.repo.full_name base.ref base.sha *.number',
  },
  {
    name: 'a pull request whose fork was deleted has no head repository',
    page: PULL,
    options: { pullRequests: [{ number: 9, headSha: '', baseRef: 'main', headRepository: null }] },
    steps: ['GET pulls/9', 'GET pulls'],
    show: 'head.repo base.repo.visibility *.number',
  },
  {
    name: 'the pull requests of a commit have it as their head or their merge commit',
    page: 'rest/commits/commits#list-pull-requests-associated-with-a-commit',
    steps: [
      'GET commits/{t3}/pulls',
      'GET commits/{main}/pulls',
      happens<Server>('a merge', ({ github, id }) =>
        github.edit(7, { state: 'merged', mergeCommitSha: id('main') }),
      ),
      'GET commits/{main}/pulls',
      happens<Server>('closed without a merge', ({ github }) =>
        github.edit(7, { state: 'closed', mergeCommitSha: null }),
      ),
      'GET commits/{t3}/pulls',
      `GET commits/${'f'.repeat(40)}/pulls`,
    ],
    show: '*.number *.merged *.merge_commit_sha *.head.sha',
  },
  {
    name: 'the pull requests of a commit need `pull-requests: read` in a private repository',
    page: ACCESS,
    options: { visibility: 'private', permissions: { contents: 'read' } },
    steps: ['GET commits/{t3}/pulls'],
  },
  {
    name: 'a comment of the workflow token is from github-actions[bot], which can change and delete it',
    page: COMMENTS,
    steps: [
      ['POST issues/7/comments', { body: 'hello' }],
      ['PATCH issues/comments/5000000001', { body: 'bye' }],
      'GET issues/comments/5000000001',
      'DELETE issues/comments/5000000001',
      'GET issues/comments/5000000001',
      ['PATCH issues/comments/5000000001', { body: 'x' }],
      'DELETE issues/comments/5000000001',
      'GET issues/8/comments',
      ['POST issues/8/comments', { body: 'x' }],
    ],
    show: 'id body user.login user.type html_url',
  },
  {
    name: 'a comment keeps its author when another account changes its text',
    page: 'rest/issues/comments#update-an-issue-comment',
    before: (github) => void github.addComment({ author: 'mallory', body: 'mine' }),
    steps: [['PATCH issues/comments/5000000001', { body: 'changed' }], 'GET issues/7/comments'],
    show: 'body user *.body *.user',
  },
  {
    name: 'a page has 30 comments by default, and at most 100',
    page: LIST,
    before: (github) => {
      for (let at = 1; at <= 130; at += 1) github.addComment({ body: `c${at}` });
      github.addComment({ issue: 8, body: 'elsewhere' });
    },
    steps: [
      'GET issues/7/comments',
      'GET issues/7/comments?per_page=500',
      'GET issues/7/comments?per_page=500&page=2',
    ],
    show: 'length 0.body',
  },
  {
    name: 'a comment has between 1 and 65,536 characters',
    page: COMMENTS,
    steps: [
      ['POST issues/7/comments', { body: 'ä'.repeat(65_536) }],
      ['POST issues/7/comments', { body: 'x'.repeat(65_537) }],
      ['POST issues/7/comments', { body: ' ' }],
      ['POST issues/7/comments', { body: 5 }],
      ['POST issues/7/comments', {}],
    ],
    show: 'id',
  },
  {
    name: 'a comment gets at most one reaction of each kind',
    page: 'rest/reactions/reactions#create-reaction-for-an-issue-comment',
    before: (github) => void github.addComment({ body: 'hello' }),
    steps: [
      ['POST issues/comments/5000000001/reactions', { content: '+1' }],
      ['POST issues/comments/5000000001/reactions', { content: '+1' }],
      ['POST issues/comments/5000000001/reactions', { content: 'eyes' }],
      ['POST issues/comments/5000000001/reactions', { content: 'clap' }],
      ['POST issues/comments/1/reactions', { content: '+1' }],
    ],
    show: 'id content user.login',
  },
  {
    name: 'a workflow run is found by its id, and by its workflow and head',
    page: 'rest/actions/workflow-runs#list-workflow-runs-for-a-workflow',
    options: { permissions: ACTIONS },
    before: (github) => void github.workflowRuns.put({ id: 100, headSha: 'c'.repeat(40) }),
    steps: [
      'GET actions/runs/100',
      'GET actions/runs/101',
      `GET actions/workflows/1/runs?head_sha=${'c'.repeat(40)}`,
      `GET actions/workflows/1/runs?head_sha=${'0'.repeat(40)}`,
      'GET actions/workflows/2/runs',
    ],
    show: 'id run_attempt head_sha event status conclusion total_count workflow_runs.*.id',
  },
  {
    name: 'after a re-run, the older attempts of a job are listed only on request',
    page: RERUN,
    options: { permissions: ACTIONS },
    before: (github) =>
      void github.workflowRuns.put({
        id: 100,
        headSha: 'c'.repeat(40),
        jobs: [
          ['test', 'success'],
          ['scangate', 'failure'],
        ],
      }),
    steps: [
      ['POST actions/jobs/700002/rerun', {}],
      'GET actions/runs/100',
      'GET actions/runs/100/jobs',
      'GET actions/runs/100/jobs?filter=all',
      'GET actions/runs/101/jobs',
      ['POST actions/jobs/700002/rerun', {}],
      happens<Server>('the attempt succeeds', ({ github }) => github.workflowRuns.complete(100, 'success')),
      'GET actions/runs/100',
    ],
    show: 'run_attempt status conclusion triggering_actor jobs.*.name jobs.*.run_attempt jobs.*.conclusion',
  },
  {
    name: 'a job cannot be re-run after a month, or more than 50 times',
    page: RERUN,
    options: { permissions: ACTIONS },
    before({ workflowRuns }) {
      const run = { headSha: 'c'.repeat(40) };
      workflowRuns.put({ ...run, id: 100, createdAt: new Date(Date.now() - MONTH_MS) });
      workflowRuns.put({ ...run, id: 101, attempt: 51 });
      workflowRuns.put({ ...run, id: 102, attempt: 50, createdAt: new Date(Date.now() - MONTH_MS + 60_000) });
    },
    steps: ['700001', '700002', '700003', '1'].map((job) => `POST actions/jobs/${job}/rerun`),
  },
  {
    name: 'a re-run needs `actions: write`',
    page: ACCESS,
    options: { permissions: { actions: 'read' } },
    before: (github) => void github.workflowRuns.put({ id: 100, headSha: 'c'.repeat(40) }),
    steps: ['POST actions/jobs/700001/rerun', 'GET actions/runs/100'],
  },
];
