import { describe, expect, test } from 'vitest';
import type { PendingLaunch } from '../../../src/domain/scan.ts';
import type { Cancellation } from '../../../src/scan/cancel.ts';
import {
  describeCandidates,
  describeLost,
  describeNamed,
  launchCancelled,
  launchUnknown,
  recoveryHint,
} from '../../../src/scan/launch-unknown.ts';
import type { NoMatch } from '../../../src/scan/match-new-scans.ts';
import { BASE, HEAD, unreachable } from './fake-api.ts';

const pending: PendingLaunch = {
  projectId: 'p\u202e\n1',
  headSha: HEAD,
  knownScanIds: [],
  subject: {
    repositoryId: 'r',
    presetRef: 'diff',
    baseSha: BASE,
    headSha: HEAD,
    creditBudget: 50,
    areas: [],
  },
};
const { error } = unreachable('unknown', 'reset');

function explain(why: NoMatch['why'], ids: string[] = [], settled = true, bySignal = false) {
  return launchUnknown(
    describeLost(error),
    pending,
    { kind: 'no-match', why, ids, settled },
    { bySignal, isNamed: false },
  );
}

/** The sentence about each reason why no listed scan matches. The sentence names the scans whose ids are known. */
const SENTENCES: readonly (readonly [why: NoMatch['why'], ids: string[], sentence: string])[] = [
  ['none', [], 'The service lists no new scan of this commit.'],
  ['several', ['a', 'b'], 'The service lists several new scans of this commit: `a`, `b`.'],
  ['cannot-tell', [], 'The service lists a new scan, but Scangate could not match it to this run.'],
  ['cannot-tell', ['a'], 'The service lists a new scan, but Scangate could not match it to this run (`a`).'],
  ['claimed', ['a'], 'The service lists a new scan of this commit, but another run launched it (`a`).'],
  [
    'marks-unreadable',
    ['a', 'b'],
    'The service lists a new scan of this commit, but Scangate could not read the check runs that name its run (`a`, `b`).',
  ],
  ['unreadable', [], 'Scangate could not read the scan list of the service.'],
  ['unreadable', ['a'], 'Scangate could not read the scan list of the service (`a`).'],
  [
    'unknown-before',
    [],
    'Scangate could not read the scan list before the launch, so it could not identify new scans.',
  ],
  [
    'unknown-before',
    ['a', 'b'],
    'Scangate could not read the scan list before the launch, so it could not identify new scans (`a`, `b`).',
  ],
];

describe('launchUnknown', () => {
  test.each(SENTENCES)('launchUnknown says why no scan matches (`%s`, scans %j)', (why, ids, sentence) => {
    expect(describeCandidates({ kind: 'no-match', why, ids })).toBe(sentence);
    expect(explain(why, ids)).toEqual({
      reason: 'launch-unknown',
      cause: `Could not confirm the launch of the scan: the connection was reset (detail). ${sentence} A scan may be running, so Scangate did not launch another one.`,
      nextStep:
        'Check project `p 1` in the scanning service for a scan of `bbbbbbbbbbbb`. If it is running, cancel it: it can use up to 50 credits. Then re-run this job.',
    });
  });

  test.each<[string, PendingLaunch]>([
    [
      'was chosen by the service',
      { ...pending, subject: pending.subject && { ...pending.subject, creditBudget: undefined } },
    ],
    ['is no longer known', { ...pending, subject: undefined }],
  ])('recoveryHint gives no number of credits if the budget %s', (_what, launch) => {
    expect(recoveryHint(launch)).toBe(
      'Check project `p 1` in the scanning service for a scan of `bbbbbbbbbbbb`. If it is running, cancel it: it can use the reserved credits.',
    );
  });

  test('launchUnknown announces a search by the post step if one will follow', () => {
    expect(explain('none').cause).not.toContain('post step');
    expect(explain('none', [], false).cause).toMatch(
      /Scangate did not launch another one\. The post step will look for it again\.$/,
    );
  });

  test.each([true, false])(
    'launchUnknown announces that the post step cancels the scan that the answer named (settled: %s)',
    (settled) => {
      const looked = { kind: 'no-match', why: 'cannot-tell', ids: ['a'], settled } as const;
      const { cause } = launchUnknown(describeNamed(['a'], false), pending, looked, {
        bySignal: false,
        isNamed: true,
      });
      expect(cause).toMatch(/did not launch another one\. The post step will try to cancel it\.$/);
    },
  );

  test('launchUnknown reports a cancelled job if a signal ends the search for a lost launch', () => {
    expect(explain('none', [], false, true)).toMatchObject({ reason: 'scan-cancelled', bySignal: true });
  });

  test('launchUnknown names at most 20 scan ids', () => {
    const many = Array.from({ length: 100 }, (_, index) => `scan\n${index}`);
    const { cause } = explain('several', many);
    expect(cause).toContain('and 80 more');
    expect(cause).not.toContain('\n');
  });
});

test.each([
  [['a'], false, 'scan `a`, which it does not know.'],
  [['a', 'b'], false, 'scans `a`, `b`, which it does not know.'],
  [['a'], true, 'scan `a` from before the launch.'],
  [['a', 'b'], true, 'scans `a`, `b` from before the launch.'],
])('describeNamed quotes the ids %j (older than the launch: %s)', (ids, older, says) => {
  expect(describeNamed(ids, older)).toBe(
    `Could not confirm the launch of the scan: the service answered with ${says}`,
  );
});

const FOUND =
  'Lost. The service lists one new scan of this change, `a`, but does not show all that can narrow it (audit areas, guidance, other launch fields), so Scangate does not use its result.';

test.each<[string, Cancellation, string, string]>([
  [
    'was cancelled',
    { kind: 'cancelled' },
    'Cancelled scan `a`. The service releases its reserved credits, but charges completed work.',
    'Re-run this job.',
  ],
  [
    'had ended',
    { kind: 'already-terminal', status: 'COMPLETED' },
    'Scan `a` had already ended as COMPLETED.',
    'Re-run this job.',
  ],
  [
    'may still be running',
    { kind: 'failed', cause: 'No.', unknown: false },
    'Could not cancel scan `a`. It may still be running and using credits: cancel it in the service. No.',
    'Cancel scan `a` in the scanning service. Then re-run this job.',
  ],
])('launchCancelled says that the scan of a lost launch %s', (_what, cancellation, says, nextStep) => {
  const cause = `${FOUND} ${says}`;
  expect(launchCancelled('Lost.', 'a', cancellation, false)).toEqual({
    reason: 'launch-unknown',
    cause,
    nextStep,
  });
  const signalled = { reason: 'scan-cancelled', cause, nextStep, bySignal: true };
  expect(launchCancelled('Lost.', 'a', cancellation, true)).toEqual(signalled);
});
