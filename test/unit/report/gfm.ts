import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const EXTENSIONS = [gfm()];
const MDAST_EXTENSIONS = [gfmFromMarkdown()];

/** Reads markdown with a parser that is not ours. */
export function parseGfm(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: EXTENSIONS, mdastExtensions: MDAST_EXTENSIONS });
}

export function allNodes(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(allNodes) : [])];
}

/** The text that a reader sees outside code, where GitHub looks for references. */
export function textOutsideCode(root: Root): string {
  let depth = 0;
  let text = '';
  for (const node of allNodes(root)) {
    if (node.type === 'html' && node.value === '<code>') depth += 1;
    if (node.type === 'html' && node.value === '</code>') depth -= 1;
    if (node.type === 'text') text += depth > 0 ? '\n' : node.value;
    else if (node.type === 'paragraph' || node.type === 'tableCell' || node.type === 'html')
      text += node.type === 'html' && node.value !== '<br>' ? '' : '\n';
  }
  return text;
}

/** What GitHub's filters turn into a link, a notification or an emoji, after the markdown is parsed. */
export const REFERENCES: Readonly<Record<string, RegExp>> = {
  mention: /(?:^|[^\w`])@[a-z0-9]/i,
  issue: /#\d/,
  'GH- issue': /\bGH-\d/i,
  commit: /\b[0-9a-f]{7,40}\b/i,
  address: /\bwww\.|:\/\//i,
  mail: /[\w.+-]@[a-z0-9]/i,
  emoji: /:[\w+-]+:/,
};
