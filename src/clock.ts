/** Time, as a parameter: tests bring their own, so that none of them sleeps. */
export interface Clock {
  /** Monotonic milliseconds since an arbitrary start: never jumps when the wall clock is set. */
  now(): number;
  /** The wall clock, for dates people read and HTTP dates. */
  date(): Date;
  /** Resolves after `ms` milliseconds, or at once when the signal is or becomes aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Starts a deadline of `ms` milliseconds. */
  timeout(ms: number): Deadline;
}

/** A deadline on a clock. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Ends the timer; the signal stays as it is. */
  clear(): void;
}

/** `setTimeout` fires at once for NaN and for more than 2^31-1 milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A duration that a timer really waits: not NaN, not negative, not over what a timer can hold. */
export function clampTimer(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);
}

export const systemClock: Clock = {
  // Monotonic too. `performance` would load a module of Node that nothing else here needs.
  now: () => process.uptime() * 1000,
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
  timeout: (ms) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), clampTimer(ms));
    return { signal: controller.signal, clear: () => clearTimeout(timer) };
  },
};
