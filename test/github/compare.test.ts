import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import type { ScanTarget } from '../../src/domain/target.ts';
import { comparisonIsEmpty, mergeBaseByCompare } from '../../src/github/compare.ts';
import { client, github, SHA } from './client.ts';

const TARGET: ScanTarget = {
  event: 'merge_group',
  repository: { owner: 'acme', name: 'shop', isPublic: true },
  headSha: SHA.head,
  base: { kind: 'branch', name: 'release/1.x' },
  pullRequest: undefined,
};
const COMPARE = `/repos/acme/shop/compare/release%2F1.x...${SHA.head}?per_page=1&page=`;
const REF = '/repos/acme/shop/git/ref/heads%2Frelease%2F1.x';
const FOUND = { merge_base_commit: { sha: SHA.base } };

afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});

describe('the merge base', () => {
  test('comes from one small page', async () => {
    github().get(`${COMPARE}2`).reply(200, FOUND);
    expect(await mergeBaseByCompare(client(), TARGET)).toEqual({ ok: true, value: { mergeBase: SHA.base } });
  });

  test('comes from the first page where the second names none', async () => {
    github().get(`${COMPARE}2`).reply(200, { commits: [] }).get(`${COMPARE}1`).reply(200, FOUND);
    expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({ value: { mergeBase: SHA.base } });
  });

  test('of a merge group is measured from its base commit', async () => {
    github().get(`/repos/acme/shop/compare/${SHA.other}...${SHA.head}?per_page=1&page=2`).reply(200, FOUND);
    const base = { kind: 'commit', sha: SHA.other } as const;
    expect(await mergeBaseByCompare(client(), { ...TARGET, base })).toMatchObject({ ok: true });
  });

  test('that is no commit id is not believed', async () => {
    github()
      .get(`${COMPARE}2`)
      .reply(200, { merge_base_commit: { sha: 'HEAD~1' } });
    expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({ error: { kind: 'unavailable' } });
  });

  test('that no page names leaves the question to git', async () => {
    github().get(`${COMPARE}2`).reply(200, {}).get(`${COMPARE}1`).reply(200, {});
    expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({ error: { kind: 'unavailable' } });
  });

  test.each([403, 401, 422, 500, 504])(
    'that GitHub does not tell (%i) leaves the question to git',
    async (status) => {
      github()
        .get(`${COMPARE}2`)
        .times(status >= 500 ? 3 : 1)
        .reply(status, { message: 'no' });
      expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({
        error: { kind: 'unavailable', error: { status, permission: 'contents: read' } },
      });
    },
  );

  test('is not there where base and head share no history', async () => {
    const message = `No common ancestor between release/1.x and ${SHA.head}.`;
    github().get(`${COMPARE}2`).reply(404, { message });
    expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({
      error: {
        kind: 'not-scanned',
        stop: { reason: 'configuration', nextStep: expect.stringContaining('base-commit') },
      },
    });
  });

  test('is not there where the base branch is gone', async () => {
    github().get(`${COMPARE}2`).reply(404, { message: 'Not Found' });
    github().get(REF).reply(404, { message: 'Not Found' });
    expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({
      error: { kind: 'not-scanned', stop: { cause: expect.stringContaining('"release/1.x"') } },
    });
  });

  test('is not there where the head is unknown', async () => {
    github().get(`${COMPARE}2`).reply(404, { message: 'Not Found' });
    github().get(REF).reply(200, { ref: 'refs/heads/release/1.x' });
    expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({
      error: { kind: 'not-scanned', stop: { cause: expect.stringContaining(SHA.head) } },
    });
  });

  test('is left to git where GitHub does not say what is missing', async () => {
    github().get(`${COMPARE}2`).reply(404, { message: 'Not Found' }).get(REF).reply(403, { message: 'no' });
    expect(await mergeBaseByCompare(client(), TARGET)).toMatchObject({ error: { kind: 'unavailable' } });
  });

  test('is not asked for once the run is stopped', async () => {
    const signal = AbortSignal.abort();
    expect(await mergeBaseByCompare(client({ signal }), TARGET)).toEqual({
      ok: false,
      error: { kind: 'stopped' },
    });
  });
});

describe('an empty comparison', () => {
  const path = `/repos/acme/shop/compare/${SHA.base}...${SHA.head}?per_page=1&page=1`;

  test.each([
    [{ files: [] }, { ok: true, value: true }],
    [{ files: [{ filename: 'a' }] }, { ok: true, value: false }],
  ])('%o', async (body, expected) => {
    github().get(path).reply(200, body);
    expect(await comparisonIsEmpty(client(), SHA.base, SHA.head)).toEqual(expected);
  });

  test.each([[{}], [{ files: null }], [{ files: 'none' }]])('cannot be told from %o', async (body) => {
    github().get(path).reply(200, body);
    expect(await comparisonIsEmpty(client(), SHA.base, SHA.head)).toMatchObject({
      ok: false,
      error: { kind: 'nonsense' },
    });
  });
});
