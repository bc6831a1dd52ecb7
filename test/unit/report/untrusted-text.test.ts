import { expect, test } from 'vitest';
import { toText } from '../../../src/report/markdown.ts';
import { renderUntrustedText } from '../../../src/report/untrusted-text.ts';

const shown = (text: string) => toText(renderUntrustedText(text));
const SPACE = '&#160;';

test('untrusted text gets paragraphs at empty lines, and line breaks at other line ends', () => {
  expect(shown('one\ntwo\n\n \t\nthree\r\nfour\n')).toBe('one<br>two\n\nthree<br>four');
});

test('untrusted text that is empty becomes an empty text', () => {
  expect(shown('')).toBe('');
  expect(shown('\n \n')).toBe('');
});

test('untrusted text keeps indentation up to a limit, with a tab as two spaces', () => {
  expect(shown('a\n  b\n\tc')).toBe(`a<br>${SPACE.repeat(2)}b<br>${SPACE.repeat(2)}c`);
  expect(shown(`${' '.repeat(40)}a`)).toBe(`${SPACE.repeat(40)}a`);
  expect(shown(`${' '.repeat(1000)}a`)).toBe(`${SPACE.repeat(40)}a`);
});

test('untrusted text between two backticks is shown as code, and an unclosed backtick as text', () => {
  expect(shown('a `b_c` d `e')).toBe('a <code>b&#95;c</code> d &#96;e');
  expect(shown('`a` `b`')).toBe('<code>a</code> <code>b</code>');
  expect(shown('a `` b')).toBe('a &#96;&#96; b');
});

test.each([
  ['backticks', '```'],
  ['backticks and a language', '```js'],
  ['tildes', '~~~'],
  ['indented backticks', '   ```'],
])('untrusted text opens a code block at a fence of %s', (_what, fence) => {
  const mark = fence.includes('~') ? '~~~' : '```';
  expect(shown(`before\n${fence}\n  *a*\n\n# b\n${mark}\nafter`)).toBe(
    'before\n\n```\n  *a*\n\n# b\n```\n\nafter',
  );
});

test('a code block of untrusted text ends at a fence of the same kind that is as long or longer', () => {
  expect(shown('````\na\n```\nb\n~~~~\nc\n`````\nd')).toBe('````\na\n```\nb\n~~~~\nc\n````\n\nd');
  expect(shown('~~~\na\n```\n~~~~\nb')).toBe('~~~\na\n```\n~~~\n\nb');
});

test('an unclosed fence of untrusted text is closed at the end of the text', () => {
  expect(shown('a\n```\nb')).toBe('a\n\n```\nb\n```');
});

test.each(['``', '    ```', 'x ```', '~~'])('untrusted text opens no code block at %j', (line) => {
  expect(shown(`${line}\na`)).not.toContain('\n```');
  expect(shown(`${line}\na`)).toMatch(/<br>a$/);
});
