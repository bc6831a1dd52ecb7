/** Characters that readers cannot see: controls, format characters (bidi, zero-width, tags), line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE_BUT_LINES = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])+/gu;
const ANY_INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

/**
 * Most texts contain only these characters. Checking for them takes a tenth of the time of a search for invisible
 * characters.
 */
const PLAIN_LINE = /^[\x20-\x7e\u2010-\u2027]*$/;
const PLAIN_LINES = /^[\n\x20-\x7e\u2010-\u2027]*$/;

/**
 * True if the text contains only printable ASCII, typographic punctuation and line feeds. Apart from the line feeds,
 * all of these are visible.
 */
export function isPlain(text: string): boolean {
  return PLAIN_LINES.test(text);
}

/**
 * Makes one line. Shows an invisible character in the form `⟨U+202E⟩`, a tab as a space, and a lone surrogate as
 * U+FFFD.
 */
export function visibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return text.toWellFormed().replaceAll('\t', ' ').replace(INVISIBLE, codePointsShown());
}

/** Shows invisible characters like `visibleLine`, but keeps line feeds and tabs. CR LF becomes LF. */
export function visibleLines(text: string): string {
  if (isPlain(text)) return text;
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(INVISIBLE_BUT_LINES, codePointsShown());
}

/** True if the text contains an invisible character, or is not well-formed Unicode. */
export function hasInvisible(text: string): boolean {
  return !text.isWellFormed() || ANY_INVISIBLE.test(text);
}

/** Writes one character in visible form, for example `⟨U+001B⟩`. */
export function codePointShown(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${hex.padStart(4, '0')}⟩`;
}

/**
 * Creates a function that writes every character of a text in visible form. The function has a cache, because hostile
 * text may contain a million invisible characters.
 */
function codePointsShown(): (characters: string) => string {
  const known = new Map<string, string>();
  return (characters) => {
    let shown = '';
    for (const character of characters) {
      const name = known.get(character) ?? codePointShown(character);
      known.set(character, name);
      shown += name;
    }
    return shown;
  };
}

const CUT = '…';

/** Cuts the text to at most `limit` UTF-16 units, including an ellipsis. Never splits a surrogate pair. */
export function cutCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return limit < CUT.length ? '' : wholeCharacters(text, limit - CUT.length) + CUT;
}

/** Cuts the text to at most `limit` bytes of UTF-8, including an ellipsis. Never splits a character. */
export function cutBytes(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  const space = limit - byteLength(CUT);
  if (space < 0) return '';
  // A UTF-16 unit takes one to three bytes, so the cut is between a third of the space and the whole space.
  let low = Math.min(Math.floor(space / 3), text.length);
  let high = Math.min(space, text.length);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteLength(wholeCharacters(text, middle)) <= space) low = middle;
    else high = middle - 1;
  }
  return wholeCharacters(text, low) + CUT;
}

/** Returns the length of the text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function wholeCharacters(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? units - 1 : units);
}

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

/** Our choice. A longer list would make the sentence unreadable. */
const MOST_SHOWN = 20;

/** Joins foreign values for a sentence. Shows the first 20 values, and counts the rest. */
export function listed(values: readonly string[]): string {
  const shown = values.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
