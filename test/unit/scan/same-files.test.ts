import { expect, test } from 'vitest';
import { Stop } from '../../../src/domain/result.ts';
import { createFileComparison } from '../../../src/scan/earlier-scan.ts';
import type { ScanTrees } from '../../../src/scan/scan-mark.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { aScan } from './fake-api.ts';
import { onGitHub, refusal, type Shown } from './on-github.ts';

/** The commits of a scan, as the service shows them. The commits of the change are `BASE` and `HEAD`. */
type Commits = readonly [base: string | undefined, head: string | undefined];

const { base: BASE, head: HEAD, other: OTHER } = SHA;
const short = (sha: string) => sha.slice(0, 12);
const [X, Y] = ['7'.repeat(40), '8'.repeat(40)];

/** GitHub shows these trees of `BASE`, `HEAD` and `OTHER`. It answers 404 for a commit whose tree is undefined. */
const files = (base?: string, head?: string, other?: string): Shown => {
  const answer = (sha: string, tree: string | undefined) =>
    tree === undefined ? refusal(404) : { status: 200, body: { sha, tree: { sha: tree } } };
  return {
    'files of base': answer(BASE, base),
    'files of head': answer(HEAD, head),
    'files of other': answer(OTHER, other),
  };
};

function compare([baseSha, headSha]: Commits, shown: Shown, known?: ScanTrees, signal = NEVER_ABORTED) {
  const compareFiles = createFileComparison({ github: onGitHub(shown).github, signal }, known);
  return compareFiles(aScan('COMPLETED', { baseSha, headSha }), { baseSha: BASE, headSha: HEAD });
}

const ROWS: readonly (readonly [what: string, commits: Commits, shown: Shown, isSame: boolean])[] = [
  ['the same commits, in upper or lower case', [BASE.toUpperCase(), HEAD], {}, true],
  ['another head with the same files, and no base', [undefined, OTHER], files(undefined, X, X), true],
  ['another head with the same files, and a short base', [short(BASE), OTHER], files(undefined, X, X), true],
  ['another base with the same files', [OTHER, HEAD], files(X, undefined, X), true],
  ['another base with other files', [OTHER, HEAD], files(X, undefined, Y), false],
  ['another base with the same files, and no head', [OTHER, undefined], files(X, undefined, X), true],
  ['another base with other files, and no head', [OTHER, undefined], files(X, undefined, Y), false],
  ['another base and another head, with the same files', [OTHER, OTHER], files(X, X, X), true],
  ['base and head exchanged', [HEAD, BASE], files(X, Y), false],
];
for (const [what, commits, shown, isSame] of ROWS)
  test(`the file comparison ${isSame ? 'accepts' : 'rejects'} a scan that shows ${what}`, async () => {
    expect(await compare(commits, shown)).toEqual({ ok: true, value: isSame });
  });

const KNOWN: readonly (readonly [when: string, known: ScanTrees, isSame: boolean])[] = [
  ['the trees of the scan', { base: X, head: X }, true],
  ['another base tree than the scan', { base: Y, head: X }, false],
  ['another head tree than the scan', { base: X, head: Y }, false],
];
for (const [when, known, isSame] of KNOWN)
  test(`the file comparison ${isSame ? 'accepts' : 'rejects'} a scan if the change is known to have ${when}`, async () => {
    const shown = files(undefined, undefined, X);
    expect(await compare([OTHER, OTHER], shown, known)).toEqual({ ok: true, value: isSame });
  });

const RELAUNCH = 'Re-run this job to launch a new scan.';
const NO_LONGER = /^The scan shows other commits, .* GitHub returned 404/;

test.each<[what: string, head: string, shown: Shown, cause: string | RegExp, nextStep: string | RegExp]>([
  [
    'the scan shows a branch instead of a commit',
    'main',
    files(undefined, X, X),
    'not its full SHA',
    RELAUNCH,
  ],
  ['GitHub no longer has the head', OTHER, files(undefined, undefined, X), NO_LONGER, RELAUNCH],
  [
    'the token may not read the commit',
    OTHER,
    { 'files of head': refusal(403), 'files of other': refusal(403) },
    'Could not read a commit',
    /`contents: read`/,
  ],
])('the file comparison returns an error if %s', async (_what, head, shown, cause, nextStep) => {
  expect(await compare([BASE, head], shown)).toEqual({
    ok: false,
    error: {
      reason: 'service-error',
      cause: expect.stringMatching(cause),
      nextStep: expect.stringMatching(nextStep),
    },
  });
});

test('the file comparison returns an error if the run is stopped', async () => {
  const stopped = compare([BASE, OTHER], {}, undefined, AbortSignal.abort(new Stop('timeout')));
  expect(await stopped).toMatchObject({ ok: false, error: { reason: 'timeout' } });
});
