import { expect, test } from 'vitest';
import { findingBlocks, findingTexts } from '../../../src/report/finding-block.ts';
import { truncateFindings } from '../../../src/report/finding-list.ts';
import { md, toText } from '../../../src/report/markdown.ts';
import { sampleFinding, sampleReport } from './sample-report.ts';

/** Makes entries of the list. Their details have these lengths. `rendered` counts how often details were rendered. */
function blocksOf(sizes: readonly number[]) {
  const rendered = { times: 0 };
  const blocks = sizes.map((size) => ({
    row: () => md`row`,
    hasDetails: true,
    isUnread: false,
    details: (longest: number) => {
      rendered.times += 1;
      return md`${'x'.repeat(Math.min(size, longest))}`;
    },
  }));
  return { blocks, rendered };
}

const BUDGET = { limit: 10_000, sizeOf: (text: string) => text.length };

test('the list of findings omits details that are too long, and shows shorter details after them', () => {
  const { blocks } = blocksOf([9_999, 100, 9_999, 100]);
  expect(truncateFindings(blocks, BUDGET, 20_000)).toMatchObject({
    leftOut: 0,
    withoutDetails: 2,
  });
});

test('after six details that are too long, the list of findings renders no more details', () => {
  const { blocks, rendered } = blocksOf(Array.from({ length: 500 }, () => 9_999));
  expect(truncateFindings(blocks, BUDGET, 20_000)).toMatchObject({ leftOut: 0, withoutDetails: 500 });
  expect(rendered.times).toBeLessThanOrEqual(6);
});

test('the list of findings keeps space for the details of the worst findings', () => {
  const { blocks } = blocksOf(Array.from({ length: 3_000 }, () => 200));
  const list = truncateFindings(blocks, BUDGET, 20_000);
  expect(list.leftOut).toBeGreaterThan(0);
  expect(3_000 - list.leftOut - list.withoutDetails).toBe(12);
  expect(list.size).toBeLessThanOrEqual(BUDGET.limit);
});

test('the list counts a listed finding whose details were not read, and does not count it again if they are too long', () => {
  const { blocks } = blocksOf([9_999, 9_999, 100, 9_999]);
  const unread = blocks.map((block, index) => ({
    ...block,
    isUnread: index > 0,
    hasDetails: index < 3,
    row: () => md`${'x'.repeat(index < 3 ? 1 : 9_000)}`,
  }));
  expect(truncateFindings(unread, BUDGET, 20_000)).toMatchObject({
    leftOut: 1,
    withoutDetails: 1,
    unread: 2,
  });
});

test('a text over 20 characters is cut, and says how much is cut', () => {
  const cutTo20 = (description: string) => {
    const finding = sampleFinding({ description, recommendedFix: undefined, proofOfConcept: undefined });
    return toText(findingTexts(finding, sampleReport([finding]), 20)).replaceAll('&#8203;', '');
  };
  const note = (more: number) => `\n\n*Cut here. ${more} more characters are in the scanning service.*`;
  expect(cutTo20('a'.repeat(20))).toBe('a'.repeat(20));
  expect(cutTo20('a'.repeat(21))).toBe(`${'a'.repeat(19)}…${note(2)}`);
  // The emoji takes two UTF-16 units, and is left out whole.
  expect(cutTo20(`${'a'.repeat(18)}😀bb`)).toBe(`${'a'.repeat(18)}…${note(4)}`);
});

test('the link to a file without lines has no blank at its end', () => {
  const finding = sampleFinding({ location: { path: 'a.ts', startLine: undefined, endLine: undefined } });
  const row = findingBlocks([finding], sampleReport([finding])).map((block) => toText(block.row()));
  expect(row.join('')).toContain('[<code>a.ts</code>](https://github.com/');
});
