/** Characters that readers cannot see: controls, format characters (bidi, zero-width, tags), line separators. */
const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}`;

/** Marks that may stand between a letter and a joiner. Four are more than any word has. */
const MARKS = String.raw`[\p{M}--\p{Default_Ignorable_Code_Point}]{0,4}`;
/** Scripts that join letters. Words in them contain ZERO WIDTH NON-JOINER, in Persian also after letters that never join. */
const CURSIVE = ['Arabic', 'Syriac', 'Mandaic', 'Mongolian', 'Nko', 'Adlam'];
/** The scripts of India and Sri Lanka, whose virama joins two consonants. */
const INDIC = [
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
];
const VIRAMAS = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;

/**
 * The unseen characters that belong to a text, with what has to be around them. Unicode defines the emoji sequences in
 * UTS #51, and the places of joiners in UAX #31. Each pattern begins with the character itself, so that the search is
 * fast. None matches directly after a character that does not belong to the text.
 */
const BELONGS = [
  // The selector of a pictograph, for example in ✏️.
  String.raw`[\uFE0E\uFE0F](?<=\p{Extended_Pictographic}.)`,
  // A keycap, for example 1️⃣.
  String.raw`\uFE0F(?<=[0-9#*].)(?=\u20E3)`,
  // A joiner between two pictographs. The first one may have a selector or a skin tone.
  String.raw`\u200D(?<=\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?.)(?=\p{Extended_Pictographic})`,
  // The flags of England, Scotland and Wales. Other flags of regions are not in common fonts, so they can hide text.
  String.raw`\u{E0067}(?<=\u{1F3F4}.)\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
  ...CURSIVE.map((script) => String.raw`\u200C(?<=${letterOf(script)}${MARKS}.)(?=${letterOf(script)})`),
  ...INDIC.flatMap((script) => {
    const letter = letterOf(script);
    const virama = String.raw`[\p{Script=${script}}&&${VIRAMAS}]`;
    return [
      String.raw`\u200C(?<=${letter}${MARKS}${virama}.)(?=${letter})`,
      // Malayalam and Marathi words also end in this joiner.
      String.raw`\u200D(?<=${letter}${MARKS}${virama}.)(?![${UNSEEN}\p{M}])`,
      // Bengali and Kannada have the joiner before the virama.
      String.raw`\u200D(?<=${letter}.)(?=${virama}${letter})`,
    ];
  }),
].join('|');

function letterOf(script: string): string {
  return String.raw`[\p{L}&&\p{Script=${script}}]`;
}

/** The patterns, once they are used. Node.js needs milliseconds to read them, and most runs show only plain text. */
const patterns: { invisible?: RegExp; blank?: RegExp } = {};

/** Matches either one character or flag that belongs to the text, or several characters that do not: the group. */
function invisible(): RegExp {
  patterns.invisible ??= new RegExp(`${BELONGS}|([${UNSEEN}]+)`, 'gv');
  return patterns.invisible;
}

/** Also matches the visible letter of braille without dots, which looks blank. */
function blank(): RegExp {
  patterns.blank ??= new RegExp(String.raw`^[\s\u2800${UNSEEN}]*$`, 'v');
  return patterns.blank;
}

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

/** A colour or another style of a terminal: `ESC[…m`. */
const [ESC, CSI] = ['\u001b', '\u009b'];
const TERMINAL_STYLE = new RegExp(`(?:${ESC}\\[|${CSI})[\\d:;]*m`, 'g');

/**
 * Makes one line. Shows an invisible character in the form `⟨U+202E⟩`, a tab as a space, and a lone surrogate as
 * U+FFFD.
 */
export function visibleLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return replaceInvisible(text.toWellFormed().replaceAll('\t', ' '), codePointShown);
}

/**
 * Shows invisible characters like `visibleLine`, but keeps line feeds and tabs. CR LF becomes LF. Removes the colours
 * of a terminal.
 */
export function visibleLines(text: string): string {
  if (isPlain(text)) return text;
  const lines = text.toWellFormed().replaceAll('\r\n', '\n').replace(TERMINAL_STYLE, '');
  return replaceInvisible(lines, (character) =>
    character === '\n' || character === '\t' ? character : codePointShown(character),
  );
}

/** True if the text contains an invisible character, or is not well-formed Unicode. */
export function hasInvisible(text: string): boolean {
  if (PLAIN_LINE.test(text)) return false;
  if (!text.isWellFormed()) return true;
  for (const [, unseen] of text.matchAll(invisible())) if (unseen !== undefined) return true;
  return false;
}

/** True if readers see nothing of the text. */
export function isBlank(text: string): boolean {
  return PLAIN_LINE.test(text) ? text.trim() === '' : blank().test(text);
}

/**
 * Replaces each invisible character. Keeps those that belong to the text: in emoji, and joiners in words of scripts
 * that need them. Calls the function once for each different character, because hostile text may contain a million.
 */
export function replaceInvisible(text: string, replace: (character: string) => string): string {
  const known = new Map<string, string>();
  return text.replace(invisible(), (match, characters: string | undefined) => {
    if (characters === undefined) return match;
    let written = '';
    for (const character of characters) {
      const replaced = known.get(character) ?? replace(character);
      known.set(character, replaced);
      written += replaced;
    }
    return written;
  });
}

/** Writes one character in visible form, for example `⟨U+001B⟩`. */
export function codePointShown(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${hex.padStart(4, '0')}⟩`;
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
/** Other invisible characters stay, so that the log and the comment show their codes. */
const INVISIBLE_AS_SPACE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Shows foreign text as one line of at most `longest` characters. Foreign text is any text that is not from our code.
 * A space replaces line breaks, white space and invisible characters. An ellipsis marks a cut.
 */
export function foreignLine(text: string, longest: number = LONGEST): string {
  const spaced = replaceInvisible(text.toWellFormed(), (character) =>
    INVISIBLE_AS_SPACE.test(character) ? ' ' : character,
  );
  const line = spaced.replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, 2 * longest + 2)];
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Shows foreign text as code: a foreign line between backquotes. */
export function quoted(text: string, longest?: number): string {
  return `\`${foreignLine(text, longest).replaceAll('`', "'")}\``;
}

/** Our choice. A longer list would make the sentence unreadable. */
const MOST_SHOWN = 20;

/** Joins foreign values for a sentence. Shows the first 20 values, and counts the rest. */
export function listed(values: readonly string[]): string {
  const shown = values.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
