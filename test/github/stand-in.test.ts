import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanTarget } from '../../src/domain/target.ts';
import { completeCheckRun, createCheckRun } from '../../src/github/check-run.ts';
import { syncComment } from '../../src/github/comment.ts';
import { comparisonIsEmpty, mergeBaseByCompare } from '../../src/github/compare.ts';
import { createGitHub, type GitHubClient } from '../../src/github/octokit.ts';
import { createGitFixture, type GitFixture } from '../../src/sandbox/git-fixture.ts';
import { type GitHubStandIn, startGitHub } from '../../src/sandbox/github/server.ts';
import { FakeClock } from '../fake-clock.ts';

const COMMENT = {
  pullRequest: 5,
  checkName: 'Security scan',
  runId: 1,
  runAttempt: 1,
  state: undefined,
  body: 'one',
  mayCreate: true,
};

// Two readings of GitHub's documents, written apart from each other: here they meet.
let repository: GitFixture;
let standIn: GitHubStandIn;
let github: GitHubClient;
let target: ScanTarget;

beforeEach(async () => {
  repository = await createGitFixture({
    commits: [
      { name: 'fork', files: { 'a.txt': '1\n' } },
      { name: 'main', files: { 'b.txt': '1\n' } },
      { name: 'head', parents: ['fork'], files: { 'c.txt': '1\n2\n' } },
    ],
    branches: { main: 'main', topic: 'head' },
  });
  const headSha = repository.id('head');
  standIn = await startGitHub({
    repository: 'acme/shop',
    directory: repository.dir,
    pullRequests: [{ number: 5, headSha, baseRef: 'main' }],
  });
  const { apiUrl, graphqlUrl } = standIn;
  const environment = { owner: 'acme', repo: 'shop', apiUrl, graphqlUrl };
  const signal = new AbortController().signal;
  github = createGitHub({ token: standIn.token, environment, clock: new FakeClock(), signal });
  target = {
    event: 'pull_request',
    repository: { owner: 'acme', name: 'shop', isPublic: true },
    headSha,
    base: { kind: 'branch', name: 'main' },
    pullRequest: undefined,
  };
});

afterEach(async () => {
  await standIn.close();
  await repository.remove();
});

test('a comparison takes one request', async () => {
  expect(await mergeBaseByCompare(github, target)).toEqual({
    ok: true,
    value: { mergeBase: repository.id('fork') },
  });
  expect(standIn.requests).toHaveLength(1);
  expect(await comparisonIsEmpty(github, repository.id('fork'), target.headSha)).toEqual({
    ok: true,
    value: false,
  });
  expect(await comparisonIsEmpty(github, target.headSha, target.headSha)).toEqual({ ok: true, value: true });
});

test('a check run is created and completed with every annotation', async () => {
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
  expect(await completeCheckRun(github, created.value.id, identity, result)).toMatchObject({
    ok: true,
    value: { annotated: 120, refused: [], url: expect.stringMatching(/^http/) },
  });
  expect(standIn.requests).toHaveLength(4);
  expect(standIn.checkRuns).toHaveLength(1);
});

test('a comment is created, left alone, and updated', async () => {
  const wanted = { ...COMMENT, headSha: target.headSha };
  standIn.addComment({ body: 'chatter' });
  expect(await syncComment(github, wanted)).toMatchObject({ value: { action: 'created' } });
  expect(standIn.requests.map(({ point }) => point)).toEqual(['graphql', 'comments.create', 'comments.list']);
  expect(await syncComment(github, { ...wanted, runId: 2 })).toMatchObject({
    value: { action: 'unchanged' },
  });
  expect(standIn.requests).toHaveLength(4);
  expect(await syncComment(github, { ...wanted, runId: 2, body: 'two' })).toMatchObject({
    value: { action: 'updated' },
  });
  expect(await syncComment(github, wanted)).toMatchObject({ value: { action: 'superseded' } });
  standIn.setHead(5, repository.id('main'));
  expect(await syncComment(github, { ...wanted, runId: 9 })).toMatchObject({
    value: { action: 'superseded' },
  });
  expect(standIn.comments.map(({ body }) => body.split('\n').at(-1))).toEqual(['chatter', 'two']);
});

test('a comment beyond the first hundred is found; that of a person who copied it is not ours', async () => {
  const wanted = { ...COMMENT, headSha: target.headSha };
  for (let written = 0; written < 100; written += 1) standIn.addComment({ body: 'chatter' });
  expect(await syncComment(github, wanted)).toMatchObject({ value: { action: 'created' } });
  const ours = standIn.comments[100];
  standIn.addComment({ author: 'github-actions', body: ours?.body ?? '' });
  expect(await syncComment(github, { ...wanted, runId: 2, body: 'two' })).toMatchObject({
    value: { url: ours?.htmlUrl, action: 'updated' },
  });
  expect(standIn.comments.slice(100).map(({ body }) => body.split('\n').at(-1))).toEqual(['two', 'one']);
});
