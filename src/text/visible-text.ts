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
