import { describe, expect, test } from 'vitest';
import {
  allowedAddress,
  BLANK_LINE,
  codeBlock,
  escapeCode,
  escapeText,
  inlineCode,
  join,
  LINE_BREAK,
  link,
  linkTarget,
  md,
  NOTHING,
  SEPARATOR,
  toText,
} from '../../../src/report/markdown.ts';

const ALLOWED = ['https://scan.example/app/', 'http://127.0.0.1:8080/'];

test.each([
  'https://scan.example/app/findings/1',
  'https://scan.example/app/',
  'http://127.0.0.1:8080/x?a=1#b',
])('allowedAddress keeps %s, which is below an allowed address', (url) => {
  expect(allowedAddress(url, ALLOWED)).toBe(url);
});

test.each([
  ['another host', 'https://evil.example/app/x'],
  ['another port', 'https://scan.example:444/app/x'],
  ['another scheme', 'http://scan.example/app/x'],
  ['another path', 'https://scan.example/other/x'],
  ['dots that leave the allowed path', 'https://scan.example/app/../other'],
  ['a path that only starts like the allowed path', 'https://scan.example/application'],
  ['a user name', 'https://user@scan.example/app/x'],
  ['a password', 'https://:pass@scan.example/app/x'],
  ['a bidi override', 'https://scan.example/app/\u202ex'],
  ['a line break', 'https://scan.example/app/x\n'],
  ['no scheme', 'scan.example/app/x'],
  ['no characters', ''],
])('linkTarget rejects an address with %s', (_what, url) => {
  expect(allowedAddress(url, ALLOWED)).toBeUndefined();
  expect(linkTarget(url, ALLOWED)).toBeUndefined();
});

test.each([
  'ftp://scan.example/app/',
  'javascript://scan.example/app/',
  'xhttps://scan.example/',
  'httpsx://scan.example/',
])('allowedAddress rejects an address below %s, because only http and https are allowed', (prefix) => {
  expect(allowedAddress(`${prefix}x`, [prefix])).toBeUndefined();
});

test.each(['https://scan.example/app', 'no address', ''])(
  'allowedAddress ignores the allowed prefix %j, which is not an address with a final slash',
  (prefix) => {
    expect(allowedAddress('https://scan.example/app/x', [prefix])).toBeUndefined();
    expect(allowedAddress('https://scan.example/app/x', [prefix, ...ALLOWED])).toBe(
      'https://scan.example/app/x',
    );
  },
);

describe('the encoding of an address', () => {
  test('allowedAddress percent-encodes characters that have a meaning in a Markdown link', () => {
    expect(allowedAddress("https://scan.example/app/a)b(c*d!e'f@g$h|i[j]k", ALLOWED)).toBe(
      'https://scan.example/app/a%29b%28c%2Ad%21e%27f%40g%24h%7Ci%5Bj%5Dk',
    );
  });

  test('allowedAddress does not encode characters that have no meaning in Markdown', () => {
    const url = 'https://scan.example/app/a-b._~:/c?d=1&e=2;f,g+h%20#i';
    expect(allowedAddress(url, ALLOWED)).toBe(url);
  });

  test('linkTarget writes an ampersand as an entity', () => {
    expect(linkTarget('https://scan.example/app/?a=1&copy=2&b', ALLOWED)).toBe(
      'https://scan.example/app/?a=1&amp;copy=2&amp;b',
    );
  });
});

describe('the limit of an address', () => {
  const limit = 2000 - 'https://scan.example/app/'.length;
  const address = (rest: string) => `https://scan.example/app/${rest}`;

  test('an address may have up to 2,000 characters before encoding', () => {
    expect(linkTarget(address('x'.repeat(limit)), ALLOWED)).toBe(address('x'.repeat(limit)));
    expect(allowedAddress(address('x'.repeat(limit + 1)), ALLOWED)).toBeUndefined();
    // The limit is checked before the URL parser removes the dots.
    expect(allowedAddress(address(`${'./'.repeat(1000)}x`), ALLOWED)).toBeUndefined();
  });

  test('an address may have up to 2,000 characters after encoding', () => {
    expect(allowedAddress(address('('.repeat(limit / 3)), ALLOWED)).toHaveLength(2000 - (limit % 3));
    expect(allowedAddress(address('('.repeat(limit / 3 + 1)), ALLOWED)).toBeUndefined();
    const ampersands = (count: number) => address(`${'&'.repeat(count)}${'x'.repeat(limit - 5 * count)}`);
    expect(linkTarget(ampersands(10), ALLOWED)).toHaveLength(2000);
    expect(linkTarget(`${ampersands(10)}x`, ALLOWED)).toBeUndefined();
    expect(allowedAddress(`${ampersands(10)}x`, ALLOWED)).toHaveLength(2001 - 40);
  });
});

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

