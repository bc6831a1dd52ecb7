import { Lang, parse, type Rule, type SgNode } from '@ast-grep/napi';

/** What people read of a source file beside its texts. */
export interface CodeText {
  /** The words of its identifiers, in lower case; of those that hold one that is searched for. */
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
const ANY_NAME = NAME_KINDS.map((kind) => ({ kind }));
const TITLED = String.raw`^(?:describe|it|test|sideBySide)\b`;

/** @param wanted those that names are searched for; names that hold none of them are left out */
export function readCode(source: string, wanted: Iterable<string>): CodeText {
  const root = parse(Lang.TypeScript, source).root();
  const texts = (rule: Rule) => root.findAll({ rule }).map((node) => node.text());
  const names = texts({ any: ANY_NAME, regex: `(?i:${[...wanted].join('|')})` });
  return {
    names: [...new Set(names)].flatMap(segmentsOf),
    comments: texts({ kind: 'comment' }).map(linesJoined),
    titles: root.findAll({ rule: { kind: 'call_expression', regex: TITLED } }).flatMap(titleOf),
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
  const first = call.field('arguments')?.child(1);
  return first?.is('string') || first?.is('template_string') ? [first.text()] : [];
}
