import { describe, expect, test } from 'vitest';
import { read } from './code.ts';
import { PAGES, sectionUnder, USER_PAGES, wordsOf } from './documents.ts';

/** The most words that the README may have outside of its code. Longer explanations belong to a page in `docs`. */
const LONGEST_README = 900;
/** The most words that all pages may have together. A page that needs more has to replace another text. */
const LONGEST_PAGES = 24_000;

/** Counts as `wc -w` does. */
function countWords(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => word !== '').length;
}

describe('the length of the pages', () => {
  test('the README has few words outside of code', () => {
    const text = read('README.md').replace(/^```[\s\S]*?^```/gm, '');
    expect(countWords(text)).toBeLessThanOrEqual(LONGEST_README);
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

describe('the counting of words', () => {
  test.each([
    ['prose', 'One **two**three, four – five.', ['One', 'twothree,', 'four', 'five.']],
    ['a table', '| a `b` | c |\n| --- | --- |\n| d | |', ['a', 'b', 'c', 'd']],
    ['a block of code', '```yaml\non: push # why\n```', ['on:', 'push', 'why']],
    ['a picture', '![What it shows](a/b.png)', ['What', 'it', 'shows']],
    ['a link', '[two words](https://example.com/more)', ['two', 'words']],
    ['a list', '1. one\n2. two\n   - three', ['one', 'two', 'three']],
  ])('wordsOf counts the words of %s', (_name, markdown, words) => {
    expect(wordsOf(markdown)).toEqual(words);
  });

  test('wordsOf finds more than 50 words on every page for users', () => {
    for (const page of USER_PAGES) expect(wordsOf(read(page)).length, page).toBeGreaterThan(50);
  });
});
