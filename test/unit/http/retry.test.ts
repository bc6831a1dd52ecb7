import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import { createPause, parseRetryAfter, withRetry } from '../../../src/http/retry.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';

const now = new Date('1994-11-06T08:49:00Z');

describe('Retry-After', () => {
  test.each([
    ['7', 7],
    [' 120 ', 120],
    ['1.25', 1.25],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 37],
    ['Sun Nov  6 08:49:37 1994', 37],
    ['Sun Nov 13 08:49:37 1994', 7 * 24 * 3600 + 37],
  ])('a Retry-After of %j means %d seconds', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  test.each([
    ...[null, '', '0', '-5', 'Infinity', '9'.repeat(400), '0x10', '1e3', '5, 5', 'soon'],
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

describe('a pause', () => {
  test('a rate limit at the last attempt delays the next call of the client', async () => {
    const clock = new FakeClock();
    const afterFailure = () => ({ again: false, waitMs: 20_000, forAll: true });
    const policy = { clock, signal: NEVER_ABORTED, pause: createPause(clock), afterFailure };
    expect(await withRetry(policy, async () => err('busy'))).toEqual(err('busy'));
    expect(clock.elapsed()).toBe(0);
    expect(await withRetry(policy, async () => ok(clock.elapsed()))).toEqual(ok(20_000));
  });

  test('a call that waits for the end of a pause waits longer if the pause is extended', async () => {
    const clock = new FakeClock({ auto: false });
    const pause = createPause(clock);
    pause.extend(7_000);
    let overAt = 0;
    const over = pause.over(NEVER_ABORTED).then(() => {
      overAt = clock.elapsed();
    });
    await clock.advance(5_000);
    pause.extend(30_000);
    await clock.advance(30_000);
    await over;
    expect(overAt).toBe(35_000);
  });

  test('simultaneous pauses count once towards the limit', () => {
    const pause = createPause(new FakeClock(), 30_000);
    expect([pause.extend(20_000), pause.extend(20_000), pause.extend(30_000)]).toEqual([true, true, true]);
    expect(pause.extend(30_001)).toBe(false);
  });

  test('a pause ends when the signal of the caller aborts', async () => {
    const clock = new FakeClock({ auto: false });
    const pause = createPause(clock);
    pause.extend(20_000);
    const stop = new AbortController();
    const over = pause.over(stop.signal);
    stop.abort();
    await over;
    expect(clock.elapsed()).toBe(0);
  });
});
