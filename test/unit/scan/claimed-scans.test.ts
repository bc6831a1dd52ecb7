import { expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import { claimedScans } from '../../../src/scan/claimed-scans.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { pullRequestByRest } from '../github/pull-request-answers.ts';
import { aMark, markText, SEAL } from './marked.ts';
import { commentBody, comments, marksOn, onGitHub, refusal, type Shown } from './on-github.ts';

const mark = (scanId: string, key = 'K'.repeat(22)) => markText({ scanId, key });
const forged = (scanId: string) => encodeMark(aMark({ scanId }), createSeal('another token', '1296269'));

/** @returns the scans and the requests */
async function claimed(shown: Shown, pullRequest?: number, exceptKey?: string) {
  const { github, asked } = onGitHub(shown);
  const deps = { github, seal: SEAL, signal: NEVER_ABORTED };
  const scans = await claimedScans(deps, { headSha: SHA.head, pullRequest }, exceptKey);
  return { scans: scans && [...scans], asked };
}

test('claimedScans reads only check runs if the event has no pull request', async () => {
  const shown = { 'checks of head': marksOn(SHA.head, mark('a'), 'run:42:1:x', mark('b'), forged('x')) };
  expect(await claimed(shown)).toEqual({ scans: ['a', 'b'], asked: ['checks of head'] });
});

const ON_CHECK_RUN = { 'checks of head': marksOn(SHA.head, mark('a'), mark('b', 'L'.repeat(22))) };

test.each<[what: string, shown: Shown, exceptKey: string | undefined, scans: readonly string[]]>([
  [
    'finds the marks in the comments of every check and author',
    {
      'pull request 5': comments(
        { mark: mark('c'), checkName: 'Another check', by: 'mona' },
        { mark: mark('d') },
        { mark: forged('x') },
        {},
      ),
    },
    undefined,
    ['a', 'b', 'c', 'd'],
  ],
  [
    'leaves out the marks whose key is `exceptKey`',
    { 'pull request 5': comments({ mark: mark('c') }) },
    'K'.repeat(22),
    ['b'],
  ],
  [
    'reads the comments by REST if GraphQL fails',
    {
      'pull request 5': refusal(502),
      'pull request 5 by REST': { status: 200, body: pullRequestByRest() },
      'comments of 5': { status: 200, body: [{ id: 1, body: commentBody({ mark: mark('c') }), user: null }] },
    },
    undefined,
    ['a', 'b', 'c'],
  ],
])('claimedScans %s', async (_what, shown, exceptKey, scans) => {
  expect(await claimed({ ...ON_CHECK_RUN, ...shown }, 5, exceptKey)).toMatchObject({ scans });
});

test.each<[what: string, shown: Shown]>([
  ['check runs', { 'checks of head': refusal(403) }],
  ['pull request', { 'pull request 5': refusal(403), 'pull request 5 by REST': refusal(403) }],
  [
    'comments',
    {
      'pull request 5': refusal(502),
      'pull request 5 by REST': { status: 200, body: pullRequestByRest() },
      'comments of 5': refusal(403),
    },
  ],
])('claimedScans returns no set if it cannot read the %s', async (_what, shown) => {
  expect(await claimed({ ...ON_CHECK_RUN, ...shown }, 5)).toMatchObject({ scans: undefined });
});

test('claimedScans reads the pull request, and passes it to `onPullRequestRead`', async () => {
  const { github } = onGitHub({ ...ON_CHECK_RUN, 'pull request 5': comments() });
  const heads: string[] = [];
  const onPullRequestRead = ({ headSha }: { readonly headSha: string }) => void heads.push(headSha);
  const deps = { github, seal: SEAL, signal: NEVER_ABORTED, onPullRequestRead };
  await claimedScans(deps, { headSha: SHA.head, pullRequest: 5 });
  expect(heads).toEqual([SHA.head]);
});
