import { expect, test } from 'vitest';
import { stopCause } from '../../../src/domain/result.ts';
import { createCleanUpDeadlines, createDeadlines, type Deadlines } from '../../../src/runner/deadlines.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** What happens after so many seconds of a run. */
type Action = readonly [seconds: number, act: (deadlines: Deadlines) => unknown];
const signal = (seconds = 0): Action => [seconds, (deadlines) => deadlines.stop('signal')];
const search = (seconds = 0): Action => [seconds, (deadlines) => deadlines.startSearch()];
const timeoutOf = (minutes: number): Action => [0, (deadlines) => deadlines.startTimeout(minutes)];
const timeout: Action = [0, (deadlines) => deadlines.stop('timeout')];

const RUNS: Readonly<Record<string, readonly Action[]>> = {
  'a signal': [signal()],
  'a second signal after 6 s': [signal(), signal(6)],
  'a timeout at once': [timeoutOf(2), timeout],
  'a timeout of two minutes': [timeoutOf(2)],
  'a timeout of a minute, and a signal one second before its end': [timeoutOf(1), signal(59)],
  'a timeout of a minute, and a signal at its end': [timeoutOf(1), signal(60)],
  'a search after 100 s': [search(100)],
  'a timeout of a minute, and a search ten seconds before its end': [timeoutOf(1), search(50)],
  'a timeout of a minute, and a search as late as possible': [timeoutOf(1), search(63.5)],
  'a timeout of an hour, and a search that ends before it': [timeoutOf(60), search()],
  'a signal, and a search': [signal(), search()],
  'a search, and a signal': [search(), signal()],
};

/** Adds a line when a deadline ends: when, and why. */
function record(lines: string[], clock: FakeClock, name: string, deadline: AbortSignal): void {
  const end = () => lines.push(`${clock.elapsed() / 1000} s: ${name} ends (${stopCause(deadline)})`);
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
    for (const [seconds, act] of actions) {
      await clock.advance(seconds * 1000 - clock.elapsed());
      const started = act(deadlines);
      if (started instanceof AbortSignal) record(lines, clock, 'search', started);
    }
    lines.push(`${clock.elapsed() / 1000} s: ${deadlines.leftMs() / 1000} s left`);
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
