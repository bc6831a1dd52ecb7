import { expect, test } from 'vitest';
import { stopCause } from '../../../src/domain/result.ts';
import { createCleanUpDeadlines, createDeadlines, type Deadlines } from '../../../src/runner/deadlines.ts';
import { FakeClock } from '../../support/fake-clock.ts';

type Action = (deadlines: Deadlines) => unknown;
const signal: Action = (deadlines) => deadlines.stop('signal');
const timeout: Action = (deadlines) => deadlines.stop('timeout');
const timeoutOf =
  (minutes: number): Action =>
  (deadlines) =>
    deadlines.startTimeout(minutes);
const search: Action = (deadlines) => deadlines.startSearch();

/** What happens in a run, each with its time in seconds. */
const RUNS: Readonly<Record<string, readonly (readonly [seconds: number, action: Action])[]>> = {
  'a signal': [[0, signal]],
  'a second signal after 6 s': [
    [0, signal],
    [6, signal],
  ],
  'a timeout at once': [
    [0, timeoutOf(2)],
    [0, timeout],
  ],
  'a timeout of two minutes': [[0, timeoutOf(2)]],
  'a timeout of a minute, and a signal one second before its end': [
    [0, timeoutOf(1)],
    [59, signal],
  ],
  'a timeout of a minute, and a signal at its end': [
    [0, timeoutOf(1)],
    [60, signal],
  ],
  'a search after 100 s': [[100, search]],
  'a timeout of a minute, and a search ten seconds before its end': [
    [0, timeoutOf(1)],
    [50, search],
  ],
  'a timeout of a minute, and a search as late as possible': [
    [0, timeoutOf(1)],
    [63.5, search],
  ],
  'a timeout of an hour, and a search that ends before it': [
    [0, timeoutOf(60)],
    [0, search],
  ],
  'a signal, and a search': [
    [0, signal],
    [0, search],
  ],
  'a search, and a signal': [
    [0, search],
    [0, signal],
  ],
};

/** Adds a line when a deadline ends: when, and why. */
function record(lines: string[], clock: FakeClock, name: string, deadline: AbortSignal): void {
  const end = () => lines.push(`${clock.now() / 1000} s: ${name} ends (${stopCause(deadline)})`);
  deadline.addEventListener('abort', end, { once: true });
}

test('the deadlines of a run end at the times of the golden file', async () => {
  const pages: string[] = [];
  for (const [what, actions] of Object.entries(RUNS)) {
    const clock = new FakeClock({ auto: false });
    const deadlines = createDeadlines(clock);
    const lines: string[] = [];
    for (const name of ['work', 'launch', 'cancelling', 'wrapUp'] as const) {
      record(lines, clock, name, deadlines[name]);
    }
    for (const [seconds, action] of actions) {
      await clock.advance(seconds * 1000 - clock.now());
      const started = action(deadlines);
      if (started instanceof AbortSignal) record(lines, clock, 'search', started);
    }
    lines.push(`${clock.now() / 1000} s: ${deadlines.leftMs() / 1000} s left`);
    await clock.advance(2 * 60 * 60_000);
    pages.push([`${what}:`, ...lines].join('\n  '));
  }
  await expect(`${pages.join('\n')}\n`).toMatchFileSnapshot('golden/deadlines.txt');
});

test('the clean-up ends after 75 s, and its search for a lost launch ends after 60 s', async () => {
  const clock = new FakeClock({ auto: false });
  const { all, search, leftMs } = createCleanUpDeadlines(clock);
  const lines: string[] = [];
  record(lines, clock, 'all', all);
  record(lines, clock, 'search', search);
  await clock.advance(30_000);
  expect(leftMs()).toBe(45_000);
  await clock.advance(60_000);
  expect(lines).toEqual(['60 s: search ends (timeout)', '75 s: all ends (timeout)']);
});
