/** Ids are opaque. We reject only those that are empty, too long, invisible or would change the path. */
const LONGEST_ID = 256;

/** True for 1 to 256 well-formed characters without control characters that are not `.` or `..`. */
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
 * @throws for an unusable id; callers check foreign ids first
 */
export function pathSegment(id: string): string {
  if (!isUsableId(id)) throw new Error('an unusable id was about to become part of an address');
  return encodeURIComponent(id);
}
