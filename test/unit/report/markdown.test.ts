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
