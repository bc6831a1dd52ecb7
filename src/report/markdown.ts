import { hasInvisible, visibleLine, visibleLines } from '../text/visible-text.ts';

/** The longest address that all browsers and mail programs support. */
const LONGEST_URL = 2000;

/** Returns the address if a markdown link may use it, otherwise undefined. `allowedAddress` has the rules. */
export function linkTarget(url: string, allowed: readonly string[]): string | undefined {
  const href = allowedAddress(url, allowed)?.replaceAll('&', '&amp;');
  return href !== undefined && href.length > LONGEST_URL ? undefined : href;
}

/**
 * Returns the normalized address. Undefined if it is not below one of the allowed prefixes. Each prefix is an absolute
 * address that ends in a slash. The URL parser resolves `..` before the comparison, so that an address cannot leave its
 * prefix.
 */
export function allowedAddress(url: string, allowed: readonly string[]): string | undefined {
  if (url.length > LONGEST_URL || hasInvisible(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '')
    return undefined;
  if (!allowed.some((prefix) => liesUnder(parsed, prefix))) return undefined;
  const fragment = parsed.href.indexOf('#');
  const href = parsed.href.replace(ENCODED, (sign, at) => (at === fragment ? sign : percentEncoded(sign)));
  return href.length > LONGEST_URL ? undefined : href;
}

/**
 * What the URL parser leaves although a Markdown link or a valid address does not have it: signs with a meaning, a second
 * number sign, and a percent sign without two digits.
 */
const ENCODED = /[^A-Za-z0-9\-._~:/?&+,;=%]|%(?![\dA-Fa-f]{2})/g;

function liesUnder(url: URL, prefix: string): boolean {
  if (!URL.canParse(prefix)) return false;
  const root = new URL(prefix);
  return url.origin === root.origin && root.pathname.endsWith('/') && url.pathname.startsWith(root.pathname);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * ZERO WIDTH SPACE. HTML entities disable markdown, but GitHub still finds mentions, references, commit ids and
 * addresses in the resulting text. This invisible character splits them, so that GitHub does not find them.
 */
const BREAK = '&#8203;';

/** Splits digits into pieces of six. GitHub links a commit id of seven or more hexadecimal digits. */
const HEX_PIECES = /[0-9a-f]{1,6}/gi;

/**
 * The tokens to escape in text. A colon is a token if an emoji name may follow. The lookahead reads at most 60
 * characters, so that the time stays linear for hostile text. No emoji name is longer. The number sign of a keycap means
 * nothing.
 */
const TEXT_TOKENS =
  /(?:(?!#\uFE0F\u20E3)[@#$&<>`*_[\]~|\\!])+|www\.|:\/\/|:(?=[\w+-]{1,60}(?::|$))|GH-|[0-9a-f]{7,}|[ \t]{2,}|\t/gi;
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
  // What is invisible depends on the characters around it, so this comes before they are escaped.
  const line = visibleLine(text);
  return line
    .replace(TEXT_TOKENS, (token, offset: number) =>
      isNumber(line, token, offset) ? `<code>${token}</code>` : textToken(token),
    )
    .replace(FIRST_ON_LINE, (_, before: string, mark: string) => before + entity(mark));
}

/**
 * Escapes one line of foreign text for a `code` element. GitHub links no names or ids in code. So they get no invisible
 * character, and users can copy them. Addresses get an invisible character, because the markdown parser finds addresses
 * even in code.
 */
export function escapeCode(text: string): string {
  const escaped = visibleLine(text).replace(CODE_TOKENS, codeToken);
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

const source = Symbol('markdown');

/** Trusted markdown. Only this module can create such an object, so that text is never taken for markdown. */
export interface SafeMarkdown {
  readonly [source]: string;
}

/** A value in a template. A string or a number is foreign, and is escaped as one line. Safe markdown stays as it is. */
export type MarkdownValue = string | number | SafeMarkdown | readonly SafeMarkdown[];

/**
 * Builds markdown from a template. The text of the template is trusted. Every value that is not safe markdown is
 * escaped.
 */
export function md(strings: TemplateStringsArray, ...values: readonly MarkdownValue[]): SafeMarkdown {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    const before = strings[index] === '' ? values[index - 1] : undefined;
    // Two values next to each other could form a token that neither of them contains.
    if (before !== undefined && (isForeign(value) || isForeign(before))) text += BREAK;
    text += sourceOf(value) + (strings[index + 1] ?? '');
  });
  return safe(text);
}

function isForeign(value: MarkdownValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function sourceOf(value: MarkdownValue): string {
  if (isForeign(value)) return escapeText(String(value));
  return source in value ? value[source] : value.map(toText).join('');
}

/** Takes Markdown from the workflow as it is, because the maintainer writes the workflow. Never for other text. */
export function workflowMarkdown(text: string): SafeMarkdown {
  return safe(text);
}

/** Returns the markdown source. */
export function toText(markdown: SafeMarkdown): string {
  return markdown[source];
}

/** Joins pieces with a trusted separator. Leaves out empty pieces. */
export function join(pieces: readonly SafeMarkdown[], separator: SafeMarkdown): SafeMarkdown {
  const filled = pieces.map(toText).filter((part) => part !== '');
  return safe(filled.join(separator[source]));
}

export const NOTHING: SafeMarkdown = safe('');
export const BLANK_LINE: SafeMarkdown = safe('\n\n');
/** A line break without a line feed. A comment would show the line feed as a second break. */
export const LINE_BREAK: SafeMarkdown = safe('<br>');
export const SEPARATOR: SafeMarkdown = safe(' · ');

/** Renders a code span as HTML. HTML also works in table cells and between HTML tags, where backticks do not work. */
export function inlineCode(text: string): SafeMarkdown {
  return text === '' ? NOTHING : safe(`<code>${escapeCode(text)}</code>`);
}

/** Renders a link if the address is below one of the allowed prefixes, otherwise only the text. */
export function link(text: string | SafeMarkdown, url: string, allowed: readonly string[]): SafeMarkdown {
  const target = linkTarget(url, allowed);
  const shown = sourceOf(text);
  return safe(target === undefined ? shown : `[${shown}](${target})`);
}

/** Renders a fenced code block. The fence is longer than any sequence of its character in the text. */
export function codeBlock(text: string): SafeMarkdown {
  const shown = visibleLines(text).replace(/\n+$/, '');
  const [backticks, tildes] = [longestRun(shown, /`+/g), longestRun(shown, /~+/g)];
  const fence =
    backticks <= tildes ? '`'.repeat(Math.max(3, backticks + 1)) : '~'.repeat(Math.max(3, tildes + 1));
  return safe(`${fence}\n${shown}\n${fence}`);
}

function longestRun(text: string, run: RegExp): number {
  let longest = 0;
  for (const [found] of text.matchAll(run)) longest = Math.max(longest, found.length);
  return longest;
}

function safe(text: string): SafeMarkdown {
  return { [source]: text };
}
