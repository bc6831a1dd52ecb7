import type { Clock } from '../clock.ts';
import type { Result } from '../domain/result.ts';

/** The three forms of an HTTP date: IMF-fixdate, RFC 850, asctime (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Reads the date in a header. @returns undefined if the text is not an HTTP date */
export function parseHttpDate(text: string): Date | undefined {
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  // The asctime form has no time zone. Without `GMT`, it would be read as local time.
  const date = new Date(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 * @param now the `Date` of the same answer, because the server's clock can differ from ours; our time if there is none
 * @returns seconds from now, finite and positive; undefined if the header is missing or invalid
 */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  const value = header?.trim() ?? '';
  const seconds = SECONDS.test(value)
    ? Number(value)
    : ((parseHttpDate(value)?.getTime() ?? Number.NaN) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** What the wait is for: the end of a rate limit, the next poll, or the retry of a failed request. */
export type Advising = 'rate-limit' | 'poll' | 'failure';

/** The longest wait that is obeyed, in seconds. For a rate limit, no wait is too long. */
const LONGEST_OBEYED: Readonly<Record<Advising, number>> = {
  'rate-limit': Number.POSITIVE_INFINITY,
  poll: 600,
  failure: 60,
};
/** The shortest wait. A date in the header can be only milliseconds away. */
const SHORTEST_MS = 1_000;

/**
 * Converts the seconds of `Retry-After` to milliseconds. Keeps the wait within the limits.
 * @param seconds finite and positive; undefined if there was no header
 * @returns undefined if there was no header
 */
export function advisedWait(advising: Advising, seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  return Math.max(Math.min(seconds, LONGEST_OBEYED[advising]) * 1_000, SHORTEST_MS);
}

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
