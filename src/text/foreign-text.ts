/** Our choice: the default for the maximum length of a foreign text, in characters. */
const LONGEST = 200;
const INVISIBLE_OR_SPACE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Shows foreign text as one line of at most `longest` characters. Foreign text is any text that is not from our code.
 * A space replaces line breaks, white space and invisible characters. An ellipsis marks a cut.
 */
export function foreignLine(text: string, longest: number = LONGEST): string {
  const line = text.toWellFormed().replace(INVISIBLE_OR_SPACE, ' ').trim();
  const characters = [...line.slice(0, 2 * longest + 2)];
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}
