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

/** The faults of the texts that were already checked. Different inputs often give the same text. */
const known = new Map<string, readonly string[]>();

/**
 * Finds what we do not intend in a Markdown text, such as a foreign link. Returns an empty list if the text is safe.
 */
export function unintendedIn(markdown: string): readonly string[] {
  const before = known.get(markdown);
  if (before !== undefined) return before;
  const faults = unintendedAmong(allNodes(parseGfm(markdown)), markdown);
  known.set(markdown, faults);
  return faults;
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
