import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength, cutBytes, cutCharacters } from '../../../src/text/text-limit.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 80 });
const limit = fc.nat({ max: 120 });

test('a text with too many characters is cut after the last whole character that fits', () => {
  fc.assert(
    fc.property(text, limit, (whole, most) => {
      const cut = cutCharacters(whole, most);
      expect(cut.length).toBeLessThanOrEqual(most);
      expect(cut.isWellFormed()).toBe(true);
      if (whole.length <= most) expect(cut).toBe(whole);
      else if (most > 0) {
        expect(whole.startsWith(cut.slice(0, -1))).toBe(true);
        expect(cut.length).toBeGreaterThanOrEqual(most - 1);
      }
    }),
  );
});

test('a text with too many bytes is cut after the last whole character that fits', () => {
  fc.assert(
    fc.property(text, limit, (whole, most) => {
      const cut = cutBytes(whole, most);
      expect(byteLength(cut)).toBeLessThanOrEqual(most);
      expect(cut.isWellFormed()).toBe(true);
      if (byteLength(whole) <= most) expect(cut).toBe(whole);
      else if (most >= 3) {
        expect(whole.startsWith(cut.slice(0, -1))).toBe(true);
        expect(byteLength(cut)).toBeGreaterThanOrEqual(most - 3);
      }
    }),
  );
});

test('a cut text ends with an ellipsis', () => {
  expect(cutCharacters('abcdef', 4)).toBe('abc…');
  expect(cutCharacters('ab😀cd', 4)).toBe('ab…');
  expect(cutBytes('aé漢😀', 8)).toBe('aé…');
});
