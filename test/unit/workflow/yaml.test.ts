import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { readYaml, type Yaml } from '../../../src/workflow/yaml.ts';
import { copiedYaml } from '../../project/examples.ts';
import { rounds } from '../../support/rounds.ts';

/** If `reference` follows more aliases than this, it assumes that a value contains itself. */
const MOST_ALIASES = 1_000;

/** The value that another YAML reader reads. Undefined if it finds an error, or if a value contains itself. */
function reference(text: string): Yaml | undefined {
  const document = parseDocument(text, { strict: true });
  let aliases = 0;
  const look = (node: unknown): Yaml => {
    if (isAlias(node)) {
      aliases += 1;
      return aliases > MOST_ALIASES ? '' : look(node.resolve(document));
    }
    if (isSeq(node)) return node.items.map(look);
    if (isMap(node)) return new Map(node.items.map(({ key, value }) => [String(look(key)), look(value)]));
    if (!isScalar(node)) return '';
    return node.type === 'PLAIN' ? (node.source ?? '') : String(node.value ?? '');
  };
  const value = document.errors.length > 0 ? undefined : look(document.contents);
  return aliases > MOST_ALIASES ? undefined : value;
}

test.each(copiedYaml())('the YAML in %s is read completely', (_place, text) => {
  expect(readYaml(text)).toEqual(reference(text));
});

test.each([
  ['numbers, booleans and null as texts', 'a: [3.10, true, ~]'],
  ['an empty value as an empty text', 'on:\n  push:\n'],
  ['an alias', 'x: &n {b: c}\na: *n'],
  ['a tag for a text', 'a: !!str 1'],
  ['keys in the order of the file', '2: a\n1: b\n'],
  ['Windows line ends', 'a:\r\n  b: c\r\n'],
])('the YAML reader reads %s', (_what, text) => {
  const entriesOf = (value: Yaml | undefined) => (value instanceof Map ? [...value] : value);
  expect(entriesOf(readYaml(text))).toEqual(entriesOf(reference(text)));
  expect(readYaml(text)).toBeInstanceOf(Map);
});

test.each([
  ['an unknown tag', 'a: !x b'],
  ['a condition that YAML reads as a tag', 'if: !cancelled()'],
  ['a merge key', 'a: &x {b: c}\nd:\n  <<: *x\n'],
  ['a key twice', 'a: b\na: c'],
  ['a key that is not a scalar', '? [a]\n: b'],
  ['two documents', 'a: b\n---\nc: d'],
  ['500 nested lists', `${'['.repeat(500)}${']'.repeat(500)}`],
  ...['\x85', '\u2028', '\u2029', '\0', '\x0c', '\r'].map((character) => [
    `the doubtful line end ${JSON.stringify(character)}`,
    `name: a # ${character}on: push\n`,
  ]),
])('the YAML reader refuses %s', (_what, text) => {
  expect(readYaml(text)).toBeUndefined();
});

/** Pieces of YAML that are inserted at random. */
const PIECES =
  'a|b|key|: |:|- |-|\n|\n  |\n    | |#| # c|"|\'|"x"|\'y\'|[|]|{|}|, |>|>-|\\|&x |*x|\t|---|...|?|!|%|@|`|on:|\\n|<<: |'
    .split('|')
    .concat('|', '|-');

test('our YAML reader and another one read a changed workflow as the same value if neither refuses it', () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(6),
    piece: fc.constantFrom(...PIECES),
  });
  const changed = fc
    .tuple(fc.constantFrom(...copiedYaml()), fc.array(edit, { minLength: 1, maxLength: 6 }))
    .map(([[, whole], edits]) =>
      edits.reduce((text, { at, removed, piece }) => {
        const start = Math.floor(at * text.length);
        return text.slice(0, start) + piece + text.slice(start + removed);
      }, whole),
    );
  let compared = 0;
  fc.assert(
    fc.property(changed, (text) => {
      const [value, expected] = [readYaml(text), reference(text)];
      if (value === undefined || expected === undefined) return;
      expect(value).toEqual(expected);
      compared += 1;
    }),
    { numRuns: rounds(200, 10_000) },
  );
  expect(compared).toBeGreaterThan(10);
});
