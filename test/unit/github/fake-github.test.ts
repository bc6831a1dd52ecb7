import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { type FakeGitHub, startFakeGitHub } from '../../../sandbox/github/server.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import { readGrouping } from '../../../src/github/branch-rules.ts';
import { completeCheckRun, createCheckRun } from '../../../src/github/check-run.ts';
import { type CommentContent, syncComment, type WantedComment } from '../../../src/github/comment.ts';
import { comparisonIsEmpty, mergeBaseByCompare, readCommitTree } from '../../../src/github/compare.ts';
import { readBlob, readTree } from '../../../src/github/git-tree.ts';
import { createGitHub, type GitHubClient } from '../../../src/github/octokit.ts';
import { readBranchTip, readPullRequestState } from '../../../src/github/pull-request-state.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { type SharedRepository, sharedRepository } from '../../support/shared-repository.ts';

const COMMENT = {
  pullRequest: 5,
  checkName: 'Security scan',
  runId: 1,
  runAttempt: 1,
  state: '',
  body: 'one',
  mayCreate: true,
};

const sync = (wanted: WantedComment & CommentContent) => syncComment(github, wanted, () => wanted);

const HEAD_FILES = {
  'c.txt': '1\n2\n',
  'folder/long.txt': 'é'.repeat(150),
  link: { symlinkTo: 'a.txt' },
  module: { submodule: '5'.repeat(40) },
  run: { executable: '' },
};

const REPOSITORY: FixtureDescription = {
  commits: [
    { name: 'fork', files: { 'a.txt': '1\n' } },
    { name: 'main', files: { 'b.txt': '1\n' } },
    { name: 'head', parents: ['fork'], files: HEAD_FILES },
  ],
  branches: { main: 'main', topic: 'head' },
};

// Both the fake GitHub and the client follow GitHub's documentation. These tests check that they agree.
let repository: SharedRepository;
let fake: FakeGitHub;
let github: GitHubClient;
let target: ScanTarget;

beforeEach(async () => {
  repository = await sharedRepository(REPOSITORY);
  const headSha = repository.id('head');
  fake = await startFakeGitHub({
    repository: 'acme/shop',
    directory: repository.dir,
    pullRequests: [{ number: 5, headSha, baseRef: 'main' }],
  });
  const { apiUrl, graphqlUrl } = fake;
  const environment = { owner: 'acme', repo: 'shop', apiUrl, graphqlUrl };
  github = createGitHub({ token: fake.token, environment, clock: new FakeClock(), fetch }).until(
    NEVER_ABORTED,
  );
  target = {
    event: 'pull_request',
    repository: { owner: 'acme', name: 'shop', isPublic: true },
    headSha,
    base: { kind: 'branch', name: 'main', tip: repository.id('main') },
    secretsWithheld: false,
    pullRequest: undefined,
  };
});

afterEach(async () => {
  await fake.close();
});

test('the fake GitHub compares commits in one request', async () => {
  expect(await mergeBaseByCompare(github, { base: repository.id('main'), head: target.headSha })).toEqual({
    ok: true,
    value: {
      sha: repository.id('fork'),
      tree: await repository.git('rev-parse', `${repository.id('fork')}^{tree}`),
    },
  });
  expect(fake.requests).toHaveLength(1);
  expect(await comparisonIsEmpty(github, repository.id('fork'), target.headSha)).toEqual({
    ok: true,
    value: false,
  });
  expect(await comparisonIsEmpty(github, target.headSha, target.headSha)).toEqual({
    ok: true,
    value: true,
  });
});

test('the fake GitHub shows the tree id of a commit', async () => {
  expect(await readCommitTree(github, target.headSha)).toEqual({
    ok: true,
    value: await repository.git('rev-parse', `${target.headSha}^{tree}`),
  });
  expect(await readCommitTree(github, 'f'.repeat(40))).toMatchObject({
    error: { kind: 'not-found' },
  });
});

