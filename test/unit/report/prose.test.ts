import fc from 'fast-check';
import { expect, test } from 'vitest';
import { md, toText } from '../../../src/report/markdown.ts';
import { renderCodeSpans, truncateText } from '../../../src/report/prose.ts';
import { byteLength, cutCharacters } from '../../../src/text/visible-text.ts';
import { hostileText } from './hostile.ts';

test('a text that fits is written in full', () => {
  expect(toText(truncateText('Set `fail-on` right', 100))).toBe('Set <code>fail-on</code> right');
  expect(toText(truncateText('', 100))).toBe('');
});

test('a truncated text keeps as many characters as fit into the limit after escaping', () => {
  const dollar = byteLength(toText(md`${'$'}`));
  const written = toText(truncateText('$'.repeat(1_000), 10 * dollar + 5));
  expect(written).toBe(toText(md`${`${'$'.repeat(10)}…`}`));
});

test('any truncated text stays within the limit, and is the beginning of the whole text', () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 0, max: 300 }), (text, bytes) => {
      const written = toText(truncateText(text, bytes));
      expect(byteLength(written)).toBeLessThanOrEqual(bytes);
      const cuts = Array.from({ length: text.length + 1 }, (_, length) => cutCharacters(text, length));
      expect(cuts.map((cut) => toText(renderCodeSpans(cut)))).toContain(written);
    }),
  );
});
