import { Lang, parse, type Rule, type SgNode } from '@ast-grep/napi';

/** The names and texts of a source file. */
export interface CodeText {
  /** The words of each identifier that contains a wanted word. All words are in lower case. */
  readonly names: readonly string[];
  readonly comments: readonly string[];
  /** The titles of the tests in the file. */
  readonly titles: readonly string[];
  /** The literals that have several words. People may read them. */
  readonly messages: readonly string[];
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

/**
 * Reads the names and texts of a source file.
 * @param wanted only identifiers that contain one of these words are read
 */
export function readCode(source: string, wanted: Iterable<string>): CodeText {
  const root = parse(Lang.TypeScript, source).root();
  const texts = (rule: Rule) => root.findAll({ rule }).map((node) => node.text());
  const names = texts({ any: ANY_NAME, regex: `(?i:${[...wanted].join('|')})` });
  return {
    names: [...new Set(names)].flatMap(segmentsOf),
    comments: texts({ kind: 'comment' }).map(linesJoined),
    titles: root.findAll({ rule: { kind: 'call_expression', regex: TITLED } }).flatMap(titleOf),
    messages: texts({ kind: 'string_fragment', regex: ' ' }),
  };
}

/** Joins the lines of a comment. */
export function linesJoined(comment: string): string {
  return comment.replace(/\s*\n\s*\*\s?/g, ' ');
}

/** Splits a name into words. The words of `titleOf`, `TITLE_OF` and `title-of` are the same. */
export function segmentsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** The first argument of `test('…')`, `test.each(…)('…')` and the like, if it is a text. */
function titleOf(call: SgNode): string[] {
  const first = call.field('arguments')?.child(1);
  return first?.is('string') || first?.is('template_string') ? [first.text()] : [];
}
