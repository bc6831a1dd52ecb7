import fc from 'fast-check';
import { expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { readAll } from '../../../src/scan-api/paginate.ts';
import type { Page } from '../../../src/scan-api/wire.ts';
import { invalid, stopped } from '../scan/fake-api.ts';

interface Item {
  readonly id: string | undefined;
}
/** The answer of the service to a request for a page. `reading` counts how often the list is read from its start. */
type Answer = (page: number, limit: number, reading: number) => Page<Item> | ApiError;

const OVERSIZE = invalid(200, 'oversize').error;

async function reading(pageOf: Answer) {
  const asked: string[] = [];
  let readings = 1;
  let active = 0;
  let widest = 0;
  const result = await readAll<Item>({
    readPage: async (page, limit) => {
      asked.push(`${page} of ${limit}`);
      active += 1;
      widest = Math.max(widest, active);
      await new Promise((resolve) => setImmediate(resolve));
      active -= 1;
      const answer = pageOf(page, limit, readings);
      return 'kind' in answer ? err(answer) : ok(answer);
    },
    idOf: ({ id }) => id,
    tooLarge: (position) => ({ id: `too large: ${position}` }),
    beforeReadingAgain: async () => {
      readings += 1;
    },
    invalid: (problem, detail) => ({ ...invalid(200, problem).error, detail }) as ApiError,
  });
  expect(widest).toBeLessThanOrEqual(4);
  return { result, asked, readings, ids: result.ok ? result.value.map(({ id }) => id) : undefined };
}

const items = (count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `f${index + 1}` }));
const listed = (all: readonly Item[], page: number, limit: number): Page<Item> => ({
  items: all.slice((page - 1) * limit, page * limit),
  page,
  limit,
  total: all.length,
});
const list =
  (all: readonly Item[], cap = 100): Answer =>
  (page, limit) =>
    listed(all, page, Math.min(limit, cap));
/** A list whose items have these sizes. An answer is too large if the sizes of its items add up to more than 10. */
const sized =
  (sizes: readonly number[], cap = 100): Answer =>
  (page, limit) => {
    const size = Math.min(limit, cap);
    const bytes = sizes.slice((page - 1) * size, page * size).reduce((sum, one) => sum + one, 0);
    return bytes > 10 ? OVERSIZE : listed(items(sizes.length), page, size);
  };
const sameItems =
  (all: readonly Item[], total: number): Answer =>
  (page, limit) => ({ items: all, page, limit, total });
const before = items(150);
const after = [{ id: 'new' }, ...before];
const unnamed = Array.from({ length: 100 }, () => ({ id: undefined }));
const many = Array.from({ length: 250 }, (_, index) => (index % 50 === 7 ? 11 : 0.01));

const ROWS: readonly (readonly [what: string, answer: Answer])[] = [
  ['an empty list', list([])],
  ['seven pages', list(items(650))],
  ['smaller pages than requested', list(items(7), 3)],
  [
    'a list that shifts once',
    (page, limit, turn) => listed(turn === 1 && page === 1 ? before : after, page, limit),
  ],
  ['a list that repeats items', list([...items(100), ...items(50)])],
  ['a list that is shorter than its total', sameItems(items(3), 4)],
  ['a list that has items, but a total of zero', sameItems(items(1), 0)],
  ['items without a usable id', list([...unnamed.slice(0, 2), { id: 'a' }])],
  ['a list that repeats page 1', () => ({ items: unnamed, page: 1, limit: 100, total: 200 })],
  ['an excessive total', sameItems(items(1), 2 ** 50)],
  [
    'a page that cannot be read',
    (page, limit) => (page === 3 ? stopped('timeout').error : listed(items(900), page, limit)),
  ],
  ['a page that is too large', sized([...Array(12).fill(1.5), ...Array(88).fill(0.01)])],
  ['the first item is too large', sized([11, 1, 1])],
  ['the last item is too large', sized([1, 1, 11])],
  ['the only item is too large', sized([11])],
  ['every item is too large', sized(Array(12).fill(11))],
  ['many items are too large', sized(many)],
  ['the first nineteen items are too large', sized([...Array(19).fill(11), 1])],
  ['the first twenty items are too large', sized([...Array(20).fill(11), 1])],
  [
    'a page of ten items that is not JSON',
    (page, limit) => {
      if (limit === 100) return OVERSIZE;
      return page === 1 ? listed(items(100), page, limit) : invalid(200, 'not-json').error;
    },
  ],
  [
    'a list that shifts between two smaller pages',
    (page, limit, turn) => {
      if (limit === 100) return OVERSIZE;
      return turn === 1 ? { items: items(10), page, limit, total: 12 } : listed(items(2), page, limit);
    },
  ],
];

/** Which pages a reading requests, how often it starts again, and the value. */
async function described([what, answer]: (typeof ROWS)[number]): Promise<string> {
  const { result, asked, readings, ids = [] } = await reading(answer);
  expect(new Set(asked).size, what).toBe(readings === 1 ? asked.length : new Set(asked).size);
  const pages = Map.groupBy(asked, (page) => page.split(' of ')[1]);
  const sizes = Array.from(pages, ([size, those]) => {
    const numbers = those.map((page) => page.split(' ')[0]);
    return `of ${size}: ${numbers.join(' ')}`;
  });
  const large = ids.filter((id) => id?.startsWith('too large'));
  const { kind, problem, detail }: { kind?: string; problem?: string; detail?: string } = Object(
    result.ok ? {} : result.error,
  );
  const found = result.ok
    ? `${ids.length - large.length} items`
    : `error ${problem ?? kind}: ${detail ?? ''}`;
  const again = readings === 1 ? '' : ` in ${readings} readings`;
  return `${what}: pages ${sizes.join(', ')}${again} = ${[found, ...large].join(', ')}`;
}

test('readAll reads every page once, in smaller pages if a page is too large, and again if the list shifts', async () => {
  const lines: string[] = [];
  for (const row of ROWS) lines.push(await described(row));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/paginate.txt');
  expect((await reading(ROWS[3]?.[1] ?? list([]))).result).toEqual(ok(after));
});

test('readAll returns every item, with any page size of the service and any sizes of the items', async () => {
  const size = fc.constantFrom(0.01, 1, 6, 11);
  const sizes = fc.array(size, { maxLength: 150 }).map((sizes) => [1, ...sizes]);
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 100 }), async (sizes, cap) => {
      const expected = sizes.map((size, n) => (size > 10 ? `too large: ${n + 1}` : `f${n + 1}`));
      expect((await reading(sized(sizes, cap))).ids?.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 60 },
  );
});
