import { describe, expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import { elderTwins, type RankedMark, type Yielded, yieldToTwin } from '../../../src/scan/twins.ts';
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
const FIRST: RankedMark = { ...ELDER, scanId: 'first', rank: 5 };
const YOUNGER: RankedMark = { ...ELDER, scanId: 'younger', rank: 30 };

test.each<[string, RankedMark[], RankedMark[]]>([
  ['nothing if there are no marks', [], []],
  ['a mark of a smaller rank than the given mark', [ELDER], [ELDER]],
  ['no mark of a larger rank', [YOUNGER], []],
  ['no mark of the same rank', [{ ...ELDER, rank: 20 }], []],
  ['no mark of another key', [{ ...ELDER, key: 'other' }], []],
  ['no mark of the given scan', [{ ...ELDER, scanId: 'own' }], []],
  ['no mark that ranks after one of two marks of the given scan', [{ ...OWN, rank: 8 }, ELDER], []],
  ['the marks that rank before all marks of the given scan', [{ ...OWN, rank: 8 }, ELDER, FIRST], [FIRST]],
  [
    'a mark that ranks after a mark of the given scan with another key',
    [{ ...OWN, rank: 8, key: 'x' }, ELDER],
    [ELDER],
  ],
  ['the marks in the order of their ranks', [YOUNGER, ELDER, OWN, FIRST], [FIRST, ELDER]],
  ['only the first-ranked of several marks of one scan', [{ ...ELDER, rank: 15 }, ELDER, OWN], [ELDER]],
])('elderTwins returns %s', (_what, marks, elders) => {
  expect(elderTwins(marks, OWN)).toEqual(elders);
});

interface Meeting {
  readonly name: string;
  /** The marks that each read returns; undefined if the read fails. The test fails if there are more reads. */
  readonly marks: readonly (readonly RankedMark[] | undefined)[];
  /** How the service shows each scan, by id. The service does not know a scan without an entry. */
  readonly scans?: Readonly<Record<string, Result<Scan, ApiError>>>;
  /** The answer to the cancellation of the run's own scan. */
  readonly cancel?: Result<void, ApiError>;
  /** The step during which the run's own scan ends, or the run is stopped. */
  readonly endsDuring?: 'wait' | 'marks' | 'read' | 'cancel';
  /** Undefined: the run keeps its own scan. */
  readonly yielded?: Yielded;
  readonly seen?: Partial<Seen>;
}

interface Seen {
  /** When the marks were read. */
  readonly times: readonly number[];
  /** The scans that were read. */
  readonly read: readonly string[];
  readonly cancelled: readonly string[];
}

async function play({ marks, scans = {}, cancel = ok(undefined), endsDuring }: Meeting) {
  const clock = new FakeClock({ auto: false });
  const ended = new AbortController();
  const { signal: cancelSignal } = new AbortController();
  const endIn = (during: Meeting['endsDuring']) => {
    if (endsDuring === during) ended.abort();
  };
  const times: number[] = [];
  const read: string[] = [];
  const cancelled: string[] = [];
  let done = false;
  const yielding = yieldToTwin(
    {
      api: {
        readScan: async (_project, id, { signal }) => {
          expect(signal).toBe(id === 'own' ? cancelSignal : ended.signal);
          if (id !== 'own') endIn('read');
          read.push(id);
          return scans[id] ?? refused(404, 'not_found');
        },
        cancel: async (_project, id, { signal }) => {
          expect(signal).toBe(cancelSignal);
          endIn('cancel');
          cancelled.push(id);
          return cancel;
        },
      },
      clock,
      signal: ended.signal,
      cancelSignal,
      readMarks: async () => {
        if (times.length >= marks.length) throw new Error('read the marks once too often');
        endIn('marks');
        times.push(clock.now());
        return marks[times.length - 1];
      },
    },
    OWN,
  ).finally(() => {
    done = true;
  });
  await clock.advance(2_000);
  endIn('wait');
  await clock.advance(60_000);
  expect(done).toBe(true);
  return { yielded: await yielding, times, read, cancelled };
}

function testMeetings(meetings: readonly Meeting[]): void {
  // `test.each` would shorten the names of the tests.
  for (const meeting of meetings) {
    test(meeting.name, async () => {
      const { yielded, ...seen } = await play(meeting);
      expect(yielded).toEqual(meeting.yielded);
      expect(seen).toMatchObject(meeting.seen ?? {});
    });
  }
}

const running = ok(aScan('RUNNING'));
const completed = ok(aScan('COMPLETED'));
const failed = ok(aScan('FAILED'));
const lost = unreachable('unknown', 'reset');
/** The service refuses to cancel a scan that has ended. */
const hasEnded = refused(400, 'bad_request', { operation: 'cancel the scan' });

describe('a job yields to the job that came first', () => {
  const BOTH = [[ELDER, OWN]];
  const yielded: Yielded = { elder: ELDER, own: 'ended' };
  const cancelled = ['own'];
  testMeetings([
    {
      name: 'yieldToTwin cancels its own scan, and follows a running scan whose mark ranks first',
      marks: BOTH,
      scans: { elder: running },
      yielded,
      seen: { times: [0], read: ['elder'], cancelled },
    },
    {
      name: 'yieldToTwin cancels its own scan, and uses a completed scan whose mark ranks first',
      marks: BOTH,
      scans: { elder: completed },
      yielded,
      seen: { cancelled },
    },
    {
      name: 'yieldToTwin yields if only the second read of the marks shows an earlier job',
      marks: [[OWN], [OWN, ELDER]],
      scans: { elder: running },
      yielded,
      seen: { times: [0, 5_000], cancelled },
    },
    {
      name: 'yieldToTwin yields to the job whose mark ranks first of all',
      marks: [[ELDER, FIRST, OWN]],
      scans: { elder: running, first: running },
      yielded: { elder: FIRST, own: 'ended' },
      seen: { read: ['first'] },
    },
    {
      name: 'yieldToTwin yields to the second-ranked job if the scan of the first-ranked job has failed',
      marks: [[FIRST, ELDER, OWN]],
      scans: { first: failed, elder: running },
      yielded,
      seen: { read: ['first', 'elder'], cancelled },
    },
    {
      name: 'yieldToTwin yields if its own scan has failed before the cancellation',
      marks: BOTH,
      scans: { elder: running, own: failed },
      cancel: hasEnded,
      yielded,
    },
    {
      name: 'yieldToTwin yields if its own scan ends during the cancellation',
      marks: BOTH,
      endsDuring: 'cancel',
      scans: { elder: running },
      yielded,
      seen: { cancelled },
    },
    {
      name: 'yieldToTwin yields even if the cancellation of its own scan fails for a minute',
      marks: BOTH,
      scans: { elder: running, own: running },
      cancel: lost,
      yielded: { elder: ELDER, own: 'unknown' },
      seen: { cancelled: Array<string>(10).fill('own') },
    },
    {
      name: 'yieldToTwin yields even if its own scan has ended and cannot be read',
      marks: BOTH,
      scans: { elder: running, own: lost },
      cancel: hasEnded,
      yielded: { elder: ELDER, own: 'unknown' },
    },
    {
      name: 'yieldToTwin yields if the first read of the marks fails and the second shows an earlier job',
      marks: [undefined, [ELDER, OWN]],
      scans: { elder: running },
      yielded,
      seen: { times: [0, 5_000] },
    },
    {
      name: 'yieldToTwin repeats the second read of the marks until it succeeds',
      marks: [[OWN], undefined, undefined, undefined, [ELDER, OWN]],
      scans: { elder: running },
      yielded,
      seen: { times: [0, 5_000, 10_000, 15_000, 20_000] },
    },
  ]);
});

describe('a job keeps its own scan', () => {
  const TWICE = [
    [ELDER, OWN],
    [ELDER, OWN],
  ];
  const cancelled: string[] = [];
  testMeetings([
    {
      name: 'yieldToTwin keeps its own scan if two reads of the marks show no other mark',
      marks: [[OWN], [OWN]],
      seen: { times: [0, 5_000], read: [], cancelled },
    },
    {
      name: 'yieldToTwin keeps its own scan if the first successful read shows no other mark',
      marks: [undefined, undefined, [OWN]],
      seen: { times: [0, 5_000, 10_000] },
    },
    {
      name: 'yieldToTwin keeps its own scan if the marks can never be read',
      marks: Array<undefined>(5).fill(undefined),
      seen: { cancelled },
    },
    ...(
      [
        ['has failed', failed],
        ['is cancelled', ok(aScan('CANCELLED'))],
        ['cannot be read', lost],
        ['shows another change', ok(aScan('RUNNING', { headSha: BASE }))],
      ] as const
    ).map(([what, elder]) => ({
      name: `yieldToTwin keeps its own scan if the scan of the first job ${what}`,
      marks: TWICE,
      scans: { elder },
      seen: { times: [0, 5_000], read: ['elder', 'elder'], cancelled },
    })),
    {
      name: 'yieldToTwin reads a scan only once for each read of the marks, even if several marks name the scan',
      marks: [
        [ELDER, { ...ELDER, rank: 15 }, OWN],
        [ELDER, { ...ELDER, rank: 15 }, OWN],
      ],
      scans: { elder: lost },
      seen: { times: [0, 5_000], read: ['elder', 'elder'], cancelled },
    },
    {
      name: 'yieldToTwin keeps its own scan if that scan was completed before the cancellation',
      marks: [[ELDER, OWN]],
      scans: { elder: running, own: completed },
      cancel: hasEnded,
      seen: { times: [0] },
    },
    {
      name: 'yieldToTwin keeps its completed scan if the second read of the marks shows an earlier job',
      marks: [[OWN], [ELDER, OWN]],
      scans: { elder: running, own: completed },
      cancel: hasEnded,
      seen: { times: [0, 5_000] },
    },
    {
      name: 'yieldToTwin reads no more marks after its own scan has ended',
      marks: [[OWN]],
      endsDuring: 'wait',
      seen: { times: [0], cancelled },
    },
    {
      name: 'yieldToTwin cancels nothing if its own scan ends while it reads the marks',
      marks: [[ELDER, FIRST, OWN]],
      scans: { elder: running, first: running },
      endsDuring: 'marks',
      seen: { times: [0], read: ['first'], cancelled },
    },
    {
      name: 'yieldToTwin cancels nothing if its own scan ends while it reads the first-ranked scan',
      marks: [[ELDER, FIRST, OWN]],
      scans: { elder: running, first: running },
      endsDuring: 'read',
      seen: { times: [0], read: ['first'], cancelled },
    },
  ]);
});