test('the fake GitHub shows folders and files by their ids', async () => {
  const root = await readTree(github, target.headSha);
  if (!root.ok) throw new Error(root.error.message);
  expect([...root.value].map(([name, { kind, size }]) => [name, kind, size])).toEqual([
    ['a.txt', 'file', 2],
    ['c.txt', 'file', 4],
    ['folder', 'folder', undefined],
    ['link', 'symlink', 5],
    ['module', 'submodule', undefined],
    ['run', 'file', 0],
  ]);
  expect(root.value.get('module')?.sha).toBe('5'.repeat(40));
  const folder = await readTree(github, root.value.get('folder')?.sha ?? '');
  expect(folder).toMatchObject({ ok: true, value: new Map([['long.txt', { kind: 'file', size: 300 }]]) });
  const long = folder.ok ? folder.value.get('long.txt')?.sha : undefined;
  expect(await readBlob(github, long ?? '')).toEqual({
    ok: true,
    value: Buffer.alloc(300, 'é'),
  });
  for (const read of [readTree, readBlob]) {
    expect(await read(github, 'f'.repeat(40))).toMatchObject({ error: { kind: 'not-found' } });
  }
});

test('the fake GitHub creates and completes a check run with every annotation', async () => {
  const identity = { name: 'Security scan', headSha: target.headSha, externalId: 'ours' };
  const output = { title: 't', summary: 's', text: '' };
  const created = await createCheckRun(github, identity, output);
  if (!created.ok) throw new Error(created.error.message);
  const annotation = {
    path: 'c.txt',
    startLine: 1,
    endLine: 2,
    level: 'failure',
    title: 't',
    message: 'm',
  } as const;
  const annotations = Array.from({ length: 120 }, () => ({ ...annotation, rawDetails: undefined }));
  const result = { conclusion: 'failure', output, annotations } as const;
  expect(await completeCheckRun(github, created.value.id, identity, result, true)).toMatchObject({
    ok: true,
    value: { annotated: 120, refused: [], url: expect.stringMatching(/^http/) },
  });
  expect(fake.requests).toHaveLength(4);
  expect(fake.checkRuns).toHaveLength(1);
});

test('with the fake GitHub, syncComment creates a comment, and updates it only if the text changes', async () => {
  const wanted = { ...COMMENT, headSha: target.headSha };
  fake.addComment({ body: 'chatter' });
  expect(await sync(wanted)).toMatchObject({ value: { action: 'created' } });
  expect(fake.requests.map(({ point }) => point)).toEqual(['graphql', 'comments.create', 'comments.list']);
  expect(await sync({ ...wanted, runId: 2 })).toMatchObject({
    value: { action: 'unchanged' },
  });
  expect(fake.requests).toHaveLength(4);
  expect(await sync({ ...wanted, runId: 2, body: 'two' })).toMatchObject({
    value: { action: 'updated' },
  });
  expect(await sync(wanted)).toMatchObject({ value: { action: 'superseded' } });
  fake.setHead(5, repository.id('main'));
  expect(await sync({ ...wanted, runId: 9 })).toMatchObject({
    value: { action: 'other-head' },
  });
  expect(fake.comments.map(({ body }) => body.split('\n').at(-1))).toEqual(['chatter', 'two']);
});

test('syncComment finds its comment after a hundred other comments, and does not update a copy', async () => {
  const wanted = { ...COMMENT, headSha: target.headSha };
  for (let written = 0; written < 100; written += 1) fake.addComment({ body: 'chatter' });
  expect(await sync(wanted)).toMatchObject({ value: { action: 'created' } });
  const ours = fake.comments[100];
  fake.addComment({ author: 'github-actions', body: ours?.body ?? '' });
  expect(await sync({ ...wanted, runId: 2, body: 'two' })).toMatchObject({
    value: { url: ours?.htmlUrl, action: 'updated' },
  });
  expect(fake.comments.slice(100).map(({ body }) => body.split('\n').at(-1))).toEqual(['two', 'one']);
});

