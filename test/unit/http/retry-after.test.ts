import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../../src/http/retry-after.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { waitAfterFailure } from '../../../src/scan-api/retry.ts';

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
  ])('%j means %d seconds', (header, seconds) => {
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
  ])('%j means nothing', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  test('is finite and positive or nothing, whatever the header', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)), (header) => {
        const seconds = parseRetryAfter(header, now);
        expect(seconds === undefined || (Number.isFinite(seconds) && seconds > 0)).toBe(true);
      }),
    );
  });
});

describe('the wait after a failure', () => {
  const limited = (retryAfterSeconds: number | undefined): ApiError => ({
    kind: 'refused',
    operation: 'read the scan',
    status: 429,
    code: 'rate_limited',
    message: '',
    retryAfterSeconds,
    tooFresh: false,
  });

  test.each([
    [0.2, 1_000],
    [7, 7_000],
    [3_600, 60_000],
  ])('an advice of %d s means %d ms', (advised, wait) => {
    expect(waitAfterFailure(limited(advised), 1, () => 0.9)).toBe(wait);
  });

  test.each([
    [1, 0, 1_000],
    [1, 0.5, 2_000],
    [3, 0.5, 5_000],
    [10, 0.5, 10_500],
  ])('after %d failures and a draw of %d it is %d ms', (failures, draw, wait) => {
    expect(waitAfterFailure(limited(undefined), failures, () => draw)).toBe(wait);
  });

  test('never leaves 1 to 60 seconds, whatever the header, the failures and the draw', () => {
    const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.nat().map(String)),
        fc.nat(5_000),
        draws,
        (header, failures, draw) => {
          const wait = waitAfterFailure(limited(parseRetryAfter(header, now)), failures + 1, () => draw);
          expect(wait).toBeGreaterThanOrEqual(1_000);
          expect(wait).toBeLessThanOrEqual(60_000);
        },
      ),
    );
  });
});
