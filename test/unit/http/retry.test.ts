import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import {
  type Advising,
  type AfterFailure,
  advisedWait,
  createPause,
  parseRetryAfter,
  withRetry,
} from '../../../src/http/retry.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { waitAfterFailure } from '../../../src/scan-api/retry.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';

const now = new Date('1994-11-06T08:49:00Z');

describe('Retry-After', () => {
  test.each([
    ['7', 7],
    [' 120 ', 120],
    ['1.5', 1.5],
    ['1.25', 1.25],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 37],
    ['Sun Nov  6 08:49:37 1994', 37],
    ['Sun Nov 13 08:49:37 1994', 7 * 24 * 3600 + 37],
  ])('a Retry-After of %j means %d seconds', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  test.each([
    null,
    '',
    '0',
    '-5',
    'NaN',
    'Infinity',
    '9'.repeat(400),
    '0x10',
    '1e3',
    '5, 5',
    'soon',
    '5 minutes',
    '2026-01-01T00:00:00Z',
    'on Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT GMT',
    'on Sunday, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT GMT',
    'on Sun Nov  6 08:49:37 1994',
    'Sun Nov  6 08:49:37 1994 GMT',
    'Sun, 06 Nov 1994 08:48:59 GMT',
    'Sun, 99 Foo 1994 08:49:37 GMT',
  ])('a Retry-After of %j is ignored', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  test('any Retry-After is read as a finite positive number, or is ignored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)), (header) => {
        const seconds = parseRetryAfter(header, now);
        expect(seconds === undefined || (Number.isFinite(seconds) && seconds > 0)).toBe(true);
      }),
    );
  });
});

describe('the advice', () => {
  test.each<[Advising, number, number]>([
    ['rate-limit', 0.2, 1_000],
    ['rate-limit', 1, 1_000],
    ['rate-limit', 75, 75_000],
    ['rate-limit', 86_400, 86_400_000],
    ['poll', 0.2, 1_000],
    ['poll', 1, 1_000],
    ['poll', 600, 600_000],
    ['poll', 601, 600_000],
    ['failure', 0.2, 1_000],
    ['failure', 60, 60_000],
    ['failure', 61, 60_000],
  ])('after an answer of the kind %s that advises %d s, the wait is %d ms', (advising, seconds, wait) => {
    expect(advisedWait(advising, seconds)).toBe(wait);
  });

  test.each<Advising>(['rate-limit', 'poll', 'failure'])(
    'advisedWait returns undefined for an answer of the kind %s without advice',
    (advising) => {
      expect(advisedWait(advising, undefined)).toBeUndefined();
    },
  );
});

describe('the wait after a failure', () => {
  const failed = (status: number, retryAfterSeconds: number | undefined): ApiError => ({
    kind: 'refused',
    operation: 'read the scan',
    status,
    code: 'other',
    message: '',
    retryAfterSeconds,
  });

  test.each([
    [429, 0.2, 1_000],
    [429, 7, 7_000],
    [429, 3_600, 3_600_000],
    [503, 0.2, 1_000],
    [503, 7, 7_000],
    [503, 3_600, 60_000],
    [413, 3_600, 60_000],
  ])('the wait after a status %d that advises %d s is %d ms', (status, advised, wait) => {
    expect(waitAfterFailure(failed(status, advised), 1, () => 0.9)).toBe(wait);
  });

  test.each([
    [7, 7_000],
    [601, 600_000],
    [10 ** 13, 600_000],
  ])('if the advice of a 429 (%d s) outlasts the run, waitAfterFailure returns %d ms', (advised, wait) => {
    const error = { ...failed(429, advised), outlastsRun: true };
    expect(waitAfterFailure(error, 1, () => 0.9)).toBe(wait);
  });

  test.each([
    [1, 0, 1_000],
    [1, 0.5, 2_000],
    [3, 0.5, 5_000],
    [10, 0.5, 10_500],
  ])(
    'without advice, failure number %d and the random number %d lead to a wait of %d ms',
    (failures, draw, wait) => {
      for (const status of [429, 503]) {
        expect(waitAfterFailure(failed(status, undefined), failures, () => draw)).toBe(wait);
      }
    },
  );

  test('the wait after a 503 is always between 1 and 60 seconds', () => {
    const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.nat().map(String)),
        fc.nat(5_000),
        draws,
        (header, failures, draw) => {
          const advised = parseRetryAfter(header, now);
          const wait = waitAfterFailure(failed(503, advised), failures + 1, () => draw);
          expect(wait).toBeGreaterThanOrEqual(1_000);
          expect(wait).toBeLessThanOrEqual(60_000);
          const limited = waitAfterFailure(failed(429, advised), failures + 1, () => draw);
          expect(limited).toBeGreaterThanOrEqual(wait);
          expect(limited).toBeLessThanOrEqual(Math.max(advised ?? 0, 20) * 1_000);
        },
      ),
    );
  });
});

