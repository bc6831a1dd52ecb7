import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { createFileComparison } from '../../../src/scan/same-files.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { aScan } from './fake-api.ts';

const [BASE, HEAD, THIRD] = [SHA.base, SHA.head, SHA.other];
const FOURTH = '4'.repeat(40);

afterEach(() => nock.cleanAll());

/** @param trees of each commit; one that is not here is unknown to GitHub */
async function compare(
  shown: { readonly baseSha?: string; readonly headSha?: string },
  trees: Readonly<Record<string, string>>,
): Promise<boolean> {
  github()
    .get(/\/git\/commits\//)
    .times(8)
    .reply(({ url }: Request) => {
      const tree = trees[url.slice(url.lastIndexOf('/') + 1)];
      return tree === undefined ? [404, { message: 'Not Found' }] : [200, { tree: { sha: tree } }];
    });
  const isSame = createFileComparison(
    { github: client(), signal: NEVER_ABORTED },
    { baseSha: BASE, headSha: HEAD },
  );
  return isSame(aScan('COMPLETED', shown));
}

const [X, Y, Z] = ['7'.repeat(40), '8'.repeat(40), '9'.repeat(40)];

test.each<[what: string, shown: Parameters<typeof compare>[0], trees: Readonly<Record<string, string>>]>([
  ['the same commits, in any case', { baseSha: BASE.toUpperCase(), headSha: HEAD }, {}],
  ['another head', { baseSha: BASE, headSha: THIRD }, { [HEAD]: X, [THIRD]: X }],
  ['another base', { baseSha: THIRD, headSha: HEAD }, { [BASE]: X, [THIRD]: X }],
  ['others', { baseSha: FOURTH, headSha: THIRD }, { [BASE]: X, [FOURTH]: X, [HEAD]: Y, [THIRD]: Y }],
])('a scan that shows %s with the same files is of this change', async (_what, shown, trees) => {
  expect(await compare(shown, trees)).toBe(true);
});

test.each<[what: string, shown: Parameters<typeof compare>[0], trees: Readonly<Record<string, string>>]>([
  ['another head with other files', { baseSha: BASE, headSha: THIRD }, { [HEAD]: X, [THIRD]: Y }],
  ['another base with other files', { baseSha: THIRD, headSha: HEAD }, { [BASE]: X, [THIRD]: Z }],
  ['base and head the other way round', { baseSha: HEAD, headSha: BASE }, { [BASE]: X, [HEAD]: Y }],
  ['a head that GitHub does not know', { baseSha: BASE, headSha: THIRD }, { [HEAD]: X }],
  ['a head, where ours cannot be read', { baseSha: BASE, headSha: THIRD }, { [THIRD]: X }],
  ['an abbreviated head', { baseSha: BASE, headSha: THIRD.slice(0, 12) }, { [HEAD]: X, [THIRD]: X }],
  ['a branch', { baseSha: BASE, headSha: 'main' }, { [HEAD]: X }],
  ['no head', { baseSha: BASE }, {}],
  ['no base', { headSha: HEAD }, {}],
])('a scan that shows %s is not', async (_what, shown, trees) => {
  expect(await compare(shown, trees)).toBe(false);
});
