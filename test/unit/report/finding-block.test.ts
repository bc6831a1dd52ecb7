import { expect, test } from 'vitest';
import { findingBlocks, findingTexts } from '../../../src/report/finding-block.ts';
import { toText } from '../../../src/report/markdown.ts';
import { sampleFinding, sampleReport } from './sample-report.ts';

test.each([
  ['20 characters', 'a'.repeat(20), 'a'.repeat(20)],
  [
    '21 characters',
    'a'.repeat(21),
    `${'a'.repeat(19)}…\n\n*Cut here. 2 more characters are in the scanning service.*`,
  ],
  // The emoji takes two UTF-16 units, and is left out whole.
  [
    'an emoji at the cut',
    `${'a'.repeat(18)}😀bb`,
    `${'a'.repeat(18)}…\n\n*Cut here. 4 more characters are in the scanning service.*`,
  ],
])('a text over 20 characters is cut, and says how much is cut (%s)', (_what, description, shown) => {
  const finding = sampleFinding({ description, recommendedFix: undefined, proofOfConcept: undefined });
  const text = toText(findingTexts(finding, sampleReport([finding]), 20));
  expect(text.replaceAll('&#8203;', '')).toBe(shown);
});

test('the link to a file without lines has no blank at its end', () => {
  const finding = sampleFinding({ location: { path: 'a.ts', startLine: undefined, endLine: undefined } });
  const row = findingBlocks([finding], sampleReport([finding])).map((block) => toText(block.row()));
  expect(row.join('')).toContain('[<code>a.ts</code>](https://github.com/');
});
