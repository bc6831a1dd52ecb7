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
])('composeGuidance joins the stored guidance and the guidance file: %j + %j = %j', (stored, file, text) => {
  expect(composeGuidance(stored, file)).toBe(text);
});

test('countCharacters counts an emoji as one character', () => {
  expect([countCharacters(''), countCharacters('aé😀')]).toEqual([0, 3]);
});
