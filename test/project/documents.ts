import path from 'node:path';
import type { Nodes, Root } from 'mdast';
import { allNodes, parseGfm } from '../unit/report/gfm.ts';
import { filesIn, read } from './code.ts';

/** The pages below `docs`, as paths from the root of the repository. */
export const DOCS_PAGES: readonly string[] = filesIn('docs/**/*.md');
const CONTRIBUTING_PAGES = DOCS_PAGES.filter((page) => page.startsWith('docs/contributing/'));
/** The pages that users of the action read. */
export const USER_PAGES: readonly string[] = [
  'README.md',
  ...DOCS_PAGES.filter((page) => !CONTRIBUTING_PAGES.includes(page)),
];
/** All pages whose text and links are checked. */
export const PAGES: readonly string[] = [
  ...USER_PAGES,
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...CONTRIBUTING_PAGES,
];

const parsed = new Map<string, Root>();

/** Parses the page. The result is kept, because many tests read the same page. */
export function parsedOnce(markdown: string): Root {
  const before = parsed.get(markdown);
  if (before !== undefined) return before;
  const tree = parseGfm(markdown);
  parsed.set(markdown, tree);
  return tree;
}

/** The headings of a page as a reader sees them, each with the text up to the next heading. */
export function sectionsOf(markdown: string): readonly { readonly title: string; readonly body: string }[] {
  const headings = allNodes(parsedOnce(markdown)).flatMap((node) =>
    node.type === 'heading' ? [{ title: shownText(node, () => true).trim(), at: node.position }] : [],
  );
  return headings.map(({ title, at }, index) => ({
    title,
    body: markdown.slice(at?.end.offset, headings[index + 1]?.at?.start.offset),
  }));
}

/** The Markdown below a heading of any level, up to the next heading. Empty if there is no such heading. */
export function sectionUnder(markdown: string, heading: string): string {
  return sectionsOf(markdown).find(({ title }) => title === heading)?.body ?? '';
}

/** The fragments that link to the headings of a page, as GitHub creates them. */
export function anchorsOf(markdown: string): readonly string[] {
  const seen = new Map<string, number>();
  return sectionsOf(markdown).map(({ title }) => {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const earlier = seen.get(anchor) ?? 0;
    seen.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
}

/** A link or a picture of a page that leads to a file of this repository. */
export interface LocalLink {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** The heading in the file. Empty if the link leads to the whole file. */
  readonly anchor: string;
}

export function localLinksOf(page: string): readonly LocalLink[] {
  return allNodes(parsedOnce(read(page))).flatMap((node) => {
    if ((node.type !== 'link' && node.type !== 'image') || /^[a-z]+:/.test(node.url)) return [];
    const [file = '', anchor = ''] = node.url.split('#');
    return [{ file: file === '' ? page : path.posix.join(path.posix.dirname(page), file), anchor }];
  });
}

/**
 * Reads the table under a heading. Each key is the first cell of a row, without its backticks. The value is a list of
 * the remaining cells.
 */
export function tableUnder(markdown: string, heading: string): Map<string, string[]> {
  const rows = sectionUnder(markdown, heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(rows.map(([name = '', ...cells]) => [name.replaceAll('`', ''), cells]));
}

/** The cells of one row of a table, and the header cells of the table, in Markdown. */
export interface TableRow {
  readonly header: readonly string[];
  readonly cells: readonly string[];
}

/** The rows of all tables of a page, in order. */
export function rowsOf(markdown: string): readonly TableRow[] {
  return allNodes(parsedOnce(markdown)).flatMap((node) => {
    if (node.type !== 'table') return [];
    const [header = [], ...rows] = node.children.map((row) =>
      row.children.map(({ children }) =>
        markdown.slice(children[0]?.position?.start.offset, children.at(-1)?.position?.end.offset),
      ),
    );
    return rows.map((cells) => ({ header, cells }));
  });
}

/** The code spans of a text, in order. */
export function codeSpansOf(markdown: string): readonly string[] {
  return allNodes(parsedOnce(markdown)).flatMap((node) => (node.type === 'inlineCode' ? [node.value] : []));
}

/** The prose of a page. Code spans are left out, because they hold names. */
export function proseOf(markdown: string): string {
  return shownText(parsedOnce(markdown), ({ type }) => type !== 'inlineCode').replace(/\s+/g, ' ');
}

/**
 * Nodes inside a line are joined without a space, so that `**a**b` stays one word. All other nodes start a new line.
 */
const IN_LINE: ReadonlySet<string> = new Set(['text', 'inlineCode', 'strong', 'emphasis', 'delete', 'link']);

function shownText(node: Nodes, isShown: (node: Nodes) => boolean): string {
  const own = isShown(node) ? ownText(node) : '';
  const inner = 'children' in node ? node.children.map((child) => shownText(child, isShown)).join('') : '';
  return IN_LINE.has(node.type) ? own + inner : `\n${own}${inner}\n`;
}

function ownText(node: Nodes): string {
  if (node.type === 'image') return node.alt ?? '';
  // A page shows only one thing of an HTML tag: the description of a picture.
  if (node.type === 'html') return node.value.replace(/<(?:[^>]*? alt="([^"]*)")?[^>]*>/g, ' $1 ');
  return 'value' in node ? node.value : '';
}
