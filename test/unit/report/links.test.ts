import { expect, test } from 'vitest';
import { causeWithoutLines, placeOf } from '../../../src/report/links.ts';
import { escapeJsonForLog } from '../../../src/text/log-text.ts';

const LOCATIONS: readonly (readonly [path: string, startLine?: number | undefined, endLine?: number])[] = [
  ['src/a.ts', 3],
  ['src/a b/#c.ts', 3, 9],
  ['Makefile'],
  ['..a/b..', 1],
  ['./src/a.ts', 1],
  ['././src/a.ts', 1],
  ['./a'],
  ['', 1],
  ['/etc/passwd', 1],
  ['C:\\a', 1],
  ['C:/x', 1],
  ['.//a', 1],
  ['a\\b', 1],
  ['../x', 1],
  ['a/../x', 1],
  ['a/..', 1],
  ['./../a', 1],
  ['./', 1],
  ['a/./b', 1],
  ['a//b', 1],
  ['a/', 1],
  ['a\nb', 1],
  ['a\0b', 1],
  ['a\u202eb', 1],
  ['a\u200bb', 1],
  ['a\ud800b', 1],
  ['a', 0, 1],
  ['a', -1, 1],
  ['a', 1.5, 2],
  ['a', Number.NaN, 1],
  ['a', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['a', 5, 4],
  ['a', 1, 2 ** 31],
  ['a', undefined, 3],
];

test('a finding has a place if its path is plain and its lines are valid', async () => {
  const shown = LOCATIONS.map(([path, startLine, endLine]) => {
    const location = { path, startLine, endLine };
    const place = placeOf(location);
    const cause = place?.lines === undefined ? `no lines, because ${causeWithoutLines(location)}` : '';
    const lines = place?.lines && `lines ${place.lines.start} to ${place.lines.end}`;
    const file = place === undefined ? 'no place' : JSON.stringify(place.path);
    return `${escapeJsonForLog(JSON.stringify(path))} ${startLine ?? '-'} ${endLine ?? '-'} → ${file}, ${lines ?? cause}`;
  });
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/places.txt');
});

test('a finding has no place if its path has 4,097 characters, or if the service gives none', () => {
  expect(placeOf({ path: 'x'.repeat(4096), startLine: 1, endLine: 1 })).toBeDefined();
  expect(placeOf({ path: 'x'.repeat(4097), startLine: 1, endLine: 1 })).toBeUndefined();
  expect(placeOf(undefined)).toBeUndefined();
  expect(causeWithoutLines(undefined)).toBe('no line is known');
});
