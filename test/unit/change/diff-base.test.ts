import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import nock from 'nock';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { findDiffBase } from '../../../src/change/diff-base.ts';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import { readEnvironment } from '../../../src/github/environment.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { hostRepository } from '../git/host-repository.ts';
import { serveGit } from '../git/http-backend.ts';
import { client, github, SHA, TOKEN } from '../github/client.ts';
import { sampleTarget } from '../report/sample-report.ts';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

const compare = (base: string, head: string, page = 2) =>
  `/repos/acme/shop/compare/${base}...${head}?per_page=1&page=${page}`;
const mergeBase = (sha: string) => ({ merge_base_commit: { sha } });

function targetAt(headSha: string, tip: string | undefined = SHA.other): ScanTarget {
  return { ...sampleTarget(), headSha, base: { kind: 'branch', name: 'main', tip } };
}

const BRANCH_ALONE = { kind: 'branch', name: 'main', tip: undefined } as const;

/** @param serverUrl the git server; default: a server that does not answer */
async function deps(
  serverUrl = 'http://127.0.0.1:9',
  signal = NEVER_ABORTED,
  clock = new FakeClock({ auto: false }),
) {
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
    github: client(),
    githubToken: TOKEN,
    environment: environment.value,
    clock,
    signal,
  };
}

/** Makes dependencies whose clock records the waits. No wait takes time. */
async function depsOfWaiting() {
  const clock = new FakeClock();
  return { clock, deps: await deps(undefined, NEVER_ABORTED, clock) };
}

/** A repository on a git server, with the ids of its commits. */
async function hosted(description: FixtureDescription) {
  const root = await mkdtemp(path.join(tmpdir(), 'scangate-diff-base-srv-'));
  const { id } = await hostRepository(description, path.join(root, 'acme', 'shop'));
  const server = await serveGit(root, { token: TOKEN });
  onTestFinished(async () => {
    await server.close();
    await rm(root, { recursive: true, force: true });
  });
  return { id, url: server.url };
}

/** Makes GitHub's comparison of the given commits unavailable. */
function compareIsDown(base: string, head: string) {
  github().get(compare(base, head)).times(3).reply(503);
}

/** A history in which `side` and `head` have two merge bases, and `merge` contains `head`. */
const CRISS_CROSS: FixtureDescription = {
  commits: [
    { name: 'start', files: { a: '1' } },
    { name: 'left', parents: ['start'], files: { l: '1' } },
    { name: 'right', parents: ['start'], files: { r: '1' } },
    { name: 'head', parents: ['left', 'right'] },
    { name: 'side', parents: ['right', 'left'] },
    { name: 'merge', parents: ['start', 'head'] },
    { name: 'unrelated', parents: [], files: { u: '1' } },
  ],
  branches: { main: 'side', change: 'head', merge: 'merge', unrelated: 'unrelated' },
};

