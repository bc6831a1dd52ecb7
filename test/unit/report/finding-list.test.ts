import { expect, test } from 'vitest';
import { truncateFindings } from '../../../src/report/finding-list.ts';
import { md } from '../../../src/report/markdown.ts';

/** Blocks whose details are so long, and the number of times that one was rendered at full length. */
function blocksOf(sizes: readonly number[]) {
  const rendered = { times: 0 };
  const blocks = sizes.map((size) => ({
    row: () => md`row`,
    hasDetails: true,
    details: (longest: number) => {
      rendered.times += 1;
      return md`${'x'.repeat(Math.min(size, longest))}`;
    },
  }));
  return { blocks, rendered };
}

const BUDGET = { limit: 10_000, sizeOf: (text: string) => text.length };

test('a text that does not fit keeps no shorter one out', () => {
  const { blocks } = blocksOf([9_999, 100, 9_999, 100]);
  expect(truncateFindings(blocks, BUDGET, 20_000)).toMatchObject({
    listed: 4,
    leftOut: 0,
    withoutDetails: 2,
  });
});

test('hundreds of texts that do not fit are not all rendered, and all are counted', () => {
  const { blocks, rendered } = blocksOf(Array.from({ length: 500 }, () => 9_999));
  expect(truncateFindings(blocks, BUDGET, 20_000)).toMatchObject({ listed: 500, withoutDetails: 500 });
  expect(rendered.times).toBeLessThanOrEqual(6);
});

test('where hundreds of rows would fill the budget, the worst findings still have their details', () => {
  const { blocks } = blocksOf(Array.from({ length: 3_000 }, () => 200));
  const list = truncateFindings(blocks, BUDGET, 20_000);
  expect(list.listed + list.leftOut).toBe(3_000);
  expect(list.leftOut).toBeGreaterThan(0);
  expect(list.listed - list.withoutDetails).toBe(12);
  expect(list.size).toBeLessThanOrEqual(BUDGET.limit);
});
