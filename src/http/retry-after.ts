import { parseHttpDate } from './http-date.ts';

const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 * @returns seconds from now, finite and positive; undefined where the header is absent or means nothing
 */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  const value = header?.trim() ?? '';
  const seconds = SECONDS.test(value)
    ? Number(value)
    : ((parseHttpDate(value)?.getTime() ?? Number.NaN) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** What the advice came with: a 429, a good answer while something is waited for, any other failure. */
export type Advising = 'rate-limit' | 'poll' | 'failure';

/** Seconds. After a 429 the caller waits as long as it may: its signal ends the wait. */
const LONGEST_OBEYED: Readonly<Record<Advising, number>> = {
  'rate-limit': Number.POSITIVE_INFINITY,
  poll: 600,
  failure: 60,
};
/** A date that is almost there is no reason to hurry. */
const SHORTEST_MS = 1_000;

/**
 * How long a `Retry-After` is obeyed.
 * @param seconds as advised, finite and positive; undefined: nothing was advised
 * @returns milliseconds; undefined where nothing was advised
 */
export function advisedWait(advising: Advising, seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  return Math.max(Math.min(seconds, LONGEST_OBEYED[advising]) * 1_000, SHORTEST_MS);
}
