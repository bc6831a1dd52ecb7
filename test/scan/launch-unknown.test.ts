import { describe, expect, test } from 'vitest';
import type { LaunchIntent } from '../../src/domain/launch-intent.ts';
import { launchUnknown, sighted } from '../../src/scan/launch-unknown.ts';
import type { Undecided } from '../../src/scan/new-scans.ts';
import { HEAD, unreachable } from './stand-in-api.ts';

const intent: LaunchIntent = {
  projectId: 'p\u202e\n1',
  headSha: HEAD,
  noted: [],
  wanted: { creditBudget: 50 },
};
const { error } = unreachable('unknown', 'reset');

function explain(why: Undecided['why'], ids: string[] = [], settled = true, bySignal = false) {
  return launchUnknown(error, intent, { kind: 'undecided', why, ids, settled }, bySignal);
}

describe('a launch that stays unknown', () => {
  test.each(['none', 'several', 'cannot-tell', 'unreadable', 'not-noted'] as const)(
    '(%s) says why, what is at risk and where to look',
    (why) => {
      const { reason, cause, nextStep, bySignal } = explain(why, ['s1', 's2']);
      expect({ reason, bySignal }).toEqual({ reason: 'launch-unknown', bySignal: undefined });
      expect(cause).toMatch(/not launched again\. Could not launch the scan: .* connection is cut/);
      expect(cause).toMatch(/scan list/);
      if (why !== 'none') expect(cause).toContain('`s1`, `s2`');
      expect(nextStep).toMatch(
        /scan list of the project `p 1` .* commit `bbbbbbbbbbbb`:.*50 credits are at risk/,
      );
    },
  );

  test.each([
    ['none', [], 'No new scan of this change is in the scan list of the service.'],
    [
      'several',
      ['a', 'b'],
      'Several new scans of this change are in the scan list of the service: `a`, `b`.',
    ],
    [
      'cannot-tell',
      ['a'],
      'Whether a new scan in the scan list of the service is the one cannot be seen; in question: `a`.',
    ],
    ['unreadable', ['a'], 'The scan list of the service could not be read; in question: `a`.'],
    ['unreadable', [], 'The scan list of the service could not be read.'],
    [
      'not-noted',
      ['a', 'b'],
      'The scan list could not be read before the launch, so that a new scan cannot be told from an older one; in question: `a`, `b`.',
    ],
  ] as const)('(%s, %j) tells what was seen, and nothing more', (why, ids, seen) => {
    expect(sighted({ kind: 'undecided', why, ids })).toBe(seen);
    expect(explain(why, [...ids]).cause.endsWith(` ${seen}`)).toBe(true);
  });

  test('names a budget that the service chose as such', () => {
    const stop = launchUnknown(
      error,
      { ...intent, wanted: {} },
      { kind: 'undecided', why: 'none', ids: [], settled: true },
      false,
    );
    expect(stop.nextStep).toContain('the reserved credits are at risk');
  });

  test('says that it is looked for again where it is', () => {
    expect(explain('none').cause).not.toContain('once more');
    expect(explain('none', [], false).cause).toContain('once more when the job ends');
  });

  test('by a signal is a cancelled job', () => {
    expect(explain('none', [], false, true)).toMatchObject({ reason: 'scan-cancelled', bySignal: true });
  });

  test('shows no more ids than a sentence can hold, each as one line', () => {
    const many = Array.from({ length: 100 }, (_, index) => `scan\n${index}`);
    const { cause } = explain('several', many);
    expect(cause).toContain('and 80 more');
    expect(cause).not.toContain('\n');
  });
});