// These tests compare the exact source. `markdown-parsed.test.ts` checks how a Markdown parser reads the source.
describe('md', () => {
  test('md trusts the template, and escapes its values', () => {
    expect(toText(md`**${'*a*'}** and ${7}`)).toBe('**&#42;a&#42;** and 7');
    expect(toText(md``)).toBe('');
  });

  test('md keeps safe markdown, alone and in a list', () => {
    expect(toText(md`${md`**a**`}: ${[md`*b*`, md`*c*`]}.`)).toBe('**a**: *b**c*.');
  });

  test('md separates two adjacent values, so that they cannot form one token', () => {
    expect(toText(md`${'a'}${'b'}`)).toBe('a&#8203;b');
    expect(toText(md`x${1}${2}x`)).toBe('x1&#8203;2x');
    expect(toText(md`${md`a`}${'b'}${md`c`}`)).toBe('a&#8203;b&#8203;c');
  });

  test('md adds a separator only between adjacent untrusted values', () => {
    expect(toText(md`${md`a`}${md`b`}`)).toBe('ab');
    expect(toText(md`${'a'} ${'b'}`)).toBe('a b');
    expect(toText(md`${'a'}`)).toBe('a');
  });
});

test('join leaves out empty pieces', () => {
  expect(toText(join([md`a`, NOTHING, md`b`], SEPARATOR))).toBe('a · b');
  expect(toText(join([md`a`, md`b`], BLANK_LINE))).toBe('a\n\nb');
  expect(toText(join([md`a`, md`b`], LINE_BREAK))).toBe('a<br>b');
  expect(toText(join([NOTHING], SEPARATOR))).toBe('');
});

test('inlineCode writes code between tags, and nothing for an empty text', () => {
  expect(toText(inlineCode('a*b'))).toBe('<code>a&#42;b</code>');
  expect(toText(inlineCode(''))).toBe('');
});

test('only a link to an allowed address is written as a link', () => {
  const allowed = ['https://scan.example/'];
  expect(toText(link('[a]', 'https://scan.example/x', allowed))).toBe(
    '[&#91;a&#93;](https://scan.example/x)',
  );
  expect(toText(link(md`**a**`, 'https://scan.example/x', allowed))).toBe('[**a**](https://scan.example/x)');
  expect(toText(link('[a]', 'https://evil.example/x', allowed))).toBe('&#91;a&#93;');
});

describe('codeBlock', () => {
  test.each([
    ['plain text', 'a', '```\na\n```'],
    ['backticks that would close the fence', 'a ``` b', '~~~\na ``` b\n~~~'],
    ['one backtick', 'a ` b', '~~~\na ` b\n~~~'],
    ['tildes that would close the fence', 'a ~~~~ b', '```\na ~~~~ b\n```'],
    ['backticks and more tildes', '``` and ~~~~~', '````\n``` and ~~~~~\n````'],
    ['tildes and more backticks', '````` ~ ~~~', '~~~~\n````` ~ ~~~\n~~~~'],
    ['as many backticks as tildes', '```` ~~~~', '`````\n```` ~~~~\n`````'],
    ['text without the line breaks at its end', '\n\na\n\n\n', '```\n\n\na\n```'],
  ])('codeBlock puts a fence around %s', (_what, text, block) => {
    expect(toText(codeBlock(text))).toBe(block);
  });

  test('codeBlock makes invisible characters visible', () => {
    expect(toText(codeBlock('a\u202e\r\nb'))).toBe('```\na⟨U+202E⟩\nb\n```');
  });
});
