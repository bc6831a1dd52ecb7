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
