import { describe, expect, test } from 'vitest';
import { causeWithoutLines, placeOf } from '../../../src/report/links.ts';

const at = (path: string, startLine?: number, endLine?: number) => placeOf({ path, startLine, endLine });

describe('placeOf', () => {
  test('placeOf accepts a location with one line, several lines or no line', () => {
    expect(at('src/a.ts', 3)).toEqual({ path: 'src/a.ts', lines: { start: 3, end: 3 } });
    expect(at('src/a b/#c.ts', 3, 9)).toEqual({ path: 'src/a b/#c.ts', lines: { start: 3, end: 9 } });
    expect(at('Makefile')).toEqual({ path: 'Makefile', lines: undefined });
    expect(at('..a/b..', 1)).toBeDefined();
  });

  test.each([
    '',
    '/etc/passwd',
    '../x',
    'a/../x',
    'a/..',
    './/a',
    './../a',
    './',
    'C:\\a',
    'a/./b',
    'a//b',
    'a/',
    'a\\b',
    'C:/x',
    'a\nb',
    'a\0b',
    'a\u202eb',
    'a\u200bb',
    'a\ud800b',
  ])('placeOf rejects the invalid path %j', (path) => expect(at(path, 1)).toBeUndefined());

  test.each(['./src/a.ts', '././src/a.ts'])('placeOf drops the start of %j', (path) => {
    expect(at(path, 1)?.path).toBe('src/a.ts');
  });

  test.each([
    ['/src/a.ts', 'the path is absolute'],
    ['C:\\a', 'the path is absolute'],
    ['src\\a.ts', 'the path has backslashes'],
    ['../a', 'the path leads to a parent folder'],
    ['a//b', 'the path is not normalized'],
    ['a/./b', 'the path is not normalized'],
    ['a/', 'the path is not normalized'],
    ['', 'the path is empty'],
    ['a\u202eb', 'the path has an invisible character'],
    ['a', 'no line is known'],
    ['./a', 'no line is known'],
  ])('the path %j has no line because %s', (path, cause) => {
    expect(causeWithoutLines({ path, startLine: undefined, endLine: undefined })).toBe(cause);
  });

  test('causeWithoutLines names invalid lines', () => {
    expect(causeWithoutLines({ path: 'a', startLine: 5, endLine: 4 })).toBe('the line is invalid');
    expect(causeWithoutLines(undefined)).toBe('no line is known');
  });

  test('placeOf rejects a path of 4,097 characters', () => {
    expect(at('x'.repeat(4097), 1)).toBeUndefined();
  });

  test.each([
    ['a start of 0', 0, 1],
    ['a negative start', -1, 1],
    ['a fraction as the start', 1.5, 2],
    ['NaN as the start', Number.NaN, 1],
    ['infinity as start and end', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ['an end before the start', 5, 4],
    ['an end above the limit', 1, 2 ** 31],
    ['an end without a start', undefined, 3],
  ])('placeOf rejects lines with %s', (_what, start, end) => expect(at('a', start, end)).toBeUndefined());

  test('placeOf returns undefined without a location', () => expect(placeOf(undefined)).toBeUndefined());
});
