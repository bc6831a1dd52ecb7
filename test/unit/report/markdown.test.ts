import { describe, expect, test } from 'vitest';
import {
  BLANK_LINE,
  codeBlock,
  inlineCode,
  join,
  LINE_BREAK,
  link,
  md,
  NOTHING,
  SEPARATOR,
  toText,
} from '../../../src/report/markdown.ts';

// The source to the letter; what GitHub's parser makes of it is looked at in markdown-parsed.test.ts.
describe('a template', () => {
  test('is trusted in its own words, and escapes what is put in', () => {
    expect(toText(md`**${'*a*'}** and ${7}`)).toBe('**&#42;a&#42;** and 7');
    expect(toText(md``)).toBe('');
  });

  test('takes safe markdown as it is, alone and in a row', () => {
    expect(toText(md`${md`**a**`}: ${[md`*b*`, md`*c*`]}.`)).toBe('**a**: *b**c*.');
  });

  test('breaks what touches, so that two values build no token together', () => {
    expect(toText(md`${'a'}${'b'}`)).toBe('a&#8203;b');
    expect(toText(md`x${1}${2}x`)).toBe('x1&#8203;2x');
    expect(toText(md`${md`a`}${'b'}${md`c`}`)).toBe('a&#8203;b&#8203;c');
  });

  test('breaks nothing else', () => {
    expect(toText(md`${md`a`}${md`b`}`)).toBe('ab');
    expect(toText(md`${'a'} ${'b'}`)).toBe('a b');
    expect(toText(md`${'a'}`)).toBe('a');
  });
});

test('pieces are joined, empty ones left out', () => {
  expect(toText(join([md`a`, NOTHING, md`b`], SEPARATOR))).toBe('a · b');
  expect(toText(join([md`a`, md`b`], BLANK_LINE))).toBe('a\n\nb');
  expect(toText(join([md`a`, md`b`], LINE_BREAK))).toBe('a<br>b');
  expect(toText(join([NOTHING], SEPARATOR))).toBe('');
});

test('code in a line stands between tags; nothing is no code', () => {
  expect(toText(inlineCode('a*b'))).toBe('<code>a&#42;b</code>');
  expect(toText(inlineCode(''))).toBe('');
});

test('a link leads only where it may; elsewhere its text stands alone', () => {
  const allowed = ['https://scan.example/'];
  expect(toText(link('[a]', 'https://scan.example/x', allowed))).toBe(
    '[&#91;a&#93;](https://scan.example/x)',
  );
  expect(toText(link(md`**a**`, 'https://scan.example/x', allowed))).toBe('[**a**](https://scan.example/x)');
  expect(toText(link('[a]', 'https://evil.example/x', allowed))).toBe('&#91;a&#93;');
});

describe('a block of code', () => {
  test.each([
    ['plain text', 'a', '```\na\n```'],
    ['backticks in a row that would end it', 'a ``` b', '~~~\na ``` b\n~~~'],
    ['few backticks', 'a ` b', '~~~\na ` b\n~~~'],
    ['tildes in a row that would end it', 'a ~~~~ b', '```\na ~~~~ b\n```'],
    ['both: the shorter run decides', '``` and ~~~~~', '````\n``` and ~~~~~\n````'],
    ['both: the other way round', '````` ~ ~~~', '~~~~\n````` ~ ~~~\n~~~~'],
    ['as many of both', '```` ~~~~', '`````\n```` ~~~~\n`````'],
    ['line ends at its end, but none before', '\n\na\n\n\n', '```\n\n\na\n```'],
  ])('of %s', (_what, text, block) => {
    expect(toText(codeBlock(text))).toBe(block);
  });

  test('shows what cannot be seen', () => {
    expect(toText(codeBlock('a\u202e\r\nb'))).toBe('```\na⟨U+202E⟩\nb\n```');
  });
});