describe('the base of a pull request', () => {
  test('findDiffBase gets the merge base from GitHub with one request', async () => {
    github().get(compare(SHA.other, SHA.head)).reply(200, mergeBase(SHA.base));
    expect(await findDiffBase(await deps(), targetAt(SHA.head), undefined)).toEqual({
      ok: true,
      value: { diffBase: { baseSha: SHA.base, headSha: SHA.head, how: 'compare' }, warnings: [] },
    });
  });

  test.each([
    ['GitHub cannot compare the commits', true],
    ['GitHub did not show the tip', false],
  ])('findDiffBase computes the merge base by git if %s', async (_, tipIsKnown) => {
    const repository = await hosted({
      commits: [
        { name: 'start', files: { a: '1' } },
        { name: 'head', files: { a: '2' } },
        { name: 'main', parents: ['start'], files: { b: '1' } },
      ],
      branches: { main: 'main', change: 'head' },
    });
    const [head, tip] = [repository.id('head'), repository.id('main')];
    if (tipIsKnown) compareIsDown(tip, head);
    const target = { ...targetAt(head, tip), ...(tipIsKnown ? {} : { base: BRANCH_ALONE }) };
    expect(await findDiffBase(await deps(repository.url), target, undefined)).toEqual({
      ok: true,
      value: {
        diffBase: { baseSha: repository.id('start'), headSha: head, how: 'git' },
        warnings: [],
      },
    });
  });

  test('without an answer of GitHub, findDiffBase fails if there are several merge bases', async () => {
    const repository = await hosted(CRISS_CROSS);
    const [head, tip] = [repository.id('head'), repository.id('side')];
    compareIsDown(tip, head);
    expect(await findDiffBase(await deps(repository.url), targetAt(head, tip), undefined)).toMatchObject({
      error: { reason: 'service-error', nextStep: expect.stringContaining('merge the base branch') },
    });
  });

  test('findDiffBase returns the same error with GitHub and with git if there is no common ancestor', async () => {
    const repository = await hosted(CRISS_CROSS);
    const [head, tip] = [repository.id('head'), repository.id('unrelated')];
    compareIsDown(tip, head);
    const byGit = await findDiffBase(await deps(repository.url), targetAt(head, tip), undefined);
    github()
      .get(compare(tip, head))
      .reply(404, { message: `No common ancestor between ${tip} and ${head}.` });
    const byCompare = await findDiffBase(await deps(), targetAt(head, tip), undefined);
    expect(byGit).toMatchObject({ error: { reason: 'configuration' } });
    expect(byGit).toEqual(byCompare);
  });

  test('findDiffBase repeats its request after 2, 4 and 8 seconds while GitHub does not know the head', async () => {
    github().get(compare(SHA.other, SHA.head)).twice().reply(404, { message: 'Not Found' });
    github().get(compare(SHA.other, SHA.head)).reply(200, mergeBase(SHA.base));
    const lagging = await depsOfWaiting();
    expect(await findDiffBase(lagging.deps, targetAt(SHA.head), undefined)).toMatchObject({
      value: { diffBase: { baseSha: SHA.base } },
    });
    expect(lagging.clock.sleeps).toEqual([2_000, 4_000]);

    github().get(compare(SHA.other, SHA.head)).times(4).reply(404, { message: 'Not Found' });
    const gone = await depsOfWaiting();
    expect(await findDiffBase(gone.deps, targetAt(SHA.head), undefined)).toMatchObject({
      error: { reason: 'configuration', cause: expect.stringContaining(SHA.head) },
    });
    expect(gone.clock.sleeps).toEqual([2_000, 4_000, 8_000]);
  });

  test.each([
    ['the base of a pull request', undefined],
    ['a base that the workflow gives', SHA.other],
  ])('for %s, findDiffBase reports a wrong setup if GitHub refuses the comparison', async (_, given) => {
    for (const [status, fix] of [
      [403, 'Add `contents: read`'],
      [401, 'Check `github-token`'],
    ] as const) {
      github()
        .get(compare(SHA.other, SHA.head))
        .reply(status, { message: 'Resource not accessible by integration' });
      const found = await findDiffBase(await deps(), targetAt(SHA.head), given);
      expect(found).toMatchObject({
        error: {
          reason: 'configuration',
          cause: expect.stringContaining('Resource not accessible by integration'),
          nextStep: expect.stringContaining(fix),
        },
      });
      expect(JSON.stringify(found)).not.toContain(TOKEN);
    }
  });

  test('findDiffBase reports a wrong setup if GitHub refuses to show the tip, and git fails', async () => {
    const tipRefused = { reason: 'configuration', cause: 'c', nextStep: 'n' } as const;
    const repository = await hosted(CRISS_CROSS);
    const base = { ...BRANCH_ALONE, name: 'merge', tipRefused };
    const target = { ...targetAt(repository.id('head')), base };
    expect(await findDiffBase(await deps(), target, undefined)).toEqual({ ok: false, error: tipRefused });
    expect(await findDiffBase(await deps(repository.url), target, undefined)).toMatchObject({
      value: { diffBase: { baseSha: repository.id('head'), how: 'git' } },
    });
  });

  test.each(['signal', 'timeout'] as const)(
    'findDiffBase requests no merge base if a %s has stopped the run',
    async (cause) => {
      const stopped = await deps(undefined, AbortSignal.abort(new Stop(cause)));
      const reason = cause === 'signal' ? 'scan-cancelled' : 'timeout';
      expect(await findDiffBase(stopped, targetAt(SHA.head), undefined)).toMatchObject({ error: { reason } });
      const unknownTip = { ...targetAt(SHA.head), base: BRANCH_ALONE };
      expect(await findDiffBase(stopped, unknownTip, undefined)).toMatchObject({ error: { reason } });
      expect(await findDiffBase(stopped, targetAt(SHA.head), SHA.other)).toMatchObject({ error: { reason } });
    },
  );
});

