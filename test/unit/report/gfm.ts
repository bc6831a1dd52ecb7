import type { Nodes, Root } from 'mdast';
import { type Extension, fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const EXTENSIONS = [gfm()];
const MDAST_EXTENSIONS = gfmFromMarkdown().map(
  ({ transforms, ...extension }): Extension => ({
    ...extension,
    // These transforms look for addresses in texts. Each visits the whole tree for every form of address, which is
    // slow. So they run only if the tree may hold an address.
    transforms: (transforms ?? []).map(
      (transform) => (root) => (mayHoldAddress(root) ? transform(root) : undefined),
    ),
  }),
);

/** True if a text in this tree looks like an address. */
function mayHoldAddress(node: Nodes): boolean {
  return node.type === 'text'
    ? /[\w+.-]@[\w-]|www\.|https?:\/\//i.test(node.value)
    : 'children' in node && node.children.some(mayHoldAddress);
}

/** Parses Markdown as GitHub does, with a parser that shares no code with the renderers. */
export function parseGfm(markdown: string): Root {
  return fromMarkdown(markdown, { extensions: EXTENSIONS, mdastExtensions: MDAST_EXTENSIONS });
}

export function allNodes(root: Nodes): Nodes[] {
  const nodes: Nodes[] = [];
  const add = (node: Nodes) => {
    nodes.push(node);
    if ('children' in node) node.children.forEach(add);
  };
  add(root);
  return nodes;
}

/**
 * The text outside code. GitHub looks for references only in this text.
 * @param nodes all nodes of the Markdown
 */
export function textOutsideCode(nodes: readonly Nodes[]): string {
  let depth = 0;
  let text = '';
  for (const node of nodes) {
    if (node.type === 'html' && node.value === '<code>') depth += 1;
    if (node.type === 'html' && node.value === '</code>') depth -= 1;
    if (node.type === 'text') text += depth > 0 ? '\n' : node.value;
    else if (node.type === 'paragraph' || node.type === 'tableCell' || node.type === 'html')
      text += node.type === 'html' && node.value !== '<br>' ? '' : '\n';
  }
  return text;
}

/** The texts that GitHub turns into a link, a notification or an emoji after it has parsed the Markdown. */
export const REFERENCES: Readonly<Record<string, RegExp>> = {
  mention: /(?:^|[^\w`])@[a-z0-9]/i,
  issue: /#\d/,
  'GH- issue': /\bGH-\d/i,
  commit: /\b[0-9a-f]{7,40}\b/i,
  address: /\bwww\.|:\/\//i,
  mail: /[\w.+-]@[a-z0-9]/i,
  emoji: /:[\w+-]+:/,
};
