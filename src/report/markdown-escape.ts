import { visibleLine } from '../text/visible-text.ts';

/**
 * ZERO WIDTH SPACE. Entities stop markdown syntax, but GitHub finds mentions, references, commit ids and
 * addresses in the text after parsing: there only a break inside the token helps.
 */
export const BREAK = '&#8203;';

/** GitHub links a bare commit id from 7 hexadecimal digits on. */
const HEX_PIECES = /[0-9a-f]{1,6}/gi;

/** The look ahead is longer than any emoji name, and bounded, so that hostile text takes linear time. */
const TEXT_TOKENS =
  /[@#$&<>`*_[\]~|\\!]+|www\.|:\/\/|:(?=[\w+-]{1,60}(?::|$))|GH-|[0-9a-f]{7,}|[ \t]{2,}|\t/gi;
/** An at sign only where it could belong to a mail address. */
const CODE_TOKENS = /[#$&<>`*_[\]~|\\!]+|(?<=[\w.+-])@|www\.|:\/\//gi;

/** What would open a list, a heading's underline or a directive where the text comes first on a line. */
const FIRST_ON_LINE = /^( ?\d*)([-+=.:)])/;
/** GitHub draws a colour chip beside a code span that holds nothing but a colour. */
const COLOUR = /^ *(?:#|rgb|hsl)/i;

/**
 * One line of foreign text, for use in markdown or between HTML tags: it shows as it is and means nothing.
 * No mention, reference, link, image, HTML, emphasis, math, emoji, table cell or line break comes of it. A long number
 * becomes code, where GitHub looks for no commit id: it stays whole for copying.
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
 * One line of foreign text for the inside of a `code` element. GitHub links nothing there, so names and
 * ids stay whole for copying; only the markdown parser still looks for addresses.
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
  // The way that GitHub documents to write a dollar sign that is not math.
  ['$', '<span>&#36;</span>'],
]);

/** Digits only, and not a piece of a word. */
function isNumber(text: string, token: string, offset: number): boolean {
  const around = `${text[offset - 1] ?? ' '}${text[offset + token.length] ?? ' '}`;
  return /^\d+$/.test(token) && !/[\p{L}\p{N}_]/u.test(around);
}

function textToken(token: string): string {
  if (TEXT_SIGNS.has(token.charAt(0))) return eachSign(token, TEXT_SIGNS);
  if (token.trim() === '') return ' ';
  // No other token holds a hexadecimal digit.
  return token.match(HEX_PIECES)?.join(BREAK) ?? broken(token);
}

function codeToken(token: string): string {
  return CODE_SIGNS.has(token.charAt(0)) ? eachSign(token, CODE_SIGNS) : broken(token);
}

/** Breaks an address or a reference where its finder needs it whole. */
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
