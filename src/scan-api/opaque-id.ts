/** Our choice: the maximum length of an id, in characters. */
const LONGEST_ID = 256;

/**
 * True if the text has 1 to 256 characters, is well-formed Unicode and contains no control character. False for `.` and
 * `..`, because they would change the path of a request.
 */
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
 * Encodes an id as one segment of a path.
 * @throws if the id is unusable; callers check foreign ids first
 */
export function pathSegment(id: string): string {
  if (!isUsableId(id)) throw new Error('an unusable id was about to become part of an address');
  return encodeURIComponent(id);
}
