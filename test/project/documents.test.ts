import { describe, expect, test } from 'vitest';
import { read } from './code.ts';
import { PAGES, sectionUnder } from './documents.ts';

/** The most words that these pages may have outside of their code. Longer explanations belong to a page in `docs`. */
const LONGEST = [
  ['README.md', 900],
  ['CONTRIBUTING.md', 1_200],
] as const;
/** The most words that all pages may have together. A page that needs more has to replace another text. */
const LONGEST_PAGES = 24_000;

/** Counts as `wc -w` does. */
function countWords(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => word !== '').length;
}

describe('the length of the pages', () => {
  test.each(LONGEST)('%s has at most %d words outside of code', (page, most) => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
    expect(countWords(text)).toBeLessThanOrEqual(most);
  });

  test('all pages together have at most 24,000 words', () => {
    const counts = [...PAGES, 'CHANGELOG.md'].map((page) => countWords(read(page)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(LONGEST_PAGES);
  });
});

describe('the README', () => {
  test('the README first sets `fail-on: none`, decides about forks, and then removes the line', () => {
    const quickStart = sectionUnder(read('README.md'), 'Quick start');
    expect(quickStart).toMatch(/^ +fail-on: none # report only: remove this line to block$/m);
    const steps = sectionUnder(read('README.md'), 'Turn on the gate').match(/^\d\. .*$/gm) ?? [];
    const [forks, block, required] = ['`missing-token`', '`fail-on: none`', '`scangate`'].map((name) =>
      steps.findIndex((step) => step.includes(name)),
    );
    expect(Math.min(...[forks, block, required].map(Number))).toBeGreaterThanOrEqual(0);
    expect(Number(forks)).toBeLessThan(Number(block));
    expect(Number(block)).toBeLessThan(Number(required));
  });
});

test.each(PAGES)('only the first heading of %s is a title', (page) => {
  const [first, ...others] =
    read(page)
      .replace(/^```[\s\S]*?^```/gm, '')
      .match(/^#+ .+$/gm) ?? [];
  expect([first, ...others].filter((line) => line?.startsWith('# '))).toEqual([first]);
});
