import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { findDiffBase } from '../../../src/change/diff-base.ts';
import type { PushBase, ScanTarget } from '../../../src/domain/target.ts';
import { readEnvironment } from '../../../src/github/environment.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA, TOKEN } from '../github/client.ts';
import { sampleTarget } from '../report/sample-report.ts';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

const compare = (base: string = SHA.other) =>
  github().get(`/repos/acme/shop/compare/${base}...${SHA.head}?per_page=1&page=2`);
const head = () => github().get(`/repos/acme/shop/git/commits/${SHA.head}`);
const defaultTip = () => github().get('/repos/acme/shop/git/ref/heads%2Ftrunk');
const shownHead = () => head().reply(200, { sha: SHA.head, tree: { sha: SHA.base } });
const NOT_FOUND = { message: 'Not Found' };

async function baseOf(
  changes: Partial<PushBase> = {},
  given?: string,
  clock = new FakeClock({ auto: false }),
) {
  const base: PushBase = {
    kind: 'push',
    branch: 'topic',
    before: SHA.other,
    defaultBranch: 'trunk',
    ...changes,
  };
  const target: ScanTarget = {
    ...sampleTarget({ event: 'push' }),
    headSha: SHA.head,
    base,
    pullRequest: undefined,
  };
  const environment = readEnvironment({
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: '/event.json',
    // No server listens on this port, so git always fails.
    GITHUB_SERVER_URL: 'http://127.0.0.1:9',
  });
  if (!environment.ok) throw new Error(environment.error.cause);
  const deps = {
    github: client(),
    githubToken: TOKEN,
    environment: environment.value,
    clock,
    signal: NEVER_ABORTED,
  };
  return findDiffBase(deps, target, given);
}

describe('the base of a push', () => {
  test('findDiffBase measures a push from the merge base of the head and the commit before the push', async () => {
    compare().reply(200, { merge_base_commit: { sha: SHA.base } });
    expect(await baseOf()).toEqual({
      ok: true,
      value: { diffBase: { baseSha: SHA.base, headSha: SHA.head, how: 'compare' }, warnings: [] },
    });
  });

  test('findDiffBase measures a new branch from the merge base of the head and the tip of the default branch', async () => {
    defaultTip().reply(200, { ref: 'refs/heads/trunk', object: { type: 'commit', sha: SHA.base } });
    compare(SHA.base).reply(200, { merge_base_commit: { sha: SHA.base } });
    expect(await baseOf({ before: undefined })).toMatchObject({
      value: { diffBase: { baseSha: SHA.base }, warnings: [] },
    });
  });

  test('findDiffBase does not guess the base of a new branch if the default branch is missing', async () => {
    defaultTip().reply(404, NOT_FOUND);
    expect(await baseOf({ before: undefined })).toMatchObject({
      error: {
        reason: 'configuration',
        cause: expect.stringContaining('"trunk"'),
        nextStep: expect.stringMatching(/`contents: read`.* full scan once by `workflow_dispatch`\.$/),
      },
    });
  });

  test('findDiffBase reports an unsupported event if the push created the default branch', async () => {
    expect(await baseOf({ before: undefined, branch: 'trunk' })).toMatchObject({
      error: {
        reason: 'unsupported-event',
        cause: expect.stringContaining('created the default branch'),
        nextStep: 'Run a full scan once by `workflow_dispatch`.',
      },
    });
  });

  test('findDiffBase reports an unsupported event if GitHub does not know the commit before the push', async () => {
    compare().times(4).reply(404, NOT_FOUND);
    shownHead();
    expect(await baseOf({}, undefined, new FakeClock())).toMatchObject({
      error: {
        reason: 'unsupported-event',
        cause: expect.stringContaining(`the commit \`${SHA.other}\` from before the push`),
        nextStep: 'Run a full scan once by `workflow_dispatch`.',
      },
    });
  });

  test('findDiffBase reports a wrong setup if GitHub shows neither the head nor the commit before the push', async () => {
    compare().times(4).reply(404, NOT_FOUND);
    head().reply(404, NOT_FOUND);
    expect(await baseOf({}, undefined, new FakeClock())).toMatchObject({
      error: { reason: 'configuration' },
    });
  });

  test('findDiffBase reports a wrong setup if the commits before and after the push have no common ancestor', async () => {
    const none = { message: 'No common ancestor between a and b.' };
    compare().reply(404, none);
    expect(await baseOf()).toMatchObject({
      error: {
        reason: 'configuration',
        cause: 'The pushed commit and the commit before it have no common ancestor.',
        nextStep: expect.stringContaining('`workflow_dispatch`'),
      },
    });
    defaultTip().reply(200, { ref: 'refs/heads/trunk', object: { type: 'commit', sha: SHA.base } });
    compare(SHA.base).reply(404, none);
    expect(await baseOf({ before: undefined })).toMatchObject({
      error: { cause: 'The pushed commit and the default branch have no common ancestor.' },
    });
  });

  test('findDiffBase reports a wrong setup if GitHub cannot find the commits of a new branch', async () => {
    defaultTip().reply(200, { ref: 'refs/heads/trunk', object: { type: 'commit', sha: SHA.base } });
    compare(SHA.base).times(4).reply(404, NOT_FOUND);
    const asked = shownHead();
    const found = await baseOf({ before: undefined }, undefined, new FakeClock());
    expect(found).toMatchObject({ error: { reason: 'configuration' } });
    expect(asked.isDone()).toBe(false);
    nock.cleanAll();
  });

  test('findDiffBase tries git for a new branch if the tip of the default branch cannot be read', async () => {
    defaultTip().reply(422, { message: 'no' });
    expect(await baseOf({ before: undefined })).toMatchObject({
      error: { reason: 'service-error', cause: expect.stringContaining('Git failed, too') },
    });
  });

  test.each([
    [401, 'Check `github-token`'],
    [403, 'Add `contents: read`'],
  ])('findDiffBase reports a wrong setup if GitHub answers %i', async (status, fix) => {
    const failure = { error: { reason: 'configuration', nextStep: expect.stringContaining(fix) } };
    const message = 'Resource not accessible by integration';
    defaultTip().reply(status, { message });
    expect(await baseOf({ before: undefined })).toMatchObject(failure);
    compare().reply(status, { message });
    expect(await baseOf()).toMatchObject(failure);
  });

  test('findDiffBase reports a service error if neither GitHub nor git answers', async () => {
    compare().times(3).reply(503);
    const asked = shownHead();
    expect(await baseOf()).toMatchObject({ error: { reason: 'service-error' } });
    expect(asked.isDone()).toBe(false);
    nock.cleanAll();
  });

  test('findDiffBase uses the base that the workflow gives, even for the first push of a branch', async () => {
    compare(SHA.base).reply(200, { merge_base_commit: { sha: SHA.base } });
    expect(await baseOf({ before: undefined, branch: 'trunk' }, SHA.base)).toMatchObject({
      value: { diffBase: { baseSha: SHA.base, how: 'input' } },
    });
  });
});
