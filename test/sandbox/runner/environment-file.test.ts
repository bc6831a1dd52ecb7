import { describe, expect, test } from 'vitest';
import { environmentPairs } from '../../../sandbox/runner/environment-file.ts';

describe('an environment file', () => {
  test.each([
    [
      'a=1\nb=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a=x=y<<z\n', [['a', 'x=y<<z']]],
    ['\n\na=\n', [['a', '']]],
    ['a<<EOF\nEOF\n', [['a', '']]],
    [
      'a<<EOF\none\n\ntwo\nEOF\nb=1\n',
      [
        ['a', 'one\n\ntwo'],
        ['b', '1'],
      ],
    ],
    ['a<<E=F\nx\nE=F', [['a', 'x']]],
    ['a<<EOF\n EOF\nEOF \nEOF', [['a', ' EOF\nEOF ']]],
    ['a<<EOF\nline\r\nEOF', [['a', 'line\r']]],
  ])('an environment file is read: %j', (text, pairs) => {
    expect([...environmentPairs(text)]).toEqual(pairs);
  });

  test.each([
    ['no pair', `Invalid format 'no pair'`],
    ['a<<EOF\nx\n', `Invalid value. Matching delimiter not found 'EOF'`],
    ['a<<EOF\nx', 'Invalid value. EOF marker missing new line.'],
    ['<<EOF\nx\nEOF', 'Name must not be empty and delimiter must not be empty'],
    ['a<<\nx\n', 'Name must not be empty and delimiter must not be empty'],
  ])('an environment file is refused: %j', (text, message) => {
    expect(() => [...environmentPairs(text)]).toThrow(message);
  });

  test('environmentPairs returns the pairs before an invalid line, and then throws', () => {
    const pairs = environmentPairs('a=1\nbroken');
    expect(pairs.next().value).toEqual(['a', '1']);
    expect(() => pairs.next()).toThrow('Invalid format');
  });
});
