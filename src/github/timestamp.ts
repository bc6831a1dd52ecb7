import * as v from 'valibot';

/** A time in GitHub's format, such as `2026-01-15T12:00:00Z`. */
export const Timestamp = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime()), 'not a time'),
);
