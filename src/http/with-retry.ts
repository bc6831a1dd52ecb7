import type { Clock } from '../clock.ts';
import type { Result } from '../domain/result.ts';

/** A pause for all calls of a client: while a rate limit lasts, none of them is sent. */
export interface Pause {
  /** Resolves when the pause is over, or the signal is aborted. */
  over(signal: AbortSignal): Promise<void>;
  /** @returns false if all pauses together would exceed the limit; then nothing changes */
  extend(ms: number): boolean;
}

/** @param mostMs limit for all pauses of the client together */
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

/** What follows a failed attempt. */
export interface AfterFailure {
  readonly again: boolean;
  /** Milliseconds before the next attempt. */
  readonly waitMs: number;
  /** The server asks all calls of the client to wait, not only this one. */
  readonly forAll: boolean;
}

export interface RetryPolicy<E> {
  readonly clock: Clock;
  /** Ends the waits. */
  readonly signal: AbortSignal;
  readonly pause: Pause;
  /** @param attempts number of attempts so far, 1 or more */
  readonly afterFailure: (error: E, attempts: number) => AfterFailure;
}

/**
 * Calls, and retries after a wait while the policy allows it. Returns the last failure.
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
