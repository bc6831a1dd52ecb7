import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { Stop } from '../../../src/domain/stop.ts';
import { createFileComparison, type SameFiles } from '../../../src/scan/same-files.ts';
import type { ScanTrees } from '../../../src/scan/scan-key.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { aScan } from './fake-api.ts';

const [BASE, HEAD, THIRD] = [SHA.base, SHA.head, SHA.other];
const FOURTH = '4'.repeat(40);

afterEach(() => nock.cleanAll());

interface Setting {
  readonly known?: ScanTrees;
  /** The HTTP status for a commit without a tree. */
  readonly failure?: number;
  readonly signal?: AbortSignal;
}

/** @param trees of each commit; GitHub does not know the others */
async function compare(
  shown: { readonly baseSha?: string; readonly headSha?: string },
  trees: Readonly<Record<string, string>>,
  { known, failure = 404, signal = NEVER_ABORTED }: Setting = {},
): Promise<SameFiles> {
  nock.cleanAll();
  github()
    .get(/\/git\/commits\//)
    .times(8)
    .reply(({ url }: Request) => {
      const sha = url.slice(url.lastIndexOf('/') + 1);
      const tree = trees[sha];
      return tree === undefined ? [failure, { message: 'No' }] : [200, { sha, tree: { sha: tree } }];
    });
  const compareFiles = createFileComparison({ github: client(), signal }, known);
  return compareFiles(aScan('COMPLETED', shown), { baseSha: BASE, headSha: HEAD });
}

const [X, Y, Z] = ['7'.repeat(40), '8'.repeat(40), '9'.repeat(40)];

test.each<[what: string, shown: Parameters<typeof compare>[0], trees: Readonly<Record<string, string>>]>([
  ['the same commits, in upper or lower case', { baseSha: BASE.toUpperCase(), headSha: HEAD }, {}],
  ['another head', { baseSha: BASE, headSha: THIRD }, { [HEAD]: X, [THIRD]: X }],
  ['another base', { baseSha: THIRD, headSha: HEAD }, { [BASE]: X, [THIRD]: X }],
  ['another head and no base', { headSha: THIRD }, { [HEAD]: X, [THIRD]: X }],
  [
    'another head and an abbreviated base',
    { baseSha: BASE.slice(0, 12), headSha: THIRD },
    { [HEAD]: X, [THIRD]: X },
  ],
  ['another base and no head', { baseSha: THIRD }, { [BASE]: X, [THIRD]: X }],
  [
    'another base and another head',
    { baseSha: FOURTH, headSha: THIRD },
    { [BASE]: X, [FOURTH]: X, [HEAD]: Y, [THIRD]: Y },
  ],
])('accepts a scan that shows %s with the same files', async (_what, shown, trees) => {
  expect(await compare(shown, trees)).toEqual({ ok: true, value: true });
});

test.each<[what: string, shown: Parameters<typeof compare>[0], trees: Readonly<Record<string, string>>]>([
  ['another head with other files', { baseSha: BASE, headSha: THIRD }, { [HEAD]: X, [THIRD]: Y }],
  ['another base with other files', { baseSha: THIRD, headSha: HEAD }, { [BASE]: X, [THIRD]: Z }],
  ['base and head exchanged', { baseSha: HEAD, headSha: BASE }, { [BASE]: X, [HEAD]: Y }],
  ['another base with other files and no head', { baseSha: THIRD }, { [BASE]: X, [THIRD]: Y }],
  ['another head with other files and no base', { headSha: THIRD }, { [HEAD]: X, [THIRD]: Y }],
])('rejects a scan that shows %s', async (_what, shown, trees) => {
  expect(await compare(shown, trees)).toEqual({ ok: true, value: false });
});

test('does not read trees that are known', async () => {
  const known = { base: X, head: Y };
  const shown = { baseSha: FOURTH, headSha: THIRD };
  expect(await compare(shown, { [FOURTH]: X, [THIRD]: Y }, { known })).toEqual({ ok: true, value: true });
  expect(await compare(shown, { [FOURTH]: Y, [THIRD]: Y }, { known })).toEqual({ ok: true, value: false });
  expect(await compare(shown, { [FOURTH]: X, [THIRD]: X }, { known })).toEqual({ ok: true, value: false });
});

test.each([THIRD.slice(0, 12), 'main'])(
  'ignores a value that is not a full commit id: %s',
  async (headSha) => {
    expect(await compare({ baseSha: BASE, headSha }, { [HEAD]: X, [THIRD]: X })).toMatchObject({
      ok: false,
      error: { reason: 'service-error', cause: expect.stringContaining('not its full SHA') },
    });
  },
);

test.each<[what: string, trees: Readonly<Record<string, string>>]>([
  ['the commit that the scan shows', { [HEAD]: X }],
  ['the head of this change', { [THIRD]: X }],
])('does not treat a scan as one of another change if GitHub no longer has %s', async (_what, trees) => {
  expect(await compare({ baseSha: BASE, headSha: THIRD }, trees)).toMatchObject({
    ok: false,
    error: {
      reason: 'service-error',
      cause: expect.stringMatching(/^The scan shows other commits, .* GitHub returned 404/),
      nextStep: 'Re-run this job to launch a new scan.',
    },
  });
});

test("returns GitHub's failure, and not another change, if the trees cannot be compared", async () => {
  const shown = { baseSha: BASE, headSha: THIRD };
  expect(await compare(shown, {}, { failure: 403 })).toMatchObject({
    ok: false,
    error: {
      reason: 'service-error',
      cause: expect.stringContaining('Could not read a commit'),
      nextStep: expect.stringContaining('`contents: read`'),
    },
  });
  const signal = AbortSignal.abort(new Stop('timeout'));
  expect(await compare(shown, {}, { signal })).toMatchObject({ ok: false, error: { reason: 'timeout' } });
});
