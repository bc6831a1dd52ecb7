/** Everything that a reader cannot see: controls, format characters (bidi, zero-width, tags), line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]+/gu;
const INVISIBLE_BUT_LINES = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])+/gu;
const ANY_INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

/** What most texts consist of. To see that there is nothing else takes a tenth of the time of a search. */
const PLAIN_LINE = /^[\x20-\x7e\u2010-\u2027]*$/;
const PLAIN_LINES = /^[\n\x20-\x7e\u2010-\u2027]*$/;

/** Is the text nothing but line feeds, ASCII and typographic punctuation, all of which a reader can see? */
export function isPlain(text: string): boolean {
  return PLAIN_LINES.test(text);
}

/** One line: what cannot be seen is shown as `⟨U+202E⟩`, a tab as a space, a lone surrogate as U+FFFD. */
export function visibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return text.toWellFormed().replaceAll('\t', ' ').replace(INVISIBLE, codePointsShown());
}

/** The same for several lines: line feeds and tabs stay, CR LF becomes LF. */
export function visibleLines(text: string): string {
  if (isPlain(text)) return text;
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(INVISIBLE_BUT_LINES, codePointsShown());
}

/** Does the text hold anything that a reader cannot see, or that is not well-formed Unicode? */
export function hasInvisible(text: string): boolean {
  return !text.isWellFormed() || ANY_INVISIBLE.test(text);
}

/** The visible form of one character, for example `⟨U+001B⟩`. */
export function codePointShown(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${hex.padStart(4, '0')}⟩`;
}

/** Replaces runs of characters. A megabyte of them is a hostile text: remembering each makes it much faster. */
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
