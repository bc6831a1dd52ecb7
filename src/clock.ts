/** Time, as a parameter: tests bring their own, so that none of them sleeps. */
export interface Clock {
  /** Monotonic milliseconds since an arbitrary start: never jumps when the wall clock is set. */
  now(): number;
  /** The wall clock, for dates people read and HTTP dates. */
  date(): Date;
  /** Resolves after `ms` milliseconds, or at once when the signal is or becomes aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** `setTimeout` fires at once for NaN and for more than 2^31-1 milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A duration that a timer really waits: not NaN, not negative, not over what a timer can hold. */
export function clampTimer(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, clampTimer(ms));
      signal?.addEventListener('abort', done, { once: true });
    }),
};
