import { expect, test } from 'vitest';
import { createLineReader } from '../../../sandbox/runner/line-reader.ts';

function linesOf(...chunks: readonly (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const reader = createLineReader((line) => lines.push(line));
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return lines;
}

test.each([
  [['a\nb\r\nc\rd'], ['a', 'b', 'c', 'd']],
  [
    ['a\r', '\nb\n'],
    ['a', 'b'],
  ],
  [
    ['a\r', 'b\n'],
    ['a', 'b'],
  ],
  [
    ['a\r', '', '\nb'],
    ['a', 'b'],
  ],
  [
    ['a', 'b', '\n', '\n'],
    ['ab', ''],
  ],
  [[''], []],
])('the line reader turns the chunks %j into the lines %j', (chunks, lines) => {
  expect(linesOf(...chunks)).toEqual(lines);
});

test('the line reader joins the bytes of a character that is split between two chunks', () => {
  const bytes = Buffer.from('ä\n');
  expect(linesOf(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['ä']);
});
