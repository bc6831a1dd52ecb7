import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { readBlob } from '../../../src/github/git-blob.ts';
import { readTree } from '../../../src/github/git-tree.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

const TREE = `/repos/acme/shop/git/trees/${SHA.base}`;
const BLOB = `/repos/acme/shop/git/blobs/${SHA.other}`;
const tree = () => readTree(client(), SHA.base, NEVER_ABORTED);
const blob = () => readBlob(client(), SHA.other, NEVER_ABORTED);
const listed = (changes: object = {}) => ({
  tree: [{ path: 'a', mode: '100644', sha: SHA.other }],
  ...changes,
});

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

test.each([
  ['100644', 'file'],
  ['100755', 'file'],
  ['040000', 'folder'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
  ['100600', 'other'],
])('reads an entry of mode %s as a %s', async (mode, kind) => {
  const entry = { path: 'a b', mode, type: 'blob', sha: SHA.other, size: 7 };
  github()
    .get(TREE)
    .reply(200, { tree: [entry], truncated: false });
  const value = new Map([['a b', { kind, mode, sha: SHA.other, size: 7 }]]);
  expect(await tree()).toEqual({ ok: true, value });
});

test.each([
  ['is cut', listed({ truncated: true })],
  ['does not say whether it is cut', listed()],
  ['is missing', { truncated: false }],
  ['has an entry without an id', { tree: [{ path: 'a', mode: '100644', sha: 'abc' }], truncated: false }],
  ['has an entry without a name', { tree: [{ path: '', mode: '100644', sha: SHA.other }], truncated: false }],
  [
    'contains a name twice',
    { tree: ['1', '2'].map((id) => ({ path: 'a', mode: '100644', sha: id.repeat(40) })), truncated: false },
  ],
  ['has a path as a name', { tree: [{ path: 'a/b', mode: '100644', sha: SHA.other }], truncated: false }],
  ['has an entry without a mode', { tree: [{ path: 'a', sha: SHA.other }], truncated: false }],
])('returns an error for a list that %s', async (_what, answer) => {
  github().get(TREE).reply(200, answer);
  expect(await tree()).toMatchObject({ error: { kind: 'invalid', permission: 'contents: read' } });
});

test('reads the bytes of a file', async () => {
  const content = Buffer.from('é\u0000\n'.repeat(40)).toString('base64').replace(/.{60}/g, '$&\n');
  github().get(BLOB).reply(200, { encoding: 'base64', content });
  expect(await blob()).toEqual({ ok: true, value: Buffer.from('é\u0000\n'.repeat(40)) });
});

test.each([{ encoding: 'none', content: '' }, { encoding: 'utf-8', content: 'a' }, { encoding: 'base64' }])(
  'returns an error for a file with the answer %j',
  async (answer) => {
    github().get(BLOB).reply(200, answer);
    expect(await blob()).toMatchObject({ error: { kind: 'invalid' } });
  },
);

test('names the permission if GitHub refuses to show a file', async () => {
  github().get(TREE).reply(403, { message: 'Resource not accessible by integration' });
  github().get(BLOB).reply(403, { message: 'Resource not accessible by integration' });
  for (const read of [await tree(), await blob()])
    expect(read).toMatchObject({ error: { kind: 'forbidden', permission: 'contents: read' } });
});
