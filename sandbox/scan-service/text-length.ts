/** True if a text has more than this many characters. Characters are code points, as in JSON Schema. */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  // A code point has at most two UTF-16 units. So a text with more than `2 * characters` units is too long. Its code
  // points need not be counted.
  return text.length > 2 * characters || [...text].length > characters;
}
