import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byteLength,
  codePointShown,
  cutBytes,
  cutCharacters,
  foreignLine,
  hasInvisible,
  isBlank,
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

describe('characters that belong to the text', () => {
  test.each([
    ['a pictograph with a selector', '✏\ufe0f notes'],
    ['a pictograph with the selector for text', '✏\ufe0e'],
    ['a pictograph with a selector that it does not need', '⚡\ufe0f'],
    ['several pictographs with selectors', '🗞\ufe0f🛡\ufe0f/✏\ufe0fa.md'],
    ['keycaps', '1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3'],
    ['joined pictographs', '👩\u200d💻 👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥'],
    ['joined pictographs with a skin tone', '🧑🏽\u200d🚀 🕵🏽\u200d♂\ufe0f'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian words', 'می\u200cخواهم کار\u200cها'],
    ['Hindi words', 'क्\u200dष क्\u200cष'],
    ['a Sinhala word', 'ශ්\u200dරී'],
    ['a Malayalam word that ends in a joiner', 'അവന്\u200d വന്നു'],
    ['a Bengali word', 'র\u200d্যাব'],
    ['Kannada and Tamil words', 'ಸಾಫ್ಟ್\u200cವೇರ್ க்\u200cஷ'],
  ])('%s do not change', (_what, text) => {
    expect([visibleLine(text), visibleLines(text), foreignLine(text)]).toEqual([text, text, text]);
    expect(hasInvisible(text)).toBe(false);
  });

  test.each([
    ['a selector after a letter', 'a\ufe0fb', 'a⟨U+FE0F⟩b'],
    ['a selector after a digit', '1\ufe0f', '1⟨U+FE0F⟩'],
    ['a selector at the start', '\ufe0fa', '⟨U+FE0F⟩a'],
    ['a second selector', '✏\ufe0f\ufe0f', '✏\ufe0f⟨U+FE0F⟩'],
    ['another selector', '✏\ufe00', '✏⟨U+FE00⟩'],
    ['a selector after a Chinese character', '葛\u{e0100}', '葛⟨U+E0100⟩'],
    ['a joiner between letters', 'ad\u200dmin', 'ad⟨U+200D⟩min'],
    ['a joiner between Cyrillic letters', 'а\u200cб', 'а⟨U+200C⟩б'],
    ['a joiner between a pictograph and a letter', '✏\u200da', '✏⟨U+200D⟩a'],
    ['two joiners between pictographs', '👩\u200d\u200d💻', '👩⟨U+200D⟩⟨U+200D⟩💻'],
    ['a joiner after a pictograph at the end', '👩\u200d', '👩⟨U+200D⟩'],
    ['a space of no width between pictographs', '👩\u200b💻', '👩⟨U+200B⟩💻'],
    ['a joiner at the start of a Persian word', '\u200cمی', '⟨U+200C⟩می'],
    ['a joiner at the end of a Persian word', 'می\u200c x', 'می⟨U+200C⟩ x'],
    ['two joiners in a Persian word', 'می\u200c\u200cخ', 'می⟨U+200C⟩⟨U+200C⟩خ'],
    ['a joiner between two scripts', 'ی\u200ca', 'ی⟨U+200C⟩a'],
    ['a joiner of another kind in a Persian word', 'می\u200dخ', 'می⟨U+200D⟩خ'],
    ['a mark that is invisible before a joiner', 'ی\u034f\u200cخ', 'ی⟨U+034F⟩⟨U+200C⟩خ'],
    ['a joiner between Hindi letters without a virama', 'क\u200dष', 'क⟨U+200D⟩ष'],
    ['a joiner before a vowel', 'क्\u200dा', 'क्⟨U+200D⟩ा'],
    ['a virama of another script', 'a्\u200dष', 'a्⟨U+200D⟩ष'],
    ['tags after another pictograph', '✏\u{e0067}\u{e0062}', '✏⟨U+E0067⟩⟨U+E0062⟩'],
    ['tags that are no flag', '🏴\u{e0061}\u{e007f}', '🏴⟨U+E0061⟩⟨U+E007F⟩'],
    ['a direction after a pictograph', '✏\ufe0f\u202e', '✏\ufe0f⟨U+202E⟩'],
  ])('%s is shown by its code', (_what, text, shown) => {
    expect([visibleLine(text), visibleLines(text), hasInvisible(text)]).toEqual([shown, shown, true]);
  });

  test('the time is linear for many marks and joiners', () => {
    const text = `${'ی\u064b\u064b\u064b\u064b\u200c'.repeat(100_000)}${'\u064b'.repeat(100_000)}\u200c`;
    expect(visibleLine(text).endsWith('⟨U+200C⟩')).toBe(true);
  });
});

test('visibleLines removes the colours of a terminal, and shows all other control characters', () => {
  expect(visibleLines('\u001b[1;31mred\u001b[0m\n\u009b38:5:9mx\u001b[m')).toBe('red\nx');
  expect(visibleLines('\u001b[2J \u001b]0;x\u0007 \u001b[\u001b[0m31m [31m')).toBe(
    '⟨U+001B⟩[2J ⟨U+001B⟩]0;x⟨U+0007⟩ ⟨U+001B⟩[31m [31m',
  );
});

test('a text is blank if readers see nothing of it', () => {
  expect(['', ' \n\t', '\u200b\ufe0f', '\u3164\u2800', '\ufeff'].filter((text) => !isBlank(text))).toEqual(
    [],
  );
  expect(['a', '\u200b.', '✏\ufe0f'].filter(isBlank)).toEqual([]);
});

test('foreignLine replaces white space and controls by one space, and shows no less than before', () => {
  expect(foreignLine(' a\u202e \n\u200bb\ufe0f ')).toBe('a b\ufe0f');
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
