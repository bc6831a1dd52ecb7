/** The time and its timers. Code gets a clock as a parameter, so that tests need not sleep. */
export interface Clock {
  /**
   * Returns the milliseconds since an arbitrary start. The value never decreases, even if the wall clock is set back.
   */
  now(): number;
  /** Returns the time of the wall clock, for dates that people read and for HTTP dates. */
  date(): Date;
  /** Resolves after `ms` milliseconds, or as soon as the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Starts a deadline of `ms` milliseconds. */
  timeout(ms: number): Deadline;
}

export interface Deadline {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Stops the timer, so that the signal is not aborted later. */
  clear(): void;
}

/** The longest time that `setTimeout` supports. If the time is longer or NaN, the timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Limits a duration to what a timer supports: not NaN, not negative, not too long. */
function clampTimer(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);
}

export const systemClock: Clock = {
  // `process.uptime` never decreases. `performance.now` would load a module of Node that nothing else needs.
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
