import type { Clock } from '../clock.ts';
import type { Result } from '../domain/result.ts';
import type { ApiError } from './api-error.ts';
import { classify, waitAfterFailure } from './retry.ts';

/** One pause for all calls of a client: when the service says "too many", none of them goes on. */
export interface Pause {
  /** Resolves when no pause is left, or when we are stopped. */
  over(signal: AbortSignal): Promise<void>;
  extend(ms: number): void;
}

export function createPause(clock: Clock): Pause {
  let until = clock.now();
  return {
    async over(signal) {
      while (clock.now() < until && !signal.aborted) await clock.sleep(until - clock.now(), signal);
    },
    extend(ms) {
      until = Math.max(until, clock.now() + ms);
    },
  };
}

export interface Attempts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly pause: Pause;
  /** In all, the first included. */
  readonly attempts: number;
  /** May the call be made again when the service may have acted on it? */
  readonly repeatAmbiguous: boolean;
}

/** Calls, and calls again after a wait while the policy allows it. */
export async function attemptPolitely<T>(
  policy: Attempts,
  call: () => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const { clock, signal, random, pause } = policy;
  for (let attempt = 1; ; attempt++) {
    await pause.over(signal);
    const answer = await call();
    if (answer.ok) return answer;
    const failure = classify(answer.error);
    const repeatable =
      failure === 'not-sent' ||
      failure === 'rate-limited' ||
      (failure === 'ambiguous' && policy.repeatAmbiguous);
    const wait = waitAfterFailure(answer.error, attempt, random);
    if (failure === 'rate-limited') pause.extend(wait);
    if (!repeatable || attempt >= policy.attempts) return answer;
    if (failure !== 'rate-limited') await clock.sleep(wait, signal);
  }
}
