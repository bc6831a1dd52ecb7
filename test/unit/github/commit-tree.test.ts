import { expect, test } from 'vitest';
import { readCommitTree } from '../../../src/github/commit-tree.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

function answer(body: object) {
  github().get(`/repos/acme/shop/git/commits/${SHA.head}`).reply(200, body);
  return readCommitTree(client(), SHA.head, NEVER_ABORTED);
}

test('reads the tree of the requested commit', async () => {
  expect(await answer({ sha: SHA.head, tree: { sha: SHA.base } })).toEqual({ ok: true, value: SHA.base });
});

test.each([
  ['another commit', { sha: SHA.other, tree: { sha: SHA.base } }],
  ['no commit', { tree: { sha: SHA.base } }],
  ['an abbreviated tree', { sha: SHA.head, tree: { sha: SHA.base.slice(0, 7) } }],
])('rejects an answer that names %s', async (_, body) => {
  expect(await answer(body)).toMatchObject({ error: { kind: 'invalid', permission: 'contents: read' } });
});
