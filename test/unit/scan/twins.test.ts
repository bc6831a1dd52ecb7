import { describe, expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import { elderTwins, type RankedMark, yieldToTwin } from '../../../src/scan/twins.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { aScan, BASE, HEAD, refused, unreachable } from './fake-api.ts';

const OWN = {
  projectId: 'p',
  scanId: 'own',
  launchedAt: 1_000,
  key: 'k',
  rank: 20,
  expected: { baseSha: BASE, headSha: HEAD },
};
const ELDER: RankedMark = { scanId: 'elder', launchedAt: 1_000, key: 'k', rank: 10 };
const FIRST: RankedMark = { scanId: 'first', launchedAt: 1_000, key: 'k', rank: 5 };
const YOUNGER: RankedMark = { scanId: 'younger', launchedAt: 1_000, key: 'k', rank: 30 };

describe('elderTwins', () => {
  test.each<[string, RankedMark[], RankedMark[]]>([
    ['nothing without other marks', [], []],
    ['a mark of a smaller rank', [ELDER], [ELDER]],
    ['no mark of a larger rank', [YOUNGER], []],
    ['no mark of its own rank', [{ ...ELDER, rank: 20 }], []],
    ['no mark of another key', [{ ...ELDER, key: 'other' }], []],
    ['no mark of its own scan, whatever its rank', [{ ...ELDER, scanId: 'own' }], []],
    ['no mark after another check run of its own scan', [{ ...OWN, rank: 8 }, ELDER], []],
    ['the marks before every check run of its own scan', [{ ...OWN, rank: 8 }, ELDER, FIRST], [FIRST]],
    [
      'a mark despite a check run of its own scan under another key',
      [{ ...OWN, rank: 8, key: 'x' }, ELDER],
      [ELDER],
    ],
    ['the marks with the smallest rank first', [YOUNGER, ELDER, OWN, FIRST], [FIRST, ELDER]],
    [
      'the marks in numeric order',
      [
        { ...ELDER, rank: 9 },
        { ...FIRST, rank: 10 },
      ],
      [
        { ...ELDER, rank: 9 },
        { ...FIRST, rank: 10 },
      ],
    ],
  ])('returns %s', (_what, marks, elders) => {
    expect(elderTwins(marks, OWN)).toEqual(elders);
  });
});

type Marks = readonly RankedMark[] | undefined;
type Read = Result<Scan, ApiError>;
const cannotCancel = refused(400, 'bad_request', { operation: 'cancel the scan' });
const gone = refused(404, 'not_found');

interface Options {
  /** The service's answer for each scan; by default it knows none. */
  readonly scans?: Readonly<Record<string, Read>>;
  /** The answer to cancelling the run's own scan. */
  readonly cancel?: Result<void, ApiError>;
  /** The own scan ends, or the run is stopped, during this step. */
  readonly endsDuring?: 'wait' | 'marks' | 'read' | 'cancel';
}

/** @param looks the marks at each look; a test with more looks fails */
async function play(looks: readonly Marks[], options: Options = {}) {
  const clock = new FakeClock({ auto: false });
  const ended = new AbortController();
  const endIn = (during: Options['endsDuring']) => {
    if (options.endsDuring === during) ended.abort();
  };
  const cancelSignal = new AbortController().signal;
  const times: number[] = [];
  const read: string[] = [];
  const cancelled: string[] = [];
  let done = false;
  const elder = yieldToTwin(
    {
      api: {
        readScan: async (_project, id, { signal }) => {
          expect(signal).toBe(id === 'own' ? cancelSignal : ended.signal);
          if (id !== 'own') endIn('read');
          read.push(id);
          return options.scans?.[id] ?? gone;
        },
        cancel: async (_project, id, { signal }) => {
          expect(signal).toBe(cancelSignal);
          endIn('cancel');
          cancelled.push(id);
          return options.cancel ?? ok(undefined);
        },
      },
      clock,
      signal: ended.signal,
      cancelSignal,
      readMarks: async () => {
        if (times.length >= looks.length) throw new Error('looked once too often');
        endIn('marks');
        times.push(clock.now());
        return looks[times.length - 1];
      },
    },
    OWN,
  ).finally(() => {
    done = true;
  });
  if (options.endsDuring === 'wait') {
    await clock.advance(2_000);
    endIn('wait');
  }
  await clock.advance(60_000);
  expect(done).toBe(true);
  const yielded = await elder;
  // The internal value `own` is never returned.
  expect(['undefined', 'object']).toContain(typeof yielded);
  return {
    elder: yielded?.own === 'ended' ? yielded.elder : undefined,
    ...(yielded?.own === 'unknown' ? { unsettled: yielded.elder } : {}),
    times,
    read,
    cancelled,
  };
}

const running: Read = ok(aScan('RUNNING'));
const ELDER_RUNS = { elder: running };

describe('yieldToTwin, if a twin ranks first', () => {
  test.each(['QUEUED', 'RUNNING', 'WINDING_DOWN', 'COMPLETED'])(
    'cancels its own scan and follows the twin that was just read as %s',
    async (status) => {
      expect(await play([[ELDER, OWN]], { scans: { elder: ok(aScan(status)) } })).toEqual({
        elder: ELDER,
        times: [0],
        read: ['elder'],
        cancelled: ['own'],
      });
    },
  );

  test('finds the twin at the second look, 5 s after the first', async () => {
    expect(await play([[OWN], [OWN, ELDER]], { scans: ELDER_RUNS })).toEqual({
      elder: ELDER,
      times: [0, 5_000],
      read: ['elder'],
      cancelled: ['own'],
    });
  });

  test('follows the twin that ranks first of all', async () => {
    const scans = { elder: running, first: running };
    expect(await play([[ELDER, FIRST, OWN]], { scans })).toMatchObject({ elder: FIRST, read: ['first'] });
  });

  test.each<[string, Read]>([
    ['FAILED', ok(aScan('FAILED'))],
    ['CANCELLED', ok(aScan('CANCELLED'))],
    ['unknown', gone],
    ['unreadable', unreachable('unknown', 'reset')],
    ['running for another commit', ok(aScan('RUNNING', { headSha: BASE }))],
    ['COMPLETED from another base', ok(aScan('COMPLETED', { baseSha: HEAD }))],
  ])('keeps its own scan if the twin is %s, and looks again', async (_what, twin) => {
    expect(
      await play(
        [
          [ELDER, OWN],
          [ELDER, OWN],
        ],
        { scans: { elder: twin } },
      ),
    ).toEqual({
      elder: undefined,
      times: [0, 5_000],
      read: ['elder', 'elder'],
      cancelled: [],
    });
  });

  test('skips a twin that has failed, and follows the next', async () => {
    const scans = { first: ok(aScan('FAILED')), elder: running };
    expect(await play([[FIRST, ELDER, OWN]], { scans })).toMatchObject({
      elder: ELDER,
      read: ['first', 'elder'],
      cancelled: ['own'],
    });
  });
});

describe('yieldToTwin: no twin, or no cancellation', () => {
  test('keeps its own scan without another mark, after two looks', async () => {
    expect(await play([[OWN], [OWN]])).toEqual({
      elder: undefined,
      times: [0, 5_000],
      read: [],
      cancelled: [],
    });
  });

  test.each<[string, RankedMark]>([
    ['of a larger rank', YOUNGER],
    ['of another key', { ...ELDER, key: 'other' }],
    ['that names its own scan', { ...ELDER, scanId: 'own' }],
    ['of its own rank', { ...ELDER, rank: OWN.rank }],
  ])('keeps its own scan next to a mark %s', async (_what, mark) => {
    const scans = { [mark.scanId]: running };
    expect(
      await play(
        [
          [mark, OWN],
          [mark, OWN],
        ],
        { scans },
      ),
    ).toMatchObject({
      elder: undefined,
      read: [],
      cancelled: [],
    });
  });

  test('keeps its own scan if that was COMPLETED before it could be cancelled', async () => {
    expect(
      await play([[ELDER, OWN]], {
        scans: { ...ELDER_RUNS, own: ok(aScan('COMPLETED')) },
        cancel: cannotCancel,
      }),
    ).toEqual({ elder: undefined, times: [0], read: ['elder', 'own'], cancelled: ['own'] });
  });

  test.each<[string, Read, Result<void, ApiError>]>([
    ['is refused and it is still running', running, cannotCancel],
    ['is forbidden', running, refused(403, 'forbidden')],
    ['is not answered and it is still running', running, unreachable('unknown', 'reset')],
    [
      'is not answered and it cannot be read',
      unreachable('unknown', 'reset'),
      unreachable('unknown', 'reset'),
    ],
  ])('keeps its own scan if its cancellation %s', async (_what, own, cancel) => {
    expect(await play([[ELDER, OWN]], { scans: { ...ELDER_RUNS, own }, cancel })).toEqual({
      elder: undefined,
      unsettled: ELDER,
      times: [0],
      read: ['elder', 'own'],
      cancelled: ['own'],
    });
  });
});

describe('yieldToTwin: decided at the second look', () => {
  test.each<[string, Read, object]>([
    ['it was COMPLETED before it could be cancelled', ok(aScan('COMPLETED')), {}],
    ['its cancellation is refused', running, { unsettled: ELDER }],
    ['it had ended and cannot be read', unreachable('unknown', 'reset'), { unsettled: ELDER }],
  ])('keeps its own scan if, at the second look, %s', async (_what, own, settled) => {
    const scans = { ...ELDER_RUNS, own };
    expect(await play([[OWN], [ELDER, OWN]], { scans, cancel: cannotCancel })).toEqual({
      elder: undefined,
      ...settled,
      times: [0, 5_000],
      read: ['elder', 'own'],
      cancelled: ['own'],
    });
  });
});

describe('yieldToTwin: its own scan has ended', () => {
  test.each<[string, Read, Result<void, ApiError>]>([
    ['FAILED before it could be cancelled', ok(aScan('FAILED')), cannotCancel],
    ['was CANCELLED by another user', ok(aScan('CANCELLED')), cannotCancel],
    ['is CANCELLED although the answer was lost', ok(aScan('CANCELLED')), unreachable('unknown', 'reset')],
  ])('follows the twin if its own scan %s', async (_what, own, cancel) => {
    expect(await play([[ELDER, OWN]], { scans: { ...ELDER_RUNS, own }, cancel })).toMatchObject({
      elder: ELDER,
      cancelled: ['own'],
    });
  });
});

describe('yieldToTwin, if the marks cannot be read', () => {
  test('looks again if the first look cannot read the marks', async () => {
    expect(await play([undefined, [ELDER, OWN]], { scans: ELDER_RUNS })).toMatchObject({
      elder: ELDER,
      times: [0, 5_000],
    });
  });

  test('reads the marks every 5 s, up to four times after the first look', async () => {
    const looks = [[OWN], undefined, undefined, undefined, [ELDER, OWN]];
    expect(await play(looks, { scans: ELDER_RUNS })).toMatchObject({
      elder: ELDER,
      times: [0, 5_000, 10_000, 15_000, 20_000],
    });
  });

  test('keeps its own scan if the marks can never be read', async () => {
    expect(await play([undefined, undefined, undefined, undefined, undefined])).toEqual({
      elder: undefined,
      times: [0, 5_000, 10_000, 15_000, 20_000],
      read: [],
      cancelled: [],
    });
  });

  test('does not read the marks again after the second look succeeded', async () => {
    expect(await play([undefined, undefined, [OWN]])).toMatchObject({
      elder: undefined,
      times: [0, 5_000, 10_000],
    });
  });
});

describe('yieldToTwin, if its own scan has ended or the run is stopped', () => {
  test('reads no more marks during the wait', async () => {
    expect(await play([[OWN]], { endsDuring: 'wait' })).toEqual({
      elder: undefined,
      times: [0],
      read: [],
      cancelled: [],
    });
  });

  test.each(['marks', 'read'] as const)(
    'cancels nothing while it looks for a twin (%s)',
    async (endsDuring) => {
      expect(
        await play([[ELDER, FIRST, OWN]], { endsDuring, scans: { first: running, elder: running } }),
      ).toEqual({
        elder: undefined,
        times: [0],
        read: ['first'],
        cancelled: [],
      });
    },
  );

  test('follows the twin if its own scan ends during the cancellation', async () => {
    expect(await play([[ELDER, OWN]], { endsDuring: 'cancel', scans: ELDER_RUNS })).toMatchObject({
      elder: ELDER,
      cancelled: ['own'],
    });
  });
});
