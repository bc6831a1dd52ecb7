/** The three forms of an HTTP date: IMF-fixdate, RFC 850, asctime (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];
const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 * @returns seconds from now, finite and positive; undefined where the header is absent or means nothing
 */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  const value = header?.trim() ?? '';
  const seconds = SECONDS.test(value) ? Number(value) : secondsUntil(value, now);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function secondsUntil(value: string, now: Date): number {
  if (!HTTP_DATES.some((form) => form.test(value))) return Number.NaN;
  // asctime names no zone and would be read as local time.
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return (date - now.getTime()) / 1000;
}