const AGAIN: AfterFailure = { again: true, waitMs: 1_000, forAll: false };
const ENOUGH: AfterFailure = { again: false, waitMs: 1_000, forAll: false };

/**
 * Makes a call that gets these answers in order.
 * @param after what follows each failure; the last element repeats
 */
async function play(
  answers: readonly Result<string, string>[],
  after: readonly AfterFailure[],
  { clock = new FakeClock(), pause = createPause(clock) } = {},
) {
  const seen: [string, number][] = [];
  let calls = 0;
  const answer = await withRetry(
    {
      clock,
      signal: NEVER_ABORTED,
      pause,
      afterFailure: (error: string, attempts) => {
        seen.push([error, attempts]);
        return after[Math.min(attempts, after.length) - 1] ?? ENOUGH;
      },
    },
    async () => {
      calls += 1;
      return answers[Math.min(calls, answers.length) - 1] ?? err('none');
    },
  );
  return { answer, calls, seen, sleeps: clock.sleeps };
}

describe('a call', () => {
  test('a call is made once if it succeeds', async () => {
    expect(await play([ok('yes')], [AGAIN])).toEqual({ answer: ok('yes'), calls: 1, seen: [], sleeps: [] });
  });

  test('a failed call is repeated until it succeeds, each time after a wait', async () => {
    expect(await play([err('a'), err('b'), ok('yes')], [AGAIN])).toEqual({
      answer: ok('yes'),
      calls: 3,
      seen: [
        ['a', 1],
        ['b', 2],
      ],
      sleeps: [1_000, 1_000],
    });
  });

  test('a call returns the last failure if it may not be repeated', async () => {
    const { answer, calls, sleeps } = await play([err('a'), err('b')], [AGAIN, ENOUGH]);
    expect({ answer, calls, sleeps }).toEqual({ answer: err('b'), calls: 2, sleeps: [1_000] });
  });
});

describe('createPause', () => {
  const LIMITED: AfterFailure = { again: true, waitMs: 20_000, forAll: true };

  test('a failure can delay all later calls of the client', async () => {
    const clock = new FakeClock();
    const pause = createPause(clock);
    await play([err('busy'), ok('yes')], [LIMITED], { clock, pause });
    expect(clock.now()).toBe(20_000);
    await play([err('busy')], [{ ...LIMITED, again: false }], { clock, pause });
    expect(clock.now()).toBe(20_000);
    await play([ok('yes')], [], { clock, pause });
    expect(clock.now()).toBe(40_000);
  });

  test('simultaneous pauses count once towards the limit', () => {
    const pause = createPause(new FakeClock(), 30_000);
    expect([pause.extend(20_000), pause.extend(20_000), pause.extend(30_000)]).toEqual([true, true, true]);
    expect(pause.extend(30_001)).toBe(false);
  });

  test('a call fails if its pause would exceed the total limit for pauses', async () => {
    const clock = new FakeClock();
    const pause = createPause(clock, 30_000);
    const { answer, calls } = await play([err('busy')], [LIMITED], { clock, pause });
    expect({ answer, calls }).toEqual({ answer: err('busy'), calls: 2 });
    expect(clock.now()).toBe(20_000);
  });

  test('a pause ends when the signal of the caller aborts', async () => {
    const clock = new FakeClock({ auto: false });
    const pause = createPause(clock);
    pause.extend(20_000);
    const stop = new AbortController();
    const over = pause.over(stop.signal);
    stop.abort();
    await over;
    expect(clock.now()).toBe(0);
  });
});
