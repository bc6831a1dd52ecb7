import { visibleLines } from '../text/visible-text.ts';
import { linkTarget } from './link-target.ts';
import { BREAK, escapeCode, escapeText } from './markdown-escape.ts';

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
