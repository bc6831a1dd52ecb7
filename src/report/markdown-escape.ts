import { visibleLine } from '../text/visible-text.ts';

/**
 * ZERO WIDTH SPACE. HTML entities disable markdown, but GitHub still finds mentions, references, commit ids and
 * addresses in the resulting text. This invisible character splits them, so that GitHub does not find them.
 */
export const BREAK = '&#8203;';

/** Splits digits into pieces of six. GitHub links a commit id of seven or more hexadecimal digits. */
const HEX_PIECES = /[0-9a-f]{1,6}/gi;

/**
 * The tokens to escape in text. A colon is a token if an emoji name may follow. The lookahead reads at most 60
 * characters, so that the time stays linear for hostile text. No emoji name is longer.
 */
const TEXT_TOKENS =
  /[@#$&<>`*_[\]~|\\!]+|www\.|:\/\/|:(?=[\w+-]{1,60}(?::|$))|GH-|[0-9a-f]{7,}|[ \t]{2,}|\t/gi;
/** The tokens to escape in code. An at sign matters only if it could belong to an email address. */
const CODE_TOKENS = /[#$&<>`*_[\]~|\\!]+|(?<=[\w.+-])@|www\.|:\/\//gi;

/** Matches what makes a line a list item, the underline of a heading, or a directive. */
const FIRST_ON_LINE = /^( ?\d*)([-+=.:)])/;
/**
 * Matches the start of a colour. If a code span contains only a colour, GitHub shows a small sample of it beside the
 * text.
 */
const COLOUR = /^ *(?:#|rgb|hsl)/i;

/**
 * Escapes one line of foreign text, so that it appears literally in markdown and between HTML tags. The result cannot
 * contain a mention, reference, link, image, HTML, emphasis, math, emoji, table cell or line break.
 *
 * A long number becomes code, because GitHub does not look for commit ids in code. So the number needs no invisible
 * character, and users can copy it.
 */
export function escapeText(text: string): string {
  const escaped = text
    .replace(TEXT_TOKENS, (token, offset: number) =>
      isNumber(text, token, offset) ? `<code>${token}</code>` : textToken(token),
    )
    .replace(FIRST_ON_LINE, (_, before: string, mark: string) => before + entity(mark));
  return visibleLine(escaped);
}

/**
 * Escapes one line of foreign text for a `code` element. GitHub links no names or ids in code. So they get no invisible
 * character, and users can copy them. Addresses get an invisible character, because the markdown parser finds addresses
 * even in code.
 */
export function escapeCode(text: string): string {
  const escaped = visibleLine(text.replace(CODE_TOKENS, codeToken));
  return COLOUR.test(text) ? BREAK + escaped : escaped;
}

const ENTITIES: readonly [string, string][] = Array.from('#$&<>`*_[]~|\\!', (sign) => [sign, entity(sign)]);
const CODE_SIGNS: ReadonlyMap<string, string> = new Map([...ENTITIES, ['@', `${BREAK}@`]]);
const TEXT_SIGNS: ReadonlyMap<string, string> = new Map([
  ...ENTITIES,
  ['@', `@${BREAK}`],
  ['#', `&#35;${BREAK}`],
  // The form that GitHub documents for a dollar sign that does not begin math.
  ['$', '<span>&#36;</span>'],
]);

/** True if the token is only digits and not in the middle of a word. */
function isNumber(text: string, token: string, offset: number): boolean {
  const around = `${text[offset - 1] ?? ' '}${text[offset + token.length] ?? ' '}`;
  return /^\d+$/.test(token) && !/[\p{L}\p{N}_]/u.test(around);
}

function textToken(token: string): string {
  if (TEXT_SIGNS.has(token.charAt(0))) return eachSign(token, TEXT_SIGNS);
  if (token.trim() === '') return ' ';
  // Of the remaining tokens, only commit ids contain hexadecimal digits.
  return token.match(HEX_PIECES)?.join(BREAK) ?? broken(token);
}

function codeToken(token: string): string {
  return CODE_SIGNS.has(token.charAt(0)) ? eachSign(token, CODE_SIGNS) : broken(token);
}

/** Inserts an invisible break where GitHub would find an address or a reference. */
function broken(token: string): string {
  if (token.startsWith(':')) return `:${BREAK}${token.slice(1)}`;
  return token.endsWith('.') ? `${token.slice(0, -1)}${BREAK}.` : token + BREAK;
}

function eachSign(signs: string, meaning: ReadonlyMap<string, string>): string {
  let escaped = '';
  for (const sign of signs) escaped += meaning.get(sign) ?? sign;
  return escaped;
}

function entity(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}
