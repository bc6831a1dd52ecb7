import { describe, expect, test } from 'vitest';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import { type AfterFailure, createPause, withRetry } from '../../../src/http/with-retry.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';

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
