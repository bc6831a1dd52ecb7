import type { Clock } from '../clock.ts';
import type { Result } from '../domain/result.ts';

/** A pause for all calls of a client. While a rate limit lasts, the client sends nothing. */
export interface Pause {
  /** Resolves when the pause is over, or when the signal is aborted. */
  over(signal: AbortSignal): Promise<void>;
  /**
   * Makes the pause longer.
   * @returns false if all pauses together would exceed the limit; the pause then stays as it was
   */
  extend(ms: number): boolean;
}

/** @param mostMs the limit for all pauses of the client together */
export function createPause(clock: Clock, mostMs = Number.POSITIVE_INFINITY): Pause {
  let until = clock.now();
  let paused = 0;
  return {
    async over(signal) {
      while (clock.now() < until && !signal.aborted) await clock.sleep(until - clock.now(), signal);
    },
    extend(ms) {
      const added = Math.max(0, clock.now() + ms - Math.max(until, clock.now()));
      if (paused + added > mostMs) return false;
      paused += added;
      until = Math.max(until, clock.now() + ms);
      return true;
    },
  };
}

/** What to do after a failed attempt. */
export interface AfterFailure {
  readonly again: boolean;
  /** The wait before the next attempt, in milliseconds. */
  readonly waitMs: number;
  /** True if all calls of the client have to wait. If false, only this call waits. */
  readonly forAll: boolean;
}

export interface RetryPolicy<E> {
  readonly clock: Clock;
  /** Ends a wait early. */
  readonly signal: AbortSignal;
  readonly pause: Pause;
  /** @param attempts the number of attempts so far, 1 or more */
  readonly afterFailure: (error: E, attempts: number) => AfterFailure;
}

/**
 * Makes a call. If it fails, waits and tries again while the policy allows it. Returns the last result.
 * @param call gets the number of the attempt, from 1
 */
export async function withRetry<T, E>(
  { clock, signal, pause, afterFailure }: RetryPolicy<E>,
  call: (attempt: number) => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  for (let attempts = 1; ; attempts += 1) {
    await pause.over(signal);
    const answer = await call(attempts);
    if (answer.ok) return answer;
    const { again, waitMs, forAll } = afterFailure(answer.error, attempts);
    const isPaused = forAll && pause.extend(waitMs);
    if (!again || (forAll && !isPaused)) return answer;
    if (!forAll) await clock.sleep(waitMs, signal);
  }
}
