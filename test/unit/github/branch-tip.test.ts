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

test('asks for the tip by the full ref name of the branch', async () => {
  github().get(REF).reply(200, found());
  expect(await read()).toEqual({ ok: true, value: { kind: 'commit', sha: SHA.base } });
});

test('reports a branch that does not exist as gone', async () => {
  github().get(REF).reply(404, { message: 'Not Found' });
  expect(await read()).toEqual({ ok: true, value: { kind: 'gone' } });
});

test.each([
  [{ ref: 'refs/heads/release/1.x-fixes' }],
  [{ ref: 'refs/tags/release/1.x' }],
  [{ object: { type: 'tag', sha: SHA.base } }],
  [{ object: { type: 'commit', sha: 'HEAD' } }],
])('rejects the answer %j', async (changes) => {
  github().get(REF).reply(200, found(changes));
  expect(await read()).toMatchObject({ error: { kind: 'invalid' } });
});

test('names the permission if GitHub refuses to show the tip', async () => {
  github().get(REF).reply(403, { message: 'Resource not accessible by integration' });
  expect(await read()).toMatchObject({ error: { kind: 'forbidden', permission: 'contents: read' } });
});
