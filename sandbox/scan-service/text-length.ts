/** True if a text has more than this many characters. Characters are code points, as in JSON Schema. */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  // A code point has one or two UTF-16 units, so a text with more than twice as many units need not be counted.
  return text.length > 2 * characters || [...text].length > characters;
}
