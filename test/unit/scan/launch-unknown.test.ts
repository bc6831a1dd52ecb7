import { describe, expect, test } from 'vitest';
import type { PendingLaunch } from '../../../src/domain/scan.ts';
import type { Cancellation } from '../../../src/scan/cancel.ts';
import type { LostLaunch } from '../../../src/scan/lost-launch.ts';
import {
  describeCandidates,
  describeLost,
  describeUnknown,
  launchUnknown,
  notOfLaunch,
  recoveryHint,
} from '../../../src/scan/lost-launch.ts';
import type { NoMatch } from '../../../src/scan/new-scans.ts';
import { BASE, HEAD, unreachable } from './fake-api.ts';

const pending: PendingLaunch = {
  projectId: 'p\u202e\n1',
  headSha: HEAD,
  before: { ids: [], complete: true },
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

const explain = (why: NoMatch['why'], ids: string[] = [], bySignal = false) =>
  launchUnknown(describeLost(error), pending, { kind: 'no-match', why, ids }, bySignal);

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
  ['not-sought', [], 'Scangate looks only for a diff scan whose launch was saved in full.'],
];

describe('launchUnknown', () => {
  test.each(SENTENCES)('launchUnknown says why no scan matches (`%s`, scans %j)', (why, ids, sentence) => {
    expect(describeCandidates({ kind: 'no-match', why, ids })).toBe(sentence);
    expect(explain(why, ids)).toEqual({
      reason: 'launch-unknown',
      cause: `Could not confirm the launch of the scan: the connection was reset (detail). ${sentence} A scan may be running, so Scangate did not launch another one.${why === 'not-sought' ? '' : ' The post step will look for it again.'}`,
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

  test('launchUnknown reports a cancelled job if a signal ends the search for a lost launch', () => {
    expect(explain('none', [], true)).toMatchObject({ reason: 'scan-cancelled', bySignal: true });
  });

  test('launchUnknown names at most 20 scan ids', () => {
    const many = Array.from({ length: 100 }, (_, index) => `scan\n${index}`);
    const { cause } = explain('several', many);
    expect(cause).toContain('and 80 more');
    expect(cause).not.toContain('\n');
  });
});

test('describeUnknown and notOfLaunch name the scan of the launch answer', () => {
  expect(describeUnknown('a')).toBe(
    'Could not confirm the launch of the scan: the service answered with scan `a`, which it does not know.',
  );
  expect(notOfLaunch('a', pending)).toEqual({
    reason: 'launch-unknown',
    cause:
      'The service answered the launch with scan `a`, and nothing proves that this launch created it. Scangate neither uses nor cancels it.',
    nextStep: `${recoveryHint(pending)} Then re-run this job.`,
  });
});

const found = (cancellation: Cancellation) => ({ kind: 'found', scanId: 'a', cancellation }) as const;

test.each<[string, LostLaunch, string, string]>([
  [
    'was cancelled',
    found({ kind: 'cancelled' }),
    'Cancelled scan `a`. The service releases its reserved credits, but charges completed work.',
    'Re-run this job.',
  ],
  [
    'had ended',
    found({ kind: 'already-terminal', status: 'COMPLETED' }),
    'Scan `a` had already ended as COMPLETED.',
    'Re-run this job.',
  ],
  [
    'may still be running',
    found({ kind: 'failed', cause: 'No.', unknown: false }),
    'Could not cancel scan `a`. It may still be running and using credits: cancel it in the service. No.',
    'Cancel scan `a` in the scanning service. Then re-run this job.',
  ],
])('launchUnknown says that the scan of a lost launch %s', (_what, lost, says, nextStep) => {
  const cause = `Lost. ${says}`;
  const explained = (bySignal: boolean) => launchUnknown('Lost.', pending, lost, bySignal);
  expect(explained(false)).toEqual({ reason: 'launch-unknown', cause, nextStep });
  expect(explained(true)).toEqual({ reason: 'scan-cancelled', cause, nextStep, bySignal: true });
});
