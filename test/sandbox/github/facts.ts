import type { FakeGitHub, GitHubOptions } from '../../../sandbox/github/server.ts';
import type { Circumstances, Player } from '../play.ts';
import { COMMITS, setup } from './fixture.ts';

const MONTH_MS = 30 * 24 * 60 * 60_000;
const RUN = { id: 100, headSha: 'c'.repeat(40) };

/** The setups that the tables name. */
const SETUPS: Readonly<Record<string, Partial<GitHubOptions>>> = {
  'a private repository': { visibility: 'private' },
  'no permissions': { permissions: {} },
  'no permissions for a private repository': { permissions: {}, visibility: 'private' },
  '`contents: read` for a private repository': { permissions: { contents: 'read' }, visibility: 'private' },
  '`pull-requests: read` for a private repository': {
    permissions: { 'pull-requests': 'read' },
    visibility: 'private',
  },
  '`checks: read` and `contents: write`': { permissions: { checks: 'read', contents: 'write' } },
  '`checks: write`, `contents: read` and `pull-requests: read`': {
    permissions: { contents: 'read', checks: 'write', 'pull-requests': 'read' },
  },
  '`issues: write`': { permissions: { issues: 'write' } },
  '`actions: read`': { permissions: { actions: 'read' } },
  '`actions: write`': { permissions: { actions: 'write', 'pull-requests': 'read' } },
  'a maintainer, a user without a role, and a user with the role triage': {
    collaborators: { alice: 'maintain', bob: 'none', carol: 'triage' },
  },
  'a pull request whose fork was deleted': {
    pullRequests: [{ number: 9, headSha: '', baseRef: 'main', headRepository: null }],
  },
  'a merge queue without rules': { mergeQueues: { main: { rules: [], mergingStrategy: 'HEADGREEN' } } },
  'a merge queue with two rules': {
    mergeQueues: { 'feature/with/slash': { rules: ['ALLGREEN', 'HEADGREEN'], mergingStrategy: 'ALLGREEN' } },
  },
  'required checks': {
    requiredChecks: { main: { byRuleset: ['one'], byProtection: ['two'] }, topic: { byRuleset: ['x'] } },
  },
};

/** What happens in the tables. */
const HAPPENINGS: Readonly<Record<string, (github: FakeGitHub, id: (commit: string) => string) => unknown>> =
  {
    'a push': (github, id) => github.setHead(7, id('t2')),
    'a merge': (github, id) => github.edit(7, { state: 'merged', mergeCommitSha: id('main') }),
    'closed without a merge': (github) => github.edit(7, { state: 'closed', mergeCommitSha: null }),
    'another base, and a merge': (github) => {
      github.setBase(7, 'topic');
      github.edit(7, { state: 'merged' });
    },
    'another base that does not exist, and a merge': (github) => {
      github.setBase(7, 'nowhere');
      github.edit(7, { state: 'merged' });
    },
    'octocat writes a comment': (github) => github.addComment({ body: 'hello' }),
    'mallory writes a comment': (github) => github.addComment({ author: 'mallory', body: 'mine' }),
    'the action writes a comment': (github) =>
      github.addComment({ author: 'github-actions[bot]', type: 'Bot', body: 'found' }),
    'a comment on another issue': (github) => github.addComment({ issue: 8, body: 'elsewhere' }),
    '130 comments': (github) => {
      for (let at = 1; at <= 130; at += 1) github.addComment({ body: `c${at}` });
    },
    'a run': (github) => github.workflowRuns.put(RUN),
    'a run of two jobs': (github) =>
      github.workflowRuns.put({
        ...RUN,
        jobs: [
          ['test', 'success'],
          ['scangate', 'failure'],
        ],
      }),
    'a run that is a month old': (github) =>
      github.workflowRuns.put({ ...RUN, createdAt: new Date(Date.now() - MONTH_MS) }),
    'a run with 51 attempts': (github) => github.workflowRuns.put({ ...RUN, id: 101, attempt: 51 }),
    'a run with 50 attempts that is nearly a month old': (github) =>
      github.workflowRuns.put({
        ...RUN,
        id: 102,
        attempt: 50,
        createdAt: new Date(Date.now() - MONTH_MS + 60_000),
      }),
    'the attempt succeeds': (github) => github.workflowRuns.complete(RUN.id, 'success'),
    '`checks: write` is granted': (github) => Object.assign(github.permissions, { checks: 'write' }),
    'only read access to issues and pull requests': (github) =>
      Object.assign(github.permissions, { issues: 'read', 'pull-requests': 'read', checks: 'write' }),
    'write access to pull requests': (github) =>
      Object.assign(github.permissions, { 'pull-requests': 'write' }),
  };

/** Opens a fake GitHub for a section of a table. Without `as`, the requests have the workflow token. */
export async function openGitHub({ with: setupName = '', as }: Circumstances): Promise<Player> {
  const options = SETUPS[setupName];
  if (options === undefined && setupName !== '') throw new Error(`there is no setup ${setupName}`);
  const { github, repo, call } = await setup(options);
  const authorization = as === 'anonymous' ? '' : as === 'a wrong token' ? 'Bearer ghs_wrong' : undefined;
  return {
    call: (method, path, body) => call(method, path, body, authorization),
    ids: () => new Map(COMMITS.map((commit) => [commit, repo.id(commit)])),
    happens(what) {
      const happen = HAPPENINGS[what];
      return happen && (() => happen(github, repo.id));
    },
    steady: (text) =>
      text
        .replaceAll(github.serverUrl, 'SERVER')
        .replaceAll(/20(?!24-01)\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME'),
  };
}
