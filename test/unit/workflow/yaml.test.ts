import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, stringify } from 'yaml';
import { readYaml, type Yaml } from '../../../src/workflow/yaml.ts';
import { copiedYaml } from '../../project/examples.ts';
import { rounds } from '../../support/rounds.ts';

/** If `reference` follows more aliases than this, it assumes that a value contains itself. */
const MOST_ALIASES = 1_000;

type Plain = string | readonly Plain[] | { readonly [key: string]: Plain };

/** Converts mappings to objects, so that they can be compared. */
function plain(value: Yaml): Plain {
  if (typeof value === 'string') return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
  return Array.isArray(value) ? value.map(plain) : '';
}

/**
 * The value that a complete YAML reader reads. Scalars become texts. Undefined if that reader finds an error, or if a
 * value contains itself.
 */
function reference(text: string): Plain | undefined {
  const document = parseDocument(text, { strict: true });
  let aliases = 0;
  const look = (node: unknown): Plain => {
    if (isAlias(node)) {
      aliases += 1;
      return aliases > MOST_ALIASES ? '' : look(node.resolve(document));
    }
    if (isSeq(node)) return node.items.map(look);
    if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [keyOf(key), look(value)]));
    return isScalar(node) ? keyOf(node) : '';
  };
  const value = document.errors.length > 0 ? undefined : look(document.contents);
  return aliases > MOST_ALIASES ? undefined : value;
}

function keyOf(node: unknown): string {
  if (!isScalar(node)) return `a key that is no scalar: ${String((node as Node | null)?.constructor.name)}`;
  return node.type === 'PLAIN' ? (node.source ?? '') : String(node.value ?? '');
}

const read = (text: string) => {
  const value = readYaml(text);
  return value.ok ? plain(value.value) : undefined;
};

test.each(copiedYaml())('the YAML in %s is read completely', (_place, text) => {
  expect(read(text)).toEqual(reference(text));
});

describe('a scalar', () => {
  test.each([
    ['plain text', 'a: b c', 'b c'],
    ['a comment', 'a: b # c', 'b'],
    ['a number sign', 'a: b#c', 'b#c'],
    ['plain text over several lines', 'a: b\n  c\n\n  d', 'b c\nd'],
    ['single quotes', "a: 'it''s # no comment'", "it's # no comment"],
    ['double quotes', 'a: "\\u0041\\x42\\t\\"\\\\ \\\n  c"', 'AB\t"\\ c'],
    ['quotes over several lines', 'a: "b\n  c"', 'b c'],
    ['a literal block', 'a: |\n  b\n    c\n\n  d\n', 'b\n  c\n\nd\n'],
    ['a folded block', 'a: >-\n  b\n  c\n\n  d\n', 'b c\nd'],
    ['kept line ends', 'a: |+\n  b\n\n', 'b\n\n'],
    ['a given indentation', 'a: |1\n  b\n', ' b\n'],
    ['an expression', `a: $${'{{ b && \'c\' || "" }}'}`, `$${'{{ b && \'c\' || "" }}'}`],
    ['an empty value', 'a:\n', ''],
    ['an alias', 'x: &n b\na: *n', 'b'],
    ['an asterisk in quotes', "a: '**'", '**'],
  ])('the YAML reader reads a scalar (%s)', (_what, text, value) => {
    expect(read(text)).toEqual(expect.objectContaining({ a: value }));
    expect(read(text)).toEqual(reference(text));
  });
});

test.each([
  ['a list at the column of its key', 'a:\n- b\n- c: d\n  e: f\n', { a: ['b', { c: 'd', e: 'f' }] }],
  ['lists in lists', '- - a\n  - b\n-\n  - c\n', [['a', 'b'], ['c']]],
  ['flow style over several lines', 'a: [b, # x\n  {c: d, "e":f}, ]\n', { a: ['b', { c: 'd', e: 'f' }] }],
  ['Windows line ends', 'a:\r\n  b: c\r\n', { a: { b: 'c' } }],
  ['the start of a document', '---\na: b\n', { a: 'b' }],
  ['quoted keys', '"on": push\n\'a b\': c\n', { on: 'push', 'a b': 'c' }],
])('the YAML reader reads %s', (_what, text, value) => {
  expect(read(text)).toEqual(value);
});

