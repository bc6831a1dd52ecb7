import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import nock from 'nock';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { findDiffBase } from '../src/diff-base.ts';
import { Stop } from '../src/domain/stop.ts';
import type { ScanTarget } from '../src/domain/target.ts';
import { readEnvironment } from '../src/github/environment.ts';
import { createGitFixture, type FixtureDescription } from '../src/sandbox/git-fixture.ts';
import { git } from '../src/sandbox/git-process.ts';
import { FakeClock } from './fake-clock.ts';
import { serveGit } from './git/http-backend.ts';
import { client, github, SHA, TOKEN } from './github/client.ts';
import { sampleReport } from './report/sample-report.ts';

afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});

const compare = (head: string, page = 2) => `/repos/acme/shop/compare/main...${head}?per_page=1&page=${page}`;

function targetAt(headSha: string): ScanTarget {
  const { target } = sampleReport([]);
  if (target === undefined) throw new Error('the sample report has no target');
  return { ...target, headSha };
}

/** A world whose git server is the given one; by default one that does not answer. */
async function world(serverUrl = 'http://127.0.0.1:9', signal = new AbortController().signal) {
  const runnerTemp = await mkdtemp(path.join(tmpdir(), 'scangate-diff-base-'));
  onTestFinished(() => rm(runnerTemp, { recursive: true, force: true }));
  const environment = readEnvironment({
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: '/event.json',
    GITHUB_SERVER_URL: serverUrl,
    RUNNER_TEMP: runnerTemp,
  });
  if (!environment.ok) throw new Error(environment.error.cause);
  return {
    github: client({ signal }),
    githubToken: TOKEN,
    environment: environment.value,
    clock: new FakeClock({ auto: false }),
    signal,
  };
}

/** A repository behind a git server, with the ids of its commits. */
async function hosted(description: FixtureDescription) {
  const root = await mkdtemp(path.join(tmpdir(), 'scangate-diff-base-srv-'));
  const fixture = await createGitFixture({ ...description, bare: true });
  await mkdir(path.join(root, 'acme'));
  await rename(fixture.dir, path.join(root, 'acme', 'shop'));
  await git(path.join(root, 'acme', 'shop'), ['config', 'uploadpack.allowFilter', 'true']);
  const server = await serveGit(root, { token: TOKEN });
  onTestFinished(async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  });
  return { ...fixture, url: server.url };
}

test('the input wins, and nobody is asked', async () => {
  expect(await findDiffBase(await world(), targetAt(SHA.head), SHA.other)).toEqual({
    ok: true,
    value: { baseCommit: SHA.other, headCommit: SHA.head, how: 'input' },
  });
});

test("GitHub's comparison answers in one request", async () => {
  github()
    .get(compare(SHA.head))
    .reply(200, { merge_base_commit: { sha: SHA.base } });
  expect(await findDiffBase(await world(), targetAt(SHA.head), undefined)).toEqual({
    ok: true,
    value: { baseCommit: SHA.base, headCommit: SHA.head, how: 'compare' },
  });
});

test('where it cannot answer, git does', async () => {
  const repository = await hosted({
    commits: [
      { name: 'start', files: { a: '1' } },
      { name: 'head', files: { a: '2' } },
      { name: 'main', parents: ['start'], files: { b: '1' } },
    ],
    branches: { main: 'main', change: 'head' },
  });
  const head = repository.id('head');
  github().get(compare(head)).times(3).reply(503);
  expect(await findDiffBase(await world(repository.url), targetAt(head), undefined)).toEqual({
    ok: true,
    value: { baseCommit: repository.id('start'), headCommit: head, how: 'git' },
  });
});

test('several merge bases are no reason to guess', async () => {
  const repository = await hosted({
    commits: [
      { name: 'start', files: { a: '1' } },
      { name: 'left', parents: ['start'], files: { l: '1' } },
      { name: 'right', parents: ['start'], files: { r: '1' } },
      { name: 'head', parents: ['left', 'right'] },
      { name: 'main', parents: ['right', 'left'] },
    ],
    branches: { main: 'main', change: 'head' },
  });
  const head = repository.id('head');
  github().get(compare(head)).times(3).reply(503);
  expect(await findDiffBase(await world(repository.url), targetAt(head), undefined)).toMatchObject({
    error: { reason: 'configuration', nextStep: expect.stringContaining('base-commit') },
  });
});

test('no common ancestor is told in the same words, whoever found out', async () => {
  const repository = await hosted({
    commits: [
      { name: 'main', files: { a: '1' } },
      { name: 'head', parents: [], files: { b: '1' } },
    ],
    branches: { main: 'main', change: 'head' },
  });
  const head = repository.id('head');
  github().get(compare(head)).times(3).reply(503);
  const byGit = await findDiffBase(await world(repository.url), targetAt(head), undefined);
  github()
    .get(compare(head))
    .reply(404, { message: `No common ancestor between main and ${head}.` });
  const byCompare = await findDiffBase(await world(), targetAt(head), undefined);
  expect(byGit).toMatchObject({ error: { reason: 'configuration' } });
  expect(byGit).toEqual(byCompare);
});

test('what neither can tell is an error that names the permission and the way out, without the token', async () => {
  github().get(compare(SHA.head)).reply(403, { message: 'Resource not accessible by integration' });
  const found = await findDiffBase(await world(), targetAt(SHA.head), undefined);
  expect(found).toMatchObject({
    error: {
      reason: 'service-error',
      cause: expect.stringContaining('Resource not accessible'),
      nextStep: expect.stringMatching(/contents: read.*base-commit/),
    },
  });
  expect(JSON.stringify(found)).not.toContain(TOKEN);
});

test.each(['signal', 'timeout'] as const)(
  'a run that was stopped (%s) says so, and asks git nothing',
  async (cause) => {
    const here = await world(undefined, AbortSignal.abort(new Stop(cause)));
    expect(await findDiffBase(here, targetAt(SHA.head), undefined)).toMatchObject({
      error: { reason: cause === 'signal' ? 'scan-cancelled' : 'timeout' },
    });
  },
);
