import { describe, expect, test } from 'vitest';
import { stopCause } from '../../../src/domain/result.ts';
import { createCleanUpDeadlines, createDeadlines } from '../../../src/runner/deadlines.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function set() {
  const clock = new FakeClock({ auto: false });
  const deadlines = createDeadlines(clock);
  /** Which deadlines have ended, and why. */
  const stopped = () => ({
    work: stopCause(deadlines.work),
    launch: stopCause(deadlines.launch),
    wrapUp: stopCause(deadlines.wrapUp),
  });
  return { clock, deadlines, stopped };
}

const NONE = { work: undefined, launch: undefined, wrapUp: undefined };

describe('a signal', () => {
  test('a signal ends the work at once, a launch request after 3.5 s, and the delivery after 6.5 s', async () => {
    const { clock, deadlines, stopped } = set();
    expect(stopped()).toEqual(NONE);
    deadlines.stop('signal');
    expect(stopped()).toEqual({ ...NONE, work: 'signal' });
    await clock.advance(3_499);
    expect(stopped().launch).toBeUndefined();
    await clock.advance(1);
    expect(stopped()).toEqual({ ...NONE, work: 'signal', launch: 'signal' });
    await clock.advance(2_999);
    expect(stopped().wrapUp).toBeUndefined();
    await clock.advance(1);
    expect(stopped()).toEqual({ work: 'signal', launch: 'signal', wrapUp: 'signal' });
  });

  test('a second signal gives the run no more time', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.stop('signal');
    await clock.advance(6_000);
    deadlines.stop('signal');
    await clock.advance(500);
    expect(stopped().wrapUp).toBe('signal');
  });

  test('a signal after a timeout shortens the remaining time', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.startTimeout(1);
    await clock.advance(60_000);
    expect(stopped()).toEqual({ ...NONE, work: 'timeout' });
    deadlines.stop('signal');
    await clock.advance(6_500);
    expect(stopped()).toEqual({ work: 'timeout', launch: 'timeout', wrapUp: 'signal' });
  });
});

describe('cancelling', () => {
  test('after a signal, cancelling ends one second before the delivery ends', async () => {
    const { clock, deadlines } = set();
    deadlines.stop('signal');
    await clock.advance(5_499);
    expect(stopCause(deadlines.cancelling)).toBeUndefined();
    await clock.advance(1);
    expect([stopCause(deadlines.cancelling), stopCause(deadlines.wrapUp)]).toEqual(['signal', undefined]);
  });

  test('after a timeout, cancelling ends ten seconds before the delivery ends', async () => {
    const { clock, deadlines } = set();
    deadlines.stop('timeout');
    await clock.advance(19_999);
    expect(stopCause(deadlines.cancelling)).toBeUndefined();
    await clock.advance(1);
    expect([stopCause(deadlines.cancelling), stopCause(deadlines.wrapUp)]).toEqual(['timeout', undefined]);
  });

  test('cancelling gets more time if a search for a lost launch outlasts the timeout', async () => {
    const { clock, deadlines } = set();
    deadlines.startTimeout(1);
    await clock.advance(50_000);
    deadlines.startSearch();
    await clock.advance(79_999);
    expect(stopCause(deadlines.cancelling)).toBeUndefined();
    await clock.advance(1);
    expect([stopCause(deadlines.cancelling), stopCause(deadlines.wrapUp)]).toEqual(['timeout', undefined]);
  });
});

describe('the timeout', () => {
  test('after the timeout, half a minute remains to cancel and deliver', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.startTimeout(2);
    await clock.advance(119_999);
    expect(stopped()).toEqual(NONE);
    await clock.advance(1);
    expect(stopped()).toEqual({ ...NONE, work: 'timeout' });
    await clock.advance(29_999);
    expect(stopped().wrapUp).toBeUndefined();
    await clock.advance(1);
    expect(stopped()).toEqual({ work: 'timeout', launch: 'timeout', wrapUp: 'timeout' });
  });

  test('the timeout gives no more time to a run that a signal stopped', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.startTimeout(1);
    await clock.advance(59_000);
    deadlines.stop('signal');
    await clock.advance(6_500);
    expect(stopped()).toEqual({ work: 'signal', launch: 'signal', wrapUp: 'signal' });
  });

  test('a timeout of five days does not stop a run after one day', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.startTimeout(7_200);
    await clock.advance(24 * 60 * 60_000);
    expect(stopped()).toEqual(NONE);
  });
});