describe('a base that the workflow gives', () => {
  const given = (base = SHA.base) => ({
    ok: true,
    value: { diffBase: { baseSha: base, headSha: SHA.head, how: 'input' }, warnings: [] },
  });
  const refused = { error: { reason: 'configuration', cause: expect.stringContaining('contains the head') } };

  test('findDiffBase uses a given base that does not contain the head', async () => {
    github().get(compare(SHA.base, SHA.head)).reply(200, mergeBase(SHA.base));
    expect(await findDiffBase(await deps(), targetAt(SHA.head), SHA.base)).toEqual(given());
    github().get(compare(SHA.base, SHA.head)).reply(200, mergeBase(SHA.other));
    expect(await findDiffBase(await deps(), targetAt(SHA.head), SHA.base)).toEqual(given());
  });

  test('findDiffBase uses a given base that shares no history with the head', async () => {
    github().get(compare(SHA.base, SHA.head)).reply(404, { message: 'No common ancestor between a and b.' });
    expect(await findDiffBase(await deps(), targetAt(SHA.head), SHA.base)).toEqual(given());
  });

  test('findDiffBase refuses a given base that equals the head', async () => {
    expect(await findDiffBase(await deps(), targetAt(SHA.head), SHA.head)).toMatchObject(refused);
  });

  test('findDiffBase refuses a given base that contains the head', async () => {
    github().get(compare(SHA.base, SHA.head)).reply(200, mergeBase(SHA.head));
    expect(await findDiffBase(await deps(), targetAt(SHA.head), SHA.base)).toMatchObject(refused);
  });

  test('findDiffBase refuses a given base that GitHub does not know', async () => {
    github().get(compare(SHA.base, SHA.head)).times(4).reply(404, { message: 'Not Found' });
    const { deps } = await depsOfWaiting();
    expect(await findDiffBase(deps, targetAt(SHA.head), SHA.base)).toMatchObject({
      error: { reason: 'configuration', cause: expect.stringContaining(SHA.base) },
    });
  });

  test.each([
    ['refuses', 'contains the head', 'merge'],
    ['uses', 'has several merge bases with the head', 'side'],
    ['uses', 'the head contains', 'start'],
    ['uses', 'shares no history with the head', 'unrelated'],
  ])('without an answer of GitHub, findDiffBase %s a given base that %s', async (verdict, _what, name) => {
    const repository = await hosted(CRISS_CROSS);
    const [base, head] = [repository.id(name), repository.id('head')];
    compareIsDown(base, head);
    const found = await findDiffBase(await deps(repository.url), targetAt(head), base);
    expect(found).toMatchObject(
      verdict === 'uses' ? { value: { diffBase: { baseSha: base, how: 'input' } } } : refused,
    );
  });

  test('findDiffBase fails if it cannot check a given base', async () => {
    compareIsDown(SHA.base, SHA.head);
    expect(await findDiffBase(await deps(), targetAt(SHA.head), SHA.base)).toMatchObject({
      error: {
        reason: 'service-error',
        cause: expect.stringContaining('Could not compare the base that the workflow sets with the head'),
      },
    });
  });
});

describe('the base of a full scan', () => {
  const FULL: ScanTarget = {
    ...targetAt(SHA.head),
    event: 'schedule',
    base: { kind: 'none' },
    pullRequest: undefined,
  };

  test('findDiffBase returns no base for a full scan', async () => {
    expect(await findDiffBase(await deps(), FULL, undefined)).toEqual({
      ok: true,
      value: { diffBase: { baseSha: undefined, headSha: SHA.head, how: 'none' }, warnings: [] },
    });
  });

  test('findDiffBase refuses a given base for a full scan', async () => {
    expect(await findDiffBase(await deps(), FULL, SHA.base)).toMatchObject({
      error: {
        reason: 'configuration',
        cause: expect.stringMatching(/all files.*`base-commit` or `launch-parameters`/),
        nextStep: expect.stringContaining('Remove the base'),
      },
    });
  });
});

