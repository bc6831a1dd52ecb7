import { expect, test } from 'vitest';
import { mergeBaseByCompare } from '../../../src/github/compare.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

test('mergeBaseByCompare finds no merge base if the base and the head share no history', async () => {
  const message = `No common ancestor between ${SHA.other} and ${SHA.head}.`;
  github()
    .get(`/repos/acme/shop/compare/${SHA.other}...${SHA.head}?per_page=1&page=2`)
    .reply(404, { message });
  expect(await mergeBaseByCompare(client(), { base: SHA.other, head: SHA.head }, NEVER_ABORTED)).toEqual({
    ok: false,
    error: { kind: 'no-common-ancestor' },
  });
});
