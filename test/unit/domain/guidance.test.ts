import { expect, test } from 'vitest';
import { composeGuidance, countCharacters } from '../../../src/domain/guidance.ts';

test.each([
  [null, 'file\n', 'file\n'],
  ['', 'file\n', 'file\n'],
  [' \n', 'file\n', 'file\n'],
  ['stored', 'file\n', 'stored\n\nfile\n'],
  ['stored\n\n\n', 'file', 'stored\n\nfile'],
  ['same', 'same\n', 'same\n'],
  ['\nsame ', 'same', 'same'],
  ['same', 'the same', 'same\n\nthe same'],
])('the guidance %j of the service and %j of the file are joined to %j', (stored, file, text) => {
  expect(composeGuidance(stored, file)).toBe(text);
});

test('countCharacters counts an emoji as one character, as the service does', () => {
  expect([countCharacters(''), countCharacters('aé😀')]).toEqual([0, 3]);
});
