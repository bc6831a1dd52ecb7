import type { Nodes } from 'hast';
import { raw } from 'hast-util-raw';
import { defaultSchema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import type { Text } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import type { Markup } from '../markup.ts';
import { type LinkMap, SAME_LINKS } from './page-links.ts';

const SYNTAX = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/**
 * Renders GitHub's Markdown. Embedded HTML stays, except the HTML that GitHub removes. Emoji codes stay as they are.
 * People, issues and commits are not linked.
 * @param lineBreaks true for comments, in which a line end becomes a line break. False for files, in which it becomes a
 * space
 */
export function githubMarkdown(markdown: string, lineBreaks: boolean, links: LinkMap = SAME_LINKS): Markup {
  const tree = fromMarkdown(markdown, SYNTAX);
  const written = toHast(tree, {
    allowDangerousHtml: true,
    ...(lineBreaks ? { handlers: { text: brokenText } } : {}),
  });
  const shown = sanitize(raw(written), defaultSchema);
  redirectLinks(shown, links);
  return { html: toHtml(shown) };
}

function redirectLinks(node: Nodes, links: LinkMap): void {
  if (node.type === 'element' && node.tagName === 'a') {
    const { href } = node.properties;
    node.properties['href'] = typeof href === 'string' ? links(href) : undefined;
  }
  if ('children' in node) for (const child of node.children) redirectLinks(child, links);
}

function brokenText(_state: unknown, { value }: Text) {
  return value.split('\n').flatMap((line, index) => {
    const text = { type: 'text' as const, value: line };
    return index === 0
      ? [text]
      : [{ type: 'element' as const, tagName: 'br', properties: {}, children: [] }, text];
  });
}
