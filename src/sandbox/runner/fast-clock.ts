/**
 * A preload for a process whose time is to run faster: `--import file:///…/fast-clock.ts?scale=60` lets a
 * minute of timers pass in a second. It is put in from outside with Node's own flag, so that the program
 * under test holds no hook for it. It replaces the global `setTimeout`, `setInterval` and `performance.now`;
 * what Node keeps for itself (`node:timers`, `AbortSignal.timeout`, socket timeouts) and `Date` stay real.
 */
import { promisify } from 'node:util';

const scale = Number(new URL(import.meta.url).searchParams.get('scale'));
if (!(scale > 0)) throw new Error('fast-clock wants a scale over 0 in its query');

// As a timer does itself: what is no positive number, or too large for it, fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const faster = (ms: unknown) => {
  const delay = Number(ms);
  return delay >= 1 && delay <= LONGEST_TIMER_MS ? delay / scale : 1;
};

const real = { setTimeout, setInterval, now: performance.now.bind(performance) };
const began = real.now();

Object.assign(globalThis, {
  setTimeout: Object.assign(
    (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      real.setTimeout(callback, faster(ms), ...args),
    {
      [promisify.custom]: (ms?: number, value?: unknown) =>
        new Promise((resolve) => real.setTimeout(() => resolve(value), faster(ms))),
    },
  ),
  setInterval: (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    real.setInterval(callback, faster(ms), ...args),
});
performance.now = () => began + (real.now() - began) * scale;
