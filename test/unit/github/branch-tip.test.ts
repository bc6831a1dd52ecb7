import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { readBranchTip } from '../../../src/github/branch-tip.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

const REF = '/repos/acme/shop/git/ref/heads%2Frelease%2F1.x';
const read = () => readBranchTip(client(), 'release/1.x', NEVER_ABORTED);
const found = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ref: 'refs/heads/release/1.x',
  object: { type: 'commit', sha: SHA.base },
  ...changes,
});

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

test('the tip is asked for by the full name of the branch', async () => {
  github().get(REF).reply(200, found());
  expect(await read()).toEqual({ ok: true, value: { kind: 'commit', sha: SHA.base } });
});

test('a branch that is not there is gone', async () => {
  github().get(REF).reply(404, { message: 'Not Found' });
  expect(await read()).toEqual({ ok: true, value: { kind: 'gone' } });
});

test.each([
  [{ ref: 'refs/heads/release/1.x-fixes' }],
  [{ ref: 'refs/tags/release/1.x' }],
  [{ object: { type: 'tag', sha: SHA.base } }],
  [{ object: { type: 'commit', sha: 'HEAD' } }],
])('%j is not its tip', async (changes) => {
  github().get(REF).reply(200, found(changes));
  expect(await read()).toMatchObject({ error: { kind: 'invalid' } });
});

test('a refusal names the permission', async () => {
  github().get(REF).reply(403, { message: 'Resource not accessible by integration' });
  expect(await read()).toMatchObject({ error: { kind: 'forbidden', permission: 'contents: read' } });
});
