import { describe, expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import type { TargetPullRequest } from '../../../src/domain/target.ts';
import { costSoFar, createCostLedger, followsChain } from '../../../src/scan/pull-request-cost.ts';
import { lostLaunch } from '../../../src/scan/scan-mark.ts';
import { sampleCost, sampleTarget } from '../report/sample-report.ts';

/** A mark of pull request 7. By default, its check run is not known. */
const mark = (scanId: string, credits: number, scans: number, atLeast = false, pullRequest = 7) => ({
  scanId,
  pullRequest,
  ...sampleCost(credits, scans, atLeast),
});

describe('costSoFar', () => {
  test.each([
    ['zero if no mark names the pull request', [], true, sampleCost(0, 0)],
    [
      'the largest total in the marks of the pull request',
      [mark('a', 20, 1), mark('b', 60, 3)],
      true,
      sampleCost(60, 3),
    ],
    ['a lower bound if marks may be missing', [mark('a', 20, 1)], false, sampleCost(20, 1, true)],
    [
      'a lower bound if one of the marks has a lower bound',
      [mark('a', 20, 1, true), mark('b', 60, 3)],
      true,
      sampleCost(60, 3, true),
    ],
    [
      'the total without the marks of other pull requests',
      [mark('a', 20, 1), mark('b', 900, 9, true, 8)],
      true,
      sampleCost(20, 1),
    ],
  ])('costSoFar returns %s', (_what, marks, isWhole, expected) => {
    expect(costSoFar(marks, 7, isWhole)).toEqual(expected);
  });

  test('costSoFar returns a lower bound if a mark has no total', () => {
    const without = { ...mark('a', 0, 0), credits: undefined, scans: undefined };
    expect(costSoFar([without, mark('b', 20, 1)], 7, true)).toEqual(sampleCost(20, 1, true));
  });
});

describe('followsChain', () => {
  const pullRequest = (changes: Partial<TargetPullRequest>) =>
    sampleTarget({ pullRequest: { number: 7, ...changes } }).pullRequest;
  const OPENED = pullRequest({ isNew: true });
  const PUSHED = pullRequest({ previousHead: 'c'.repeat(40) });
  const EDITED = pullRequest({ headIsNew: false });
  const OWN = mark('a', 20, 1);
  const THEIRS = mark('b', 20, 1, false, 70);
  /** A list of all check runs on a commit. `marks` are the proven marks of some of them. */
  const listed = (marks: readonly (typeof OWN)[] = [], ...externalIds: readonly string[]) => ({
    ...ok(marks),
    externalIds: ['', 'v2:x', ...externalIds],
  });
  /** A list of only those check runs that have the name of this check. */
  const NAMED = ok([OWN]);
  const LOST = lostLaunch(7);
  const OTHERS = [
    lostLaunch(70),
    lostLaunch(undefined),
    'run:43:1:00000000-0000-4000-8000-000000000000',
    'lost',
  ];

  type Row = readonly [what: string, ...Parameters<typeof followsChain>];
  const CONTINUED: readonly Row[] = [
    ['for the first run of an opened pull request', 1, OPENED, listed(), undefined],
    ['after a push if the previous head has a mark', 1, PUSHED, listed(), listed([OWN])],
    ['after a push if only some check runs of the previous head are known', 1, PUSHED, listed(), NAMED],
    ['after an edit if the head has a mark', 1, EDITED, listed([OWN]), undefined],
    ['for a re-run if the head has a mark', 2, PUSHED, listed([OWN]), listed()],
    [
      'if no check run shows a lost launch of this pull request',
      1,
      PUSHED,
      listed([], ...OTHERS),
      listed([OWN], ...OTHERS),
    ],
  ];
  const NOT_CONTINUED: readonly Row[] = [
    ['after a push if the previous head has no mark', 1, PUSHED, listed([OWN]), listed()],
    [
      'after a push if the only mark on the previous head is of another pull request',
      1,
      PUSHED,
      listed(),
      listed([THEIRS]),
    ],
    ['after an edit if the head has no mark', 1, EDITED, listed(), listed([OWN])],
    ['for a re-run if the head has no mark', 2, OPENED, listed(), listed([OWN])],
    ['after a lost launch on the head', 1, PUSHED, listed([], LOST), listed([OWN])],
    ['after a lost launch on the previous head', 1, PUSHED, listed(), listed([OWN], LOST)],
    ['after a lost launch for an opened pull request', 1, OPENED, listed([], LOST), undefined],
    ['if only some check runs of the head are known', 1, OPENED, NAMED, undefined],
  ];
  test.each(CONTINUED)('followsChain returns true %s', (_what, ...given) => {
    expect(followsChain(...given)).toBe(true);
  });
  test.each(NOT_CONTINUED)('followsChain returns false %s', (_what, ...given) => {
    expect(followsChain(...given)).toBe(false);
  });
});

describe('createCostLedger', () => {
  const BEFORE = [mark('before', 20, 1)];
  const start = (before = sampleCost(20, 1)) => createCostLedger(before, 7, BEFORE);

  test('the cost ledger returns the earlier total if the run reuses a scan', () => {
    expect(start().total({ scanId: 'before', creditsReserved: 0 })).toEqual(sampleCost(20, 1));
  });

  test('the cost ledger returns a lower bound until the run has read the marks of other jobs', () => {
    const ledger = start();
    expect(ledger.launched('own', 30)).toEqual(sampleCost(50, 2, true));
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(50, 2, true));
    ledger.saw([...BEFORE, mark('own', 50, 2, true)]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(50, 2));
  });

  test('the cost ledger counts the credits that the service reserved if the service chose the budget', () => {
    const ledger = start();
    ledger.launched('own', undefined);
    ledger.saw([]);
    expect(ledger.total({ scanId: 'own' })?.credits).toEqual({ count: 20, atLeast: true });
    expect(ledger.total({ scanId: 'own', creditsReserved: 45 })).toEqual(sampleCost(65, 2));
  });

  test('the cost ledger counts the budget of a scan that shows no credits', () => {
    const ledger = start();
    ledger.launched('own', 30);
    ledger.saw([]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 0 })).toEqual(sampleCost(50, 2));
  });

  test('the cost ledger counts the launch of another job only once', () => {
    const ledger = start();
    ledger.launched('own', 30);
    ledger.saw([mark('own', 50, 2, true), mark('other', 60, 2, true)]);
    ledger.saw([mark('own', 50, 2, true), mark('other', 90, 3)]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(90, 3));
  });

  test("the cost ledger returns a lower bound if the cost of another job's scan is unknown", () => {
    const further = start();
    further.launched('own', 30);
    further.saw([mark('other', 100, 4)]);
    expect(further.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(50, 3, true));
    const unknown = start();
    unknown.launched('own', 30);
    unknown.saw([mark('other', 20, 2, true)]);
    expect(unknown.total({ scanId: 'own', creditsReserved: 30 })).toEqual({
      credits: { count: 50, atLeast: true },
      scans: { count: 3, atLeast: false },
    });
  });

  test('the cost ledger returns a lower bound if a mark counts more scans than the ledger', () => {
    const ledger = start();
    ledger.launched('own', 30);
    ledger.saw([mark('own', 50, 2)]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(50, 2));
    // Another job launched a scan. It cancelled that scan to use the scan `own`. Then the job itself was cancelled.
    ledger.saw([mark('own', 90, 3)]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(50, 2, true));
  });

  const inCheckRun = (id: number, given: ReturnType<typeof mark>) => ({ ...given, checkRun: { id } });

  test.each([
    ['a lower bound without', 'replaces a known mark in its check run', 1, sampleCost(50, 2, true)],
    ['the total with', 'is in another check run', 2, sampleCost(60, 3)],
  ])('the cost ledger returns %s a new mark that %s', (_returns, _is, id, expected) => {
    const ledger = createCostLedger(sampleCost(20, 1), 7, [inCheckRun(1, mark('before', 20, 1))]);
    ledger.launched('own', 30);
    ledger.saw([inCheckRun(id, mark('new', 30, 2))]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(expected);
  });

  test('the cost ledger counts another job once if that job replaces its mark', () => {
    const ledger = start();
    ledger.launched('own', 30);
    ledger.saw([inCheckRun(1, mark('unknown', 60, 2))]);
    ledger.saw([inCheckRun(1, mark('recovered', 60, 2))]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(90, 3, true));
  });

  test('the cost ledger ignores a mark that is replaced by the mark of a reused scan', () => {
    const ledger = start();
    ledger.launched('own', 30);
    ledger.saw([inCheckRun(1, mark('other', 60, 2))]);
    ledger.saw([inCheckRun(1, mark('reused', 20, 1))]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(90, 3));
  });

  test('the cost ledger ignores a scan of another pull request and a reused scan', () => {
    const ledger = start();
    ledger.launched('own', 30);
    ledger.saw([mark('reused', 20, 1), mark('foreign', 40, 2, false, 8)]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(50, 2));
  });

  test('the cost ledger returns a lower bound if a mark counts fewer scans than the earlier total', () => {
    const ledger = start(sampleCost(60, 3));
    ledger.launched('own', 30);
    ledger.saw([mark('other', 20, 1, true)]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toEqual(sampleCost(90, 4, true));
  });

  test('the cost ledger leaves out a scan that is unknown to the service', () => {
    const ledger = start();
    ledger.launched('unknown', 30);
    ledger.saw([]);
    ledger.notLaunched('unknown');
    expect(ledger.total({})).toEqual(sampleCost(20, 1));
    expect(ledger.total({ launchLost: true })).toEqual(sampleCost(20, 1, true));
  });

  test('the cost ledger does not count an unknown scan if the mark of another job names it', () => {
    const ledger = start();
    ledger.launched('unknown', 30);
    ledger.notLaunched('unknown');
    ledger.launched('recovered', 30);
    ledger.saw([mark('unknown', 50, 2)]);
    expect(ledger.total({ scanId: 'recovered', creditsReserved: 30 })).toEqual(sampleCost(50, 2, true));
  });

  test('the cost ledger counts both launches of a run', () => {
    const ledger = start();
    ledger.launched('first', 30);
    ledger.saw([]);
    ledger.launched('second', 30);
    expect(ledger.total({ scanId: 'second', creditsReserved: 30 })).toEqual(sampleCost(80, 3, true));
    ledger.saw([]);
    expect(ledger.total({ scanId: 'second', creditsReserved: 30 })).toEqual(sampleCost(80, 3));
  });

  test('the cost ledger returns undefined without a pull request', () => {
    const ledger = createCostLedger(undefined, undefined, []);
    expect(ledger.launched('own', 30)).toBeUndefined();
    ledger.saw([{ ...mark('other', 0, 0), pullRequest: undefined, credits: undefined, scans: undefined }]);
    expect(ledger.total({ scanId: 'own', creditsReserved: 30 })).toBeUndefined();
  });
});
