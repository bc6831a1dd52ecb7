/** Ids are opaque; ours to refuse what is empty, endless, invisible or walks out of a path. */
const LONGEST_ID = 256;

/** Can this be used as an id: 1 to 256 characters, well-formed, no control characters, not `.` or `..`? */
export function isUsableId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== '.' &&
    value !== '..' &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value) &&
    (value.length <= LONGEST_ID || [...value].length <= LONGEST_ID)
  );
}

/**
 * An id as one segment of a path.
 * @throws for an unusable id: callers check foreign ids first
 */
export function pathSegment(id: string): string {
  if (!isUsableId(id)) throw new Error('an unusable id was about to become part of an address');
  return encodeURIComponent(id);
}
