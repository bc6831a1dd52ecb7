/** Whether a text has more than this many characters (code points, as JSON Schema counts them). */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  // A code point is one or two units, so a very long text need not be counted.
  return text.length > 2 * characters || [...text].length > characters;
}
