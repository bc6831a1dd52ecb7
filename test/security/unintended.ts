import type { Nodes } from 'mdast';
import { createLineReader } from '../../sandbox/runner/line-reader.ts';
import { parseCommand, REGISTERED_COMMANDS } from '../../sandbox/runner/workflow-command.ts';
import { hasInvisible } from '../../src/text/visible-text.ts';
import { allNodes, parseGfm, REFERENCES, textOutsideCode } from '../unit/report/gfm.ts';

/** Elements of GFM that our reports never contain. */
const NEVER = new Set([
  'image',
  'imageReference',
  'linkReference',
  'definition',
  'footnoteReference',
  'footnoteDefinition',
  'blockquote',
  'delete',
  'thematicBreak',
]);
const OUR_HTML = /^(?:<\/?(?:span|code|sub|b)>|<br>|<\/details>|<details><summary>[\w ]+<\/summary>)$/;
/** The second character makes the first one an emoji. */
const OUR_ICON = '\u26a0\ufe0f';
const OUR_PLACES =
  /^https:\/\/(?:(?:github\.com\/acme\/shop|scan\.example)\/|github\.com\/scangate\/scangate\/blob\/HEAD\/docs\/[a-z-]+\.md(?:#[a-z-]+)?$)/;

/** A piece of a Markdown text. The text before the piece does not change how it is parsed. */
interface Piece {
  readonly faults: readonly string[];
  /** True if the last block of the piece ends before a text that starts like `next`, after a blank line. */
  readonly endsBefore: (next: string) => boolean;
}

/** The pieces that were already checked. The texts of one report have most pieces in common. */
const known = new Map<string, Piece>();

/**
 * Finds what we do not intend in a Markdown text, such as a foreign link. Returns an empty list if the text is safe.
 * Checks the text piece by piece. A link definition has effects on other pieces, but is itself a fault.
 */
export function unintendedIn(markdown: string): readonly string[] {
  const faults: string[] = [];
  let text = '';
  const paragraphs = markdown.split(/(?<=\n\n)(?![\n\ufeff])/);
  for (const [index, paragraph] of paragraphs.entries()) {
    text += paragraph;
    const piece = pieceOf(text);
    const next = paragraphs[index + 1];
    if (next !== undefined && !piece.endsBefore(next)) continue;
    faults.push(...piece.faults);
    text = '';
  }
  return faults;
}

function pieceOf(text: string): Piece {
  const before = known.get(text);
  if (before !== undefined) return before;
  const root = parseGfm(text);
  const last = root.children.at(-1);
  const source = text.slice(last?.position?.start.offset, last?.position?.end.offset);
  const piece = {
    faults: unintendedAmong(allNodes(root), text),
    endsBefore: (next: string) => endsBefore(next, last?.type, source),
  };
  known.set(text, piece);
  return piece;
}

function endsBefore(next: string, type: Nodes['type'] | undefined, source: string): boolean {
  if (type === 'heading' || type === 'paragraph' || type === 'table') return true;
  if (type === 'list') return /^[^\s\d*+-]/.test(next);
  if (type === 'code') return /^([`~]{3,})[^`~\n]*\n(?:.*\n)*? {0,3}\1[`~]*[ \t]*$/.test(source);
  // A blank line does not end a comment, for example.
  return type === 'html' && !/^<(?:[!?]|script|pre|style|textarea)/i.test(source);
}

/** @param nodes all nodes of the parsed text */
export function unintendedAmong(nodes: readonly Nodes[], markdown: string): string[] {
  const faults: string[] = [];
  for (const node of nodes) {
    if (NEVER.has(node.type)) faults.push(node.type);
    if (node.type === 'code' && (node.lang ?? node.meta ?? '') !== '') faults.push(`code in ${node.lang}`);
    if (node.type === 'listItem' && typeof node.checked === 'boolean') faults.push('a task');
    if (node.type === 'link' && !OUR_PLACES.test(node.url)) faults.push(`a link to ${node.url}`);
    if (node.type === 'html')
      faults.push(
        ...node.value
          .split('\n')
          .filter((line) => !OUR_HTML.test(line))
          .map((line) => `HTML ${line}`),
      );
  }
  const text = textOutsideCode(nodes);
  for (const [name, reference] of Object.entries(REFERENCES)) {
    const found = reference.exec(text);
    if (found !== null) faults.push(`${name}: ${text.slice(found.index, found.index + 20)}`);
  }
  return [...faults, ...unseenIn(markdown.replaceAll(OUR_ICON, ''))];
}

/** Returns one fault if the text has invisible characters. Line feeds and tabs are allowed. */
export function unseenIn(text: string): string[] {
  return hasInvisible(text.replaceAll(/[\n\t]/g, '')) ? ['a character that cannot be seen'] : [];
}

/** The commands that the runner would execute if a step printed this text. Both syntaxes of commands count. */
export function commandsIn(printed: string): string[] {
  const obeyed: string[] = [];
  const reader = createLineReader((line) => {
    const command = parseCommand(line, (name) => REGISTERED_COMMANDS.includes(name));
    if (command !== undefined) obeyed.push(command.name);
  });
  reader.push(Buffer.from(printed));
  reader.end();
  return obeyed;
}