test.each([
  ['a tag', 'a: !x b'],
  ['a condition that YAML reads as a tag', 'if: !cancelled()'],
  ['a merge key', 'a: &x {b: c}\nd:\n  <<: *x\n'],
  ['an unknown alias', 'a: *x'],
  ['a colon that belongs to the key', '{a :b}'],
  ['two anchors', 'a: &x\n  &y b'],
  ['an anchor without a space after it', 'a: &x{}'],
  ['a key twice', 'a: b\na: c'],
  ['a key that is not a scalar', '? [a]\n: b'],
  ['two documents', 'a: b\n---\nc: d'],
  ['a tab as indentation', 'a:\n\tb: c'],
  ['a quote that is not closed', 'a: "b'],
  ['a list that is not closed', 'a: [b'],
  ['a mapping inside a scalar', 'a: b: c'],
  ['a line indented between two levels', 'a:\n    b: c\n  d: e'],
  ['an unknown escape', 'a: "\\q"'],
  ['500 nested lists', `${'['.repeat(500)}${']'.repeat(500)}`],
])('the YAML reader refuses %s', (_what, text) => {
  expect(readYaml(text)).toEqual({ ok: false, error: 'unreadable' });
});

/** Pieces of YAML that are joined at random. */
const PIECES =
  'a|b|key|: |:|- |-|\n|\n  |\n    | |#| # c|"|\'|"x"|\'y\'|[|]|{|}|, |>|>-|>+|\\|&x |*x|\t|---|...|?|!|%|@|`|on:|\\n|<<: '
    .split('|')
    .concat('|', '|-');

describe('white space other than spaces and tabs belongs to the text', () => {
  test.each([
    ['name: gate\u00a0\n', { name: 'gate\u00a0' }],
    ['name: gate\u00a0# one\n', { name: 'gate\u00a0# one' }],
    ['\u00a0name: gate\n', { '\u00a0name': 'gate' }],
    ['name:\u00a0gate\n', 'name:\u00a0gate'],
    ["name: 'a\u00a0\n  \u3000b'\n", { name: 'a\u00a0 \u3000b' }],
    ['names: [\u00a0a, b\ufeff]\n', { names: ['\u00a0a', 'b\ufeff'] }],
    ['run: |\n  \u00a0\n', { run: '\u00a0\n' }],
  ])('white space other than spaces and tabs belongs to the text (%j)', (text, value) => {
    expect(read(text)).toEqual(value);
    expect(reference(text)).toEqual(value);
  });
});

test.each(['\x85', '\u2028', '\u2029', '\0', '\x0c', '\r'])(
  'the YAML reader refuses text with the doubtful line end %j',
  (character) => {
    expect(read(`name: a # ${character}on: push\n`)).toBeUndefined();
  },
);

describe('the time to read YAML', () => {
  const SIZE = 200_000;
  test.each([
    ['spaces in a plain text', `a${' '.repeat(SIZE)}b`],
    ['spaces in quotes', `a: "${' '.repeat(SIZE)}x"`],
    ['tabs in quotes', `a: "b${' \t'.repeat(SIZE / 2)}x"`],
    ['an unclosed quote', `a: "${'\\n'.repeat(SIZE / 2)}`],
    ['many blocks', Array.from({ length: SIZE / 10 }, (_, i) => `k${i}: |\n a\n`).join('')],
    ['many keys', Array.from({ length: SIZE / 10 }, (_, i) => `k${i}: a\n`).join('')],
    ['one long line', `a: [${'{b: c}, '.repeat(SIZE / 8)}b]`],
    [
      'aliases of aliases',
      Array.from({ length: 60 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join(''),
    ],
  ])('the time to read YAML is proportional to the length of the text (%s)', (_what, text) => {
    const start = performance.now();
    readYaml(text);
    // The reader needs about 10 ms. In quadratic time, it would need far more than a second.
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

test('our YAML reader and a complete one read the same value if neither refuses the text', () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((all) => all.join(''));
  fc.assert(
    fc.property(pieces, (text) => {
      const value = read(text);
      const expected = reference(text);
      // GitHub does not run an invalid file, and our reader also refuses some valid ones.
      if (value !== undefined && expected !== undefined) expect(value).toEqual(expected);
    }),
    { numRuns: rounds(2_000, 50_000), examples: [['&x [*x]']] },
  );
});

test('our YAML reader reads the output of a YAML writer correctly or refuses it', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      'main',
      'release/**',
      'a: b',
      '# x',
      "it's",
      'a\nb',
      'a\n\n  b\n',
      ' lead',
      '- x',
      '',
      'a #b',
    ),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const options = fc.record({
    lineWidth: fc.constantFrom(0, 20, 80),
    collectionStyle: fc.constantFrom('any' as const, 'flow' as const, 'block' as const),
    indentSeq: fc.boolean(),
    defaultStringType: fc.constantFrom(
      'PLAIN',
      'QUOTE_DOUBLE',
      'QUOTE_SINGLE',
      'BLOCK_FOLDED',
      'BLOCK_LITERAL',
    ),
  });
  let count = 0;
  fc.assert(
    fc.property(value, options, (written, style) => {
      const yaml = stringify(written, null, style);
      const result = read(yaml);
      if (result === undefined) return;
      expect(result).toEqual(reference(yaml));
      count += 1;
    }),
    { numRuns: rounds(500, 20_000) },
  );
  expect(count).toBeGreaterThan(400);
});