describe('the pull request of the fake GitHub', () => {
  const read = async () => {
    const state = await readPullRequestState(github, 5);
    if (!state.ok) throw new Error(state.error.message);
    return state.value;
  };

  test('the fake GitHub shows the pull request in one request, with the tip of its base branch', async () => {
    expect(await read()).toEqual({
      viewer: 'github-actions[bot]',
      isOpen: true,
      inPublic: true,
      updatedAt: expect.any(Date),
      headSha: target.headSha,
      headTree: await repository.git('rev-parse', `${target.headSha}^{tree}`),
      baseName: 'main',
      baseTip: { kind: 'commit', sha: repository.id('main') },
      comments: [],
    });
    expect(fake.requests.map(({ point }) => point)).toEqual(['graphql']);
  });

  test('the fake GitHub gives the pull request a later time after each push and each edit', async () => {
    const times = [(await read()).updatedAt];
    const readAfter = async (change: () => void) => {
      change();
      const state = await read();
      times.push(state.updatedAt);
      return state;
    };
    expect(await readAfter(() => fake.setHead(5, repository.id('main')))).toMatchObject({
      headSha: repository.id('main'),
    });
    expect(await readAfter(() => fake.setBase(5, 'topic'))).toMatchObject({
      baseName: 'topic',
      baseTip: { kind: 'commit', sha: repository.id('head') },
    });
    expect(await readAfter(() => fake.setBase(5, 'nowhere'))).toMatchObject({ baseTip: { kind: 'gone' } });
    expect(await readAfter(() => fake.edit(5, { title: 'Another' }))).toMatchObject({ isOpen: true });
    expect(await readAfter(() => fake.edit(5, { state: 'merged' }))).toMatchObject({ isOpen: false });
    expect(times.map(Number)).toEqual([...new Set(times.map(Number))].toSorted((a, b) => a - b));
  });

  test('the fake GitHub shows the same pull request by REST as by GraphQL', async () => {
    const byGraphql = await read();
    const noGraphql = { ...github, graphqlUrl: `${fake.origin}/nowhere` };
    expect(await readPullRequestState(noGraphql, 5)).toEqual({
      ok: true,
      value: { ...byGraphql, headTree: undefined, baseTip: undefined, comments: undefined },
    });
    fake.edit(5, { state: 'merged' });
    expect(await readPullRequestState(noGraphql, 5)).toMatchObject({
      value: { isOpen: false },
    });
  });

  test('the fake GitHub hides a private pull request from a token without `pull-requests: read`', async () => {
    const closed = await startFakeGitHub({
      repository: 'acme/shop',
      directory: repository.dir,
      visibility: 'private',
      pullRequests: [{ number: 5, headSha: target.headSha, baseRef: 'main' }],
      permissions: { contents: 'read' },
    });
    const { apiUrl, graphqlUrl, token } = closed;
    const environment = { owner: 'acme', repo: 'shop', apiUrl, graphqlUrl };
    const client = createGitHub({ token, environment, clock: new FakeClock(), fetch }).until(NEVER_ABORTED);
    const state = await readPullRequestState(client, 5);
    await closed.close();
    expect(state).toMatchObject({ error: { kind: 'forbidden', permission: 'pull-requests: read' } });
  });
});

test('the fake GitHub shows the tip of a branch by its ref', async () => {
  expect(await readBranchTip(github, 'main')).toEqual({
    ok: true,
    value: { kind: 'commit', sha: repository.id('main') },
  });
  expect(await readBranchTip(github, 'nowhere')).toEqual({
    ok: true,
    value: { kind: 'gone' },
  });
});

test.each([
  ['ALLGREEN', 'equal rules', { rules: ['ALLGREEN', 'ALLGREEN'], mergingStrategy: 'HEADGREEN' }, 1],
  ['HEADGREEN', 'different rules', { rules: ['ALLGREEN', 'HEADGREEN'], mergingStrategy: 'ALLGREEN' }, 1],
  ['HEADGREEN', 'a merge queue without a rule', { rules: [], mergingStrategy: 'HEADGREEN' }, 2],
  [undefined, 'a branch without a merge queue', undefined, 2],
] as const)(
  'with the fake GitHub, readGrouping returns %s for %s',
  async (grouping, _what, queue, requests) => {
    const queued = await startFakeGitHub({
      repository: 'acme/shop',
      directory: repository.dir,
      ...(queue === undefined ? {} : { mergeQueues: { main: queue } }),
    });
    const { apiUrl, graphqlUrl, token } = queued;
    const environment = { owner: 'acme', repo: 'shop', apiUrl, graphqlUrl };
    const client = createGitHub({ token, environment, clock: new FakeClock(), fetch }).until(NEVER_ABORTED);
    const read = await readGrouping(client, 'main');
    await queued.close();
    expect(read).toBe(grouping);
    expect(queued.requests).toHaveLength(requests);
  },
);