describe('the search for a lost launch', () => {
  test('the search for a lost launch ends after a minute', async () => {
    const { clock, deadlines } = set();
    await clock.advance(100_000);
    const search = deadlines.startSearch();
    await clock.advance(59_999);
    expect(stopCause(search)).toBeUndefined();
    await clock.advance(1);
    expect(stopCause(search)).toBe('timeout');
  });

  test('the search for a lost launch leaves half a minute for the delivery', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.startTimeout(1);
    await clock.advance(50_000);
    const search = deadlines.startSearch();
    await clock.advance(59_999);
    expect(stopped()).toMatchObject({ work: 'timeout', wrapUp: undefined });
    expect(stopCause(search)).toBeUndefined();
    await clock.advance(1);
    expect(stopCause(search)).toBe('timeout');
    await clock.advance(29_999);
    expect(stopped().wrapUp).toBeUndefined();
    await clock.advance(1);
    expect(stopped().wrapUp).toBe('timeout');
  });

  test('a run with a search for a lost launch ends at most 90 s after the timeout', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.startTimeout(1);
    await clock.advance(63_500);
    deadlines.startSearch();
    await clock.advance(86_499);
    expect(stopped().wrapUp).toBeUndefined();
    await clock.advance(1);
    expect(stopped().wrapUp).toBe('timeout');
  });

  test('the search for a lost launch does not extend the run if the search ends before the timeout', async () => {
    const { clock, deadlines, stopped } = set();
    deadlines.startTimeout(60);
    deadlines.startSearch();
    await clock.advance(60 * 60_000 + 30_000);
    expect(stopped().wrapUp).toBe('timeout');
  });

  test.each([
    ['before the search', true],
    ['during the search', false],
  ])('a signal %s limits the search for a lost launch to one second', async (_when, before) => {
    const { clock, deadlines, stopped } = set();
    if (before) deadlines.stop('signal');
    const search = deadlines.startSearch();
    if (!before) deadlines.stop('signal');
    await clock.advance(999);
    expect(stopCause(search)).toBeUndefined();
    await clock.advance(1);
    expect(stopCause(search)).toBe('signal');
    await clock.advance(5_500);
    expect(stopped().wrapUp).toBe('signal');
  });
});

test('the clean-up ends after 75 s, and its search for a lost launch ends after 60 s', async () => {
  const clock = new FakeClock({ auto: false });
  const { all, search } = createCleanUpDeadlines(clock);
  await clock.advance(59_999);
  expect(search.aborted).toBe(false);
  await clock.advance(1);
  expect([search.aborted, all.aborted]).toEqual([true, false]);
  await clock.advance(15_000);
  expect(all.aborted).toBe(true);
});

test('leftMs is infinite until the timeout starts, and then counts down', async () => {
  const clock = new FakeClock({ auto: false });
  const deadlines = createDeadlines(clock);
  expect(deadlines.leftMs()).toBe(Number.POSITIVE_INFINITY);
  await clock.advance(5_000);
  deadlines.startTimeout(2);
  expect(deadlines.leftMs()).toBe(120_000);
  await clock.advance(30_000);
  expect(deadlines.leftMs()).toBe(90_000);
});

test.each([
  ['timeout', 20_000],
  ['signal', 5_500],
] as const)('after a %s, leftMs counts down to the end of cancelling', async (cause, left) => {
  const clock = new FakeClock({ auto: false });
  const deadlines = createDeadlines(clock);
  deadlines.startTimeout(2);
  deadlines.stop(cause);
  expect(deadlines.leftMs()).toBe(left);
  await clock.advance(left - 1);
  expect(deadlines.cancelling.aborted).toBe(false);
  await clock.advance(1);
  expect([deadlines.leftMs(), deadlines.cancelling.aborted]).toEqual([0, true]);
});

test('in the clean-up, leftMs counts down from 75 s', async () => {
  const clock = new FakeClock({ auto: false });
  const deadlines = createCleanUpDeadlines(clock);
  await clock.advance(30_000);
  expect(deadlines.leftMs()).toBe(45_000);
});
