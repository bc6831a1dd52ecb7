import { expect, test } from 'vitest';
import { toText } from '../../../src/report/markdown.ts';
import { renderUntrustedText } from '../../../src/report/untrusted-text.ts';

const shown = (text: string) => toText(renderUntrustedText(text));
const SPACE = '&#160;';

test('empty lines part paragraphs, other line ends break the line', () => {
  expect(shown('one\ntwo\n\n \t\nthree\r\nfour\n')).toBe('one<br>two\n\nthree<br>four');
});

test('nothing is nothing', () => {
  expect(shown('')).toBe('');
  expect(shown('\n \n')).toBe('');
});

test('indentation stays, a tab as two spaces, and never so deep that the text is out of sight', () => {
  expect(shown('a\n  b\n\tc')).toBe(`a<br>${SPACE.repeat(2)}b<br>${SPACE.repeat(2)}c`);
  expect(shown(`${' '.repeat(40)}a`)).toBe(`${SPACE.repeat(40)}a`);
  expect(shown(`${' '.repeat(1000)}a`)).toBe(`${SPACE.repeat(40)}a`);
});

test('what stands between backticks is code, what has no end is not', () => {
  expect(shown('a `b_c` d `e')).toBe('a <code>b&#95;c</code> d &#96;e');
  expect(shown('`a` `b`')).toBe('<code>a</code> <code>b</code>');
  expect(shown('a `` b')).toBe('a &#96;&#96; b');
});

test.each([
  ['backticks', '```'],
  ['backticks and a language', '```js'],
  ['tildes', '~~~'],
  ['an indented fence', '   ```'],
])('a fence of %s opens a block of code', (_what, fence) => {
  const mark = fence.includes('~') ? '~~~' : '```';
  expect(shown(`before\n${fence}\n  *a*\n\n# b\n${mark}\nafter`)).toBe(
    'before\n\n```\n  *a*\n\n# b\n```\n\nafter',
  );
});

test('a fence is closed by one of its kind that is at least as long, and by no other', () => {
  expect(shown('````\na\n```\nb\n~~~~\nc\n`````\nd')).toBe('````\na\n```\nb\n~~~~\nc\n````\n\nd');
  expect(shown('~~~\na\n```\n~~~~\nb')).toBe('~~~\na\n```\n~~~\n\nb');
});

test('a fence that is never closed ends with the text', () => {
  expect(shown('a\n```\nb')).toBe('a\n\n```\nb\n```');
});

test.each(['``', '    ```', 'x ```', '~~'])('%j opens no block', (line) => {
  expect(shown(`${line}\na`)).not.toContain('\n```');
  expect(shown(`${line}\na`)).toMatch(/<br>a$/);
});
