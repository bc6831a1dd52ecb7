import type { SgNode } from '@ast-grep/napi';
import { filesIn, nodesIn, read } from './code.ts';

/** In a message on a page, this character stands for a value. */
export const VALUE = '…';
/** Literals with fewer characters are ignored, because any sentence could contain them. */
const SHORTEST_LITERAL = 3;

/** The fixed texts of a literal in the source, in order. The literal has a value between one text and the next. */
type Template = readonly string[];

/** Whether the literals of the source can form the message. */
export type IsMessage = (message: string) => boolean;

/** Returns a function that recognizes the messages of the action. */
export function messagesOfSource(): IsMessage {
  return messagesIn(filesIn('src/**/*.ts').map(read));
}

/**
 * Returns a function that recognizes the messages of these sources. A message is a whole literal, or its first
 * sentences. In place of an inserted value (`${…}`), the message has `…` or the text of other literals.
 */
export function messagesIn(sources: readonly string[]): IsMessage {
  const templates = sources.flatMap(templatesIn);
  const beginnings = templates.flatMap(beginningsOf);
  const inner = byFirstCharacter(
    templates.filter((template) => template.join('').length >= SHORTEST_LITERAL),
  );
  const known = new Map<string, boolean>();

  const isRow = (text: string): boolean => {
    if (text === '' || text === VALUE) return true;
    const before = known.get(text);
    if (before !== undefined) return before;
    known.set(text, false);
    const found =
      (text.startsWith(VALUE) && isRow(text.slice(VALUE.length))) ||
      inner(text).some((template) => endsOf(template, text).some((end) => end > 0 && isRow(text.slice(end))));
    known.set(text, found);
    return found;
  };

  /** The positions in the text at which the template can end. Empty if the text does not start with the template. */
  const endsOf = ([first = '', ...rest]: Template, text: string): number[] => {
    if (!text.startsWith(first)) return [];
    let ends = [first.length];
    for (const fixed of rest) {
      ends = [...new Set(ends.flatMap((start) => continuations(text, start, fixed)))];
    }
    return ends;
  };

  const continuations = (text: string, start: number, fixed: string): number[] => {
    const ends: number[] = [];
    for (let at = text.indexOf(fixed, start); at !== -1; at = text.indexOf(fixed, at + 1)) {
      if (isRow(text.slice(start, at))) ends.push(at + fixed.length);
      if (at === text.length) break;
    }
    return ends;
  };

  return (message) =>
    message !== '' && beginnings.some((template) => endsOf(template, message).includes(message.length));
}

/**
 * Returns a function that finds the templates that can start like a text. It compares only the first character. A
 * template that starts with a value is always found. Equal templates are found once.
 */
function byFirstCharacter(templates: readonly Template[]): (text: string) => readonly Template[] {
  const distinct = [...new Map(templates.map((template) => [template.join('\0'), template])).values()];
  const found = new Map<string, readonly Template[]>();
  return (text) => {
    const [first = ''] = text;
    const known =
      found.get(first) ?? distinct.filter(([fixed = '']) => first.startsWith(fixed.slice(0, first.length)));
    found.set(first, known);
    return known;
  };
}

/** The whole template, and its beginnings: each ends after a sentence of the template. */
function beginningsOf(template: Template): Template[] {
  const cut = template.flatMap((fixed, index) =>
    [...fixed.matchAll(/[.:](?= )/g)].map(({ index: at }) => [
      ...template.slice(0, index),
      fixed.slice(0, at + 1),
    ]),
  );
  return [template, ...cut];
}

function templatesIn(source: string): Template[] {
  return ['string', 'template_string'].flatMap((kind) => nodesIn(source, kind).map(templateOf));
}

function templateOf(literal: SgNode): Template {
  const fixed = [''];
  for (const node of literal.children()) {
    const last = fixed.length - 1;
    if (node.kind() === 'template_substitution') fixed.push('');
    else if (node.kind() === 'string_fragment') fixed[last] += node.text();
    else if (node.kind() === 'escape_sequence') fixed[last] += node.text().slice(1);
  }
  return fixed;
}
