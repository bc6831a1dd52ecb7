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
