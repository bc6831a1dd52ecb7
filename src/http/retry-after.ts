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