describe('the base of a push', () => {
  const pushAt = (headSha: string, before: string): ScanTarget => ({
    ...targetAt(headSha),
    event: 'push',
    base: { kind: 'push', branch: 'topic', before, defaultBranch: 'main' },
    pullRequest: undefined,
  });

  test('without an answer of GitHub, findDiffBase fails if a push has several merge bases', async () => {
    const repository = await hosted(CRISS_CROSS);
    const [head, side] = [repository.id('head'), repository.id('side')];
    compareIsDown(side, head);
    expect(await findDiffBase(await deps(repository.url), pushAt(head, side), undefined)).toMatchObject({
      error: {
        reason: 'service-error',
        cause: expect.stringMatching(/^The pushed commit and the commit before it have several merge bases/),
        nextStep: 'Re-run this job later.',
      },
    });
  });

  test('findDiffBase fails for a push if neither GitHub nor git answers', async () => {
    compareIsDown(SHA.other, SHA.head);
    expect(await findDiffBase(await deps(), pushAt(SHA.head, SHA.other), undefined)).toMatchObject({
      error: { reason: 'service-error', cause: expect.stringContaining('Could not compute the merge base') },
    });
  });
});

describe('the base of a merge group', () => {
  const GROUP: ScanTarget = {
    ...targetAt(SHA.head),
    event: 'merge_group',
    base: { kind: 'merge-group', sha: SHA.base, branch: 'main' },
    pullRequest: undefined,
  };
  const rules = (grouping: string) =>
    github()
      .get('/repos/acme/shop/rules/branches/main?per_page=100')
      .reply(200, [{ type: 'merge_queue', parameters: { grouping_strategy: grouping } }]);
  const noRules = () => {
    github().get('/repos/acme/shop/rules/branches/main?per_page=100').reply(200, []);
    github()
      .post('/graphql')
      .reply(200, { data: { repository: { mergeQueue: null } } });
  };
  const tip = () =>
    github()
      .get('/repos/acme/shop/git/ref/heads%2Fmain')
      .reply(200, { ref: 'refs/heads/main', object: { type: 'commit', sha: SHA.other } });
  const INCLUDES = expect.stringContaining('includes the entries ahead of it');

  test('with ALLGREEN, findDiffBase measures a merge group from the commit that the group is built on', async () => {
    rules('ALLGREEN');
    github().get(compare(SHA.base, SHA.head)).reply(200, mergeBase(SHA.base));
    expect(await findDiffBase(await deps(), GROUP, undefined)).toMatchObject({
      value: { diffBase: { baseSha: SHA.base }, warnings: [] },
    });
  });

  test('with HEADGREEN, findDiffBase measures a merge group from the tip of the base branch', async () => {
    rules('HEADGREEN');
    tip();
    github().get(compare(SHA.other, SHA.head)).reply(200, mergeBase(SHA.other));
    expect(await findDiffBase(await deps(), GROUP, undefined)).toMatchObject({
      value: { diffBase: { baseSha: SHA.other }, warnings: [] },
    });
  });

  test('findDiffBase warns if the grouping of a merge group is unknown', async () => {
    noRules();
    tip();
    github().get(compare(SHA.other, SHA.head)).reply(200, mergeBase(SHA.other));
    expect(await findDiffBase(await deps(), GROUP, undefined)).toMatchObject({
      value: { diffBase: { baseSha: SHA.other }, warnings: [INCLUDES] },
    });
  });

  test('findDiffBase computes the base of a merge group by git if GitHub does not show the tip', async () => {
    const repository = await hosted({
      commits: [
        { name: 'main', files: { a: '1' } },
        { name: 'entry 1', files: { a: '2' } },
        { name: 'entry 2', files: { a: '3' } },
      ],
      branches: { main: 'main', queue: 'entry 2' },
    });
    noRules();
    github().get('/repos/acme/shop/git/ref/heads%2Fmain').reply(403);
    const target = { ...GROUP, headSha: repository.id('entry 2') };
    expect(await findDiffBase(await deps(repository.url), target, undefined)).toMatchObject({
      value: { diffBase: { baseSha: repository.id('main'), how: 'git' }, warnings: [INCLUDES] },
    });
  });

  test('findDiffBase fails for a merge group if the base branch was deleted', async () => {
    rules('HEADGREEN');
    github().get('/repos/acme/shop/git/ref/heads%2Fmain').reply(404);
    expect(await findDiffBase(await deps(), GROUP, undefined)).toMatchObject({
      error: { reason: 'configuration', cause: expect.stringContaining('"main"') },
    });
  });
});
