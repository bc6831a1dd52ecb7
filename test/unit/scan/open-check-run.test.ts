import { expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import type { FoundMark } from '../../../src/scan/find-marks.ts';
import { findOpenCheckRuns, openCheckRunOf } from '../../../src/scan/open-check-run.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { found, markText, SEAL } from './marked.ts';
import { marksOn, onGitHub, refusal } from './on-github.ts';

const NAME = 'Security scan';
const open = { id: 7, name: NAME, url: 'https://github.com/acme/shop/runs/7', completed: false };
const other = { ...open, id: 6 };
const LEFT = found({}, open);
const take = (marks: readonly FoundMark[]) =>
  openCheckRunOf({ runId: 42, runAttempt: 2 }, marks, NAME, ({ key }) => key === LEFT.key);

const OWNERS: readonly (readonly [when: string, marks: readonly FoundMark[], ownsScan: boolean])[] = [
  ['no other mark names the scan', [LEFT], true],
  ['another check run names another scan', [found({ scanId: 't', runId: 41 }, other), LEFT], true],
  ['a check run of another run names the same scan', [found({ runId: 41 }, other), LEFT], false],
  [
    'a check run with another name names the same scan',
    [found({}, { ...other, name: 'Another scan' }), LEFT],
    false,
  ],
  ['a comment names the same scan', [found({}), LEFT], false],
];
for (const [when, marks, ownsScan] of OWNERS)
  test(`openCheckRunOf returns a check run that ${ownsScan ? 'owns' : 'does not own'} its scan if ${when}`, () => {
    const { id, url } = open;
    expect(take(marks)).toMatchObject({ id, url, scanId: 's', ownsScan });
  });

test.each<[what: string, mark: FoundMark]>([
  ['that is completed', found({}, { ...open, completed: true })],
  ['of another step', found({ key: 'L'.repeat(22) }, open)],
  ['with another name', found({}, { ...open, name: 'Another scan' })],
  ['from this attempt', found({ runAttempt: 2 }, open)],
  ['from a later attempt', found({ runAttempt: 3 }, open)],
  ['that only a comment names', found({})],
])('openCheckRunOf does not return a check run %s', (_what, mark) => {
  expect(take([mark])).toBeUndefined();
});

const LISTED = marksOn(
  SHA.head,
  markText({ scanId: 'older', launchedAt: 1_790_000_000 }),
  markText({ scanId: 'newer', launchedAt: 1_790_000_005 }),
);

test.each([
  [
    'finds the unfinished check runs of all steps, the most recent launch first',
    2,
    SEAL,
    LISTED,
    ['newer', 'older'],
    1,
  ],
  ['finds no check run if the list cannot be read', 2, SEAL, refusal(403), [], 1],
  ['sends no request on the first attempt', 1, SEAL, LISTED, [], 0],
  ['sends no request without the token that proves marks', 2, createSeal('', '1296269'), LISTED, [], 0],
])('findOpenCheckRuns %s', async (_what, runAttempt, seal, list, scans, requests) => {
  const { github, asked } = onGitHub({ 'checks of head': list });
  const deps = { github, signal: NEVER_ABORTED, seal };
  const left = await findOpenCheckRuns(deps, { runId: 42, runAttempt }, SHA.head, NAME);
  expect(left.map(({ scanId }) => scanId)).toEqual(scans);
  expect(asked).toHaveLength(requests);
});
