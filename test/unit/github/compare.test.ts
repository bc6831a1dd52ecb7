import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { comparisonIsEmpty, mergeBaseByCompare } from '../../../src/github/compare.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

const SIDES = { base: SHA.other, head: SHA.head };
const COMPARE = `/repos/acme/shop/compare/${SHA.other}...${SHA.head}?per_page=1&page=`;
const TREE = 'd'.repeat(40);
const FOUND = { merge_base_commit: { sha: SHA.base, commit: { tree: { sha: TREE } } } };

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

describe('mergeBaseByCompare', () => {
  test('reads the merge base from one small page', async () => {
    github().get(`${COMPARE}2`).reply(200, FOUND);
    expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { sha: SHA.base, tree: TREE },
    });
  });

  test('reads the first page if the second shows no merge base', async () => {
    github().get(`${COMPARE}2`).reply(200, { commits: [] }).get(`${COMPARE}1`).reply(200, FOUND);
    expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toMatchObject({
      value: { sha: SHA.base, tree: TREE },
    });
  });

  test.each([undefined, {}, { tree: {} }, { tree: { sha: 'main' } }])(
    'returns the merge base without its tree if the answer shows %j',
    async (commit) => {
      github()
        .get(`${COMPARE}2`)
        .reply(200, { merge_base_commit: { sha: SHA.base, commit } });
      expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toEqual({
        ok: true,
        value: { sha: SHA.base, tree: undefined },
      });
    },
  );

  test('rejects a merge base that is no commit id', async () => {
    github()
      .get(`${COMPARE}2`)
      .reply(200, { merge_base_commit: { sha: 'HEAD~1' } });
    expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'unavailable' },
    });
  });

  test('lets git decide if no page shows a merge base', async () => {
    github().get(`${COMPARE}2`).reply(200, {}).get(`${COMPARE}1`).reply(200, {});
    expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'unavailable' },
    });
  });

  test.each([403, 401, 422, 500, 504])('lets git decide if GitHub answers %i', async (status) => {
    github()
      .get(`${COMPARE}2`)
      .times(status >= 500 ? 3 : 1)
      .reply(status, { message: 'no' });
    expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'unavailable', error: { status, permission: 'contents: read' } },
    });
  });

  test('finds no merge base if base and head share no history', async () => {
    const message = `No common ancestor between ${SHA.other} and ${SHA.head}.`;
    github().get(`${COMPARE}2`).reply(404, { message });
    expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toEqual({
      ok: false,
      error: { kind: 'no-common-ancestor' },
    });
  });

  test('finds no merge base if GitHub does not know base or head', async () => {
    github().get(`${COMPARE}2`).reply(404, { message: 'Not Found' });
    expect(await mergeBaseByCompare(client(), SIDES, NEVER_ABORTED)).toEqual({
      ok: false,
      error: { kind: 'unknown-commit' },
    });
  });

  test('sends no request if the run is stopped', async () => {
    const signal = AbortSignal.abort();
    expect(await mergeBaseByCompare(client(), SIDES, signal)).toEqual({
      ok: false,
      error: { kind: 'stopped' },
    });
  });
});

describe('comparisonIsEmpty', () => {
  const path = `/repos/acme/shop/compare/${SHA.base}...${SHA.head}?per_page=1&page=1`;

  test.each([
    [{ files: [] }, { ok: true, value: true }],
    [{ files: [{ filename: 'a' }] }, { ok: true, value: false }],
  ])('reads %o', async (body, expected) => {
    github().get(path).reply(200, body);
    expect(await comparisonIsEmpty(client(), SHA.base, SHA.head, NEVER_ABORTED)).toEqual(expected);
  });

  test.each([[{}], [{ files: null }], [{ files: 'none' }]])('returns an error for %o', async (body) => {
    github().get(path).reply(200, body);
    expect(await comparisonIsEmpty(client(), SHA.base, SHA.head, NEVER_ABORTED)).toMatchObject({
      ok: false,
      error: { kind: 'invalid' },
    });
  });
});
