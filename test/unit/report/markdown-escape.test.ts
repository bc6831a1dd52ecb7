import { describe, expect, test } from 'vitest';
import { escapeCode, escapeText } from '../../../src/report/markdown-escape.ts';

// These tests compare the exact Markdown. `markdown-parsed.test.ts` checks how a parser reads the Markdown.
const SIGNS = [
  ['&', '&#38;'],
  ['<', '&#60;'],
  ['>', '&#62;'],
  ['`', '&#96;'],
  ['*', '&#42;'],
  ['_', '&#95;'],
  ['[', '&#91;'],
  [']', '&#93;'],
  ['~', '&#126;'],
  ['|', '&#124;'],
  ['\\', '&#92;'],
  ['!', '&#33;'],
] as const;

describe('escapeText', () => {
  test.each(SIGNS)('escapeText writes every %s as an entity', (sign, entity) => {
    expect(escapeText(`${sign}a${sign}${sign}b${sign}`)).toBe(`${entity}a${entity}${entity}b${entity}`);
  });

  test.each([
    ['a mention', 'ask @user', 'ask @&#8203;user'],
    [
      'a mention after a special character',
      '@@user @#1 `@user',
      '@&#8203;@&#8203;user @&#8203;&#35;&#8203;1 &#96;@&#8203;user',
    ],
    ['a reference to an issue', 'fixes #12', 'fixes &#35;&#8203;12'],
    ['a reference to an issue of another repository', 'acme/shop#4', 'acme/shop&#35;&#8203;4'],
    ['a reference that starts with GH', 'GH-12, gh-3', 'GH-&#8203;12, gh-&#8203;3'],
    ['math', '$x$', '<span>&#36;</span>x<span>&#36;</span>'],
    ['an address', 'see https://evil.example', 'see https:&#8203;//evil.example'],
    ['an address without a scheme', 'www.evil.example', 'www&#8203;.evil.example'],
    ['an address without a scheme, in capitals', 'WWW.evil.example', 'WWW&#8203;.evil.example'],
    ['an emoji', 'x :tada: y', 'x :&#8203;tada: y'],
    [
      'an emoji with a special character in its name',
      'x :+1: :e-mail: :a_b:',
      'x :&#8203;+1: :&#8203;e-mail: :&#8203;a&#95;b:',
    ],
    ['an emoji that our own text could complete', 'x :tada', 'x :&#8203;tada'],
    ['a short commit id', 'at deadbee.', 'at deadbe&#8203;e.'],
    ['a commit id in capitals', 'at DEADBEE.', 'at DEADBE&#8203;E.'],
    [
      'a whole commit id',
      '0123456789abcdef0123456789abcdef01234567',
      '012345&#8203;6789ab&#8203;cdef01&#8203;234567&#8203;89abcd&#8203;ef0123&#8203;4567',
    ],
  ])('escapeText keeps GitHub from recognizing %s', (_what, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test.each([
    ['1234567', '<code>1234567</code>'],
    ['from 1 to 9007199254740991.', 'from 1 to <code>9007199254740991</code>.'],
    ['999999', '999999'],
    ['v1234567', 'v123456&#8203;7'],
    ['1234567é', '123456&#8203;7é'],
  ])('escapeText keeps GitHub from reading a number in %j as a commit id', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test.each([
    ['one space', 'a b', 'a b'],
    ['three spaces', 'a   b', 'a b'],
    ['a tab', 'a\tb', 'a b'],
    ['tabs and spaces', 'a \t\t b', 'a b'],
    ['two spaces at the end of a text', 'a  ', 'a '],
  ])('escapeText writes %s as one space', (_what, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test.each([
    ['- item', '&#45; item'],
    [' - item', ' &#45; item'],
    ['    - item', ' &#45; item'],
    ['+ item', '&#43; item'],
    ['1. item', '1&#46; item'],
    ['12) item', '12&#41; item'],
    [' 1. item', ' 1&#46; item'],
    ['=== ', '&#61;== '],
    [': note', '&#58; note'],
    ['.', '&#46;'],
  ])('escapeText escapes %j, which has a meaning at the start of a line', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test.each([
    'a - b + c = d. e) 1. f',
    'a: b',
    'x:y z',
    'key:',
    'a 6 digits: deadbe, and others: deadbeg',
    `x :${'z'.repeat(61)}: y`,
    'wwwevil.example',
    'GH 12',
    '漢字 é 😀 "quoted" (x) {y} %20 ^ / ? ;',
  ])('escapeText keeps %j, which has no meaning in Markdown or on GitHub', (text) => {
    expect(escapeText(text)).toBe(text);
  });

  test('escapeText keeps GitHub from recognizing the longest emoji code', () => {
    expect(escapeText(`x :${'z'.repeat(60)}: y`)).toBe(`x :&#8203;${'z'.repeat(60)}: y`);
  });

  test('escapeText makes invisible characters and line breaks visible', () => {
    expect(escapeText('a\u202eb\nc')).toBe('a⟨U+202E⟩b⟨U+000A⟩c');
  });
});

describe('escapeCode', () => {
  test.each([...SIGNS, ['$', '&#36;']] as const)('escapeCode writes %s as an entity', (sign, entity) => {
    expect(escapeCode(`a${sign}${sign}b${sign}`)).toBe(`a${entity}${entity}b${entity}`);
  });

  test.each([
    ['after a letter', 'a@evil.example', 'a&#8203;@evil.example'],
    ['after a dot', 'a.@b', 'a.&#8203;@b'],
    ['after a plus', 'a+@b', 'a+&#8203;@b'],
    ['after a hyphen', 'a-@b', 'a-&#8203;@b'],
  ])('escapeCode keeps GitHub from recognizing an email address with `@` %s', (_where, text, escaped) => {
    expect(escapeCode(text)).toBe(escaped);
  });

  test.each([
    ['http://evil.example', 'http:&#8203;//evil.example'],
    ['www.evil.example', 'www&#8203;.evil.example'],
    ['Www.evil.example', 'Www&#8203;.evil.example'],
  ])('escapeCode keeps GitHub from linking the address %s', (text, escaped) => {
    expect(escapeCode(text)).toBe(escaped);
  });

  test.each([
    '@acme/shop',
    'x @user',
    'deadbeefdeadbeef',
    'GH-12',
    ':tada:',
    '- a  b',
    '1. a',
    'x rgb(1,2,3)',
  ])('escapeCode keeps %j whole, so that it can be copied', (text) => {
    expect(escapeCode(text)).toBe(text);
  });

  test.each([
    ['#ff0000', '&#8203;&#35;ff0000'],
    ['  #fff', '&#8203;  &#35;fff'],
    ['rgb(1,2,3)', '&#8203;rgb(1,2,3)'],
    ['HSL(1,2,3)', '&#8203;HSL(1,2,3)'],
  ])('escapeCode keeps GitHub from showing a colour sample for %j', (text, escaped) => {
    expect(escapeCode(text)).toBe(escaped);
  });

  test('escapeCode adds no invisible character if a colour is not at the start of the code', () => {
    expect(escapeCode('x #fff')).toBe('x &#35;fff');
  });

  test('escapeCode makes invisible characters and line breaks visible', () => {
    expect(escapeCode('a\u202eb\nc\td')).toBe('a⟨U+202E⟩b⟨U+000A⟩c d');
  });
});
