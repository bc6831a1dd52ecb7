import { parseHttpDate } from './http-date.ts';

const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 * @returns seconds from now, finite and positive; undefined if the header is missing or invalid
 */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  const value = header?.trim() ?? '';
  const seconds = SECONDS.test(value)
    ? Number(value)
    : ((parseHttpDate(value)?.getTime() ?? Number.NaN) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** What the advice came with: a 429, a successful poll, or any other failure. */
export type Advising = 'rate-limit' | 'poll' | 'failure';

/** Seconds. After a 429 there is no limit; the caller's signal ends the wait. */
const LONGEST_OBEYED: Readonly<Record<Advising, number>> = {
  'rate-limit': Number.POSITIVE_INFINITY,
  poll: 600,
  failure: 60,
};
/** A date in the next moment is not a reason to hurry. */
const SHORTEST_MS = 1_000;

/**
 * Limits how long a `Retry-After` is obeyed.
 * @param seconds as advised, finite and positive; undefined without advice
 * @returns milliseconds; undefined without advice
 */
export function advisedWait(advising: Advising, seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  return Math.max(Math.min(seconds, LONGEST_OBEYED[advising]) * 1_000, SHORTEST_MS);
}
