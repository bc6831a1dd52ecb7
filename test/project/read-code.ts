import { Lang, parse, type SgNode } from '@ast-grep/napi';

/** What people read of a source file beside its texts. */
export interface CodeText {
  /** The words of its identifiers, in lower case. */
  readonly names: readonly string[];
  readonly comments: readonly string[];
  /** The titles of its tests. */
  readonly titles: readonly string[];
}

const NAME_KINDS = [
  'identifier',
  'property_identifier',
  'private_property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
  'type_identifier',
];
const TITLED = /^(?:describe|it|test|sideBySide)\b/;

export function readCode(source: string): CodeText {
  const root = parse(Lang.TypeScript, source).root();
  const texts = (kind: string) => root.findAll({ rule: { kind } }).map((node) => node.text());
  return {
    names: [...new Set(NAME_KINDS.flatMap(texts))].flatMap(segmentsOf),
    comments: texts('comment').map(linesJoined),
    titles: root.findAll({ rule: { kind: 'call_expression' } }).flatMap(titleOf),
  };
}

/** The lines of a comment as one. */
export function linesJoined(comment: string): string {
  return comment.replace(/\s*\n\s*\*\s?/g, ' ');
}

/** `titleOf`, `TITLE_OF` and `title-of` consist of the same words. */
export function segmentsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** The first argument of `test('…')`, `test.each(…)('…')` and the like, where it is a text. */
function titleOf(call: SgNode): string[] {
  if (!TITLED.test(call.field('function')?.text() ?? '')) return [];
  const first = call.field('arguments')?.child(1);
  return first?.is('string') || first?.is('template_string') ? [first.text()] : [];
}
