import { raw } from 'hast-util-raw';
import { defaultSchema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import type { Text } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import type { Markup } from '../markup.ts';

/**
 * Markdown as GitHub shows it: GitHub-flavoured, HTML in it read as HTML, and sanitized by GitHub's own list of what
 * may stay. GitHub's links to people, issues and commits, and its emoji words, are not made here.
 * @param lineBreaks a line end is a line break, as in comments; in files it is a space
 */
export function githubMarkdown(markdown: string, lineBreaks: boolean): Markup {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const written = toHast(tree, {
    allowDangerousHtml: true,
    ...(lineBreaks ? { handlers: { text: brokenText } } : {}),
  });
  return { html: toHtml(sanitize(raw(written), defaultSchema)) };
}

function brokenText(_state: unknown, { value }: Text) {
  return value.split('\n').flatMap((line, index) => {
    const text = { type: 'text' as const, value: line };
    return index === 0
      ? [text]
      : [{ type: 'element' as const, tagName: 'br', properties: {}, children: [] }, text];
  });
}
