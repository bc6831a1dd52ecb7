import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byteLength,
  codePointShown,
  cutBytes,
  cutCharacters,
  hasInvisible,
  isPlain,
  visibleLine,
  visibleLines,
} from '../../../src/text/visible-text.ts';

const UNSEEN = [
  ['a control character', '\u0007', '⟨U+0007⟩'],
  ['an escape character', '\u001b', '⟨U+001B⟩'],
  ['a bidi override', '\u202e', '⟨U+202E⟩'],
  ['a zero-width space', '\u200b', '⟨U+200B⟩'],
  ['a letter that looks blank', '\u3164', '⟨U+3164⟩'],
  ['a line separator', '\u2028', '⟨U+2028⟩'],
  ['a paragraph separator', '\u2029', '⟨U+2029⟩'],
  ['a format character that some fonts show', '\ufff9', '⟨U+FFF9⟩'],
  ['a Unicode tag character', '\u{e0041}', '⟨U+E0041⟩'],
  ['a carriage return', '\r', '⟨U+000D⟩'],
] as const;

describe.each(UNSEEN)('%s', (name, character, shown) => {
  test(`${name} counts as invisible, and is shown by its code`, () => {
    expect(hasInvisible(`a${character}b`)).toBe(true);
    expect(codePointShown(character)).toBe(shown);
    expect(visibleLine(`${character}a${character}${character}`)).toBe(`${shown}a${shown}${shown}`);
    expect(visibleLines(`${character}a\n${character}${character}`)).toBe(`${shown}a\n${shown}${shown}`);
  });
});

test('each of several invisible characters is shown by its own code', () => {
  expect(visibleLine('\u202e\u200b\u202e')).toBe('⟨U+202E⟩⟨U+200B⟩⟨U+202E⟩');
});

test('visible text does not change', () => {
  const text = 'a é 漢 😀 ~ "x"';
  expect([visibleLine(text), visibleLines(text), hasInvisible(text)]).toEqual([text, text, false]);
});

test('of all characters that isPlain accepts, only the line feed counts as invisible', () => {
  const units = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
  const plain = units.filter(isPlain);
  expect(plain.length).toBeGreaterThan(100);
  expect(plain.filter(hasInvisible)).toEqual(['\n']);
  expect(plain.filter((unit) => visibleLine(unit) !== unit)).toEqual(['\n']);
});

test('visibleLine shows a line feed by its code, and a tab as a space', () => {
  expect(visibleLine('a\tb\nc\r\nd')).toBe('a b⟨U+000A⟩c⟨U+000D⟩⟨U+000A⟩d');
});

test('visibleLines keeps line feeds and tabs, and shortens CR LF to a line feed', () => {
  expect(visibleLines('\ta\r\nb\n\tc\u0007\nd')).toBe('\ta\nb\n\tc⟨U+0007⟩\nd');
});

test('an unpaired surrogate is shown as the replacement character, and counts as invisible', () => {
  expect(visibleLine('a\ud800b')).toBe('a\ufffdb');
  expect(visibleLines('a\udc00b')).toBe('a\ufffdb');
  expect(hasInvisible('a\ud800b')).toBe(true);
});

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
