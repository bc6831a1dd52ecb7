import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { readAll } from '../../../src/scan-api/paginate.ts';
import type { Page } from '../../../src/scan-api/wire.ts';

interface Item {
  readonly id: string | undefined;
}

const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `f${index}` }));

const OVERSIZE: ApiError = {
  kind: 'invalid',
  operation: 'list the findings',
  status: 200,
  problem: 'oversize',
  detail: '',
  retryAfterSeconds: undefined,
};

function reading(pageOf: (page: number, reading: number, limit: number) => Page<Item> | ApiError) {
  const asked: number[] = [];
  const askedFor: string[] = [];
  let readings = 1;
  let active = 0;
  let widest = 0;
  const list = readAll({
    readPage: async (page, limit) => {
      asked.push(page);
      askedFor.push(`${page} of ${limit}`);
      active += 1;
      widest = Math.max(widest, active);
      await new Promise((resolve) => setImmediate(resolve));
      active -= 1;
      const answer = pageOf(page, readings, limit);
      return 'kind' in answer ? err(answer) : ok(answer);
    },
    idOf: ({ id }) => id,
    tooLarge: (position) => ({ id: `too large: ${position}` }),
    beforeReadingAgain: async () => {
      readings += 1;
    },
    invalid: (problem, detail) => ({
      kind: 'invalid',
      operation: 'list the findings',
      status: 200,
      problem,
      detail,
      retryAfterSeconds: undefined,
    }),
  });
  return list.then((result) => ({ result, asked, askedFor, readings, widest: () => widest }));
}

const pageOf = (all: readonly { id: string }[], page: number, limit: number): Page<Item> => ({
  items: all.slice((page - 1) * limit, page * limit),
  page,
  limit,
  total: all.length,
});

describe('readAll', () => {
  test('readAll reads page 1 first, and then up to four pages at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(300), fc.integer({ min: 1, max: 100 }), async (count, limit) => {
        const all = items(count);
        const { result, asked, widest } = await reading((page) => pageOf(all, page, limit));
        expect(result).toEqual({ ok: true, value: all });
        expect(asked[0]).toBe(1);
        expect(asked.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: Math.max(1, Math.ceil(count / limit)) }, (_, index) => index + 1),
        );
        expect(widest()).toBeLessThanOrEqual(4);
      }),
      { numRuns: 30 },
    );
  });

  test('readAll reads a list again if the list has shifted', async () => {
    const before = items(150);
    const after = [{ id: 'new' }, ...before];
    const { result, readings } = await reading((page, turn) =>
      pageOf(turn === 1 && page === 1 ? before : after, page, 100),
    );
    expect(result).toEqual({ ok: true, value: after });
    expect(readings).toBe(2);
  });

  test('readAll rejects a list that repeats items', async () => {
    const all = [...items(100), ...items(50)];
    const { result, readings } = await reading((page) => pageOf(all, page, 100));
    expect(result).toMatchObject({ ok: false, error: { kind: 'invalid', problem: 'shifting-list' } });
    expect(readings).toBe(3);
  });

  test('readAll returns an error if the list shifts during all three readings', async () => {
    const { result, asked } = await reading((page) => ({ items: items(3), page, limit: 100, total: 4 }));
    expect(result).toMatchObject({ ok: false, error: { problem: 'shifting-list' } });
    expect(asked).toEqual([1, 1, 1]);
  });

  test('readAll returns an error for a list that has items, but a total of zero', async () => {
    const { result } = await reading((page) => ({ items: items(1), page, limit: 100, total: 0 }));
    expect(result).toMatchObject({ ok: false });
  });

  test('readAll keeps items that have no usable id', async () => {
    const { result } = await reading((page) => ({
      items: [{ id: undefined }, { id: undefined }, { id: 'a' }],
      page,
      limit: 100,
      total: 3,
    }));
    expect(result).toEqual({ ok: true, value: [{}, {}, { id: 'a' }] });
  });

  test('readAll returns an error if every page repeats page 1', async () => {
    const { result } = await reading(() => ({
      items: Array.from({ length: 100 }, () => ({ id: undefined })),
      page: 1,
      limit: 100,
      total: 200,
    }));
    expect(result).toMatchObject({ ok: false, error: { problem: 'wrong-shape' } });
  });

  test('readAll returns an error after one page if the total is excessive', async () => {
    const { result, asked } = await reading((page) => ({ items: items(1), page, limit: 1, total: 2 ** 50 }));
    expect(result).toMatchObject({ ok: false, error: { problem: 'wrong-shape' } });
    expect(asked).toEqual([1]);
  });

  test('readAll returns an error if a page cannot be read', async () => {
    const error: ApiError = { kind: 'stopped', operation: 'list the findings', sent: 'no', by: 'timeout' };
    const { result } = await reading((page) => (page === 3 ? error : pageOf(items(900), page, 100)));
    expect(result).toEqual({ ok: false, error });
  });
});

describe('a page that is too large', () => {
  /**
   * Reads a list whose items have these sizes. The sizes of the items in one answer may add up to at most 10. The
   * service limits its pages to `cap` items.
   */
  const readSized = (sizes: readonly number[], cap = 100) =>
    reading((page, _reading, limit) => {
      const size = Math.min(limit, cap);
      const from = (page - 1) * size;
      const shown = sizes.slice(from, from + size);
      if (shown.reduce((sum, one) => sum + one, 0) > 10) return OVERSIZE;
      const found = shown.map((_size, index) => ({ id: `f${from + index + 1}` }));
      return { items: found, page, limit: size, total: sizes.length };
    });
  const idsOf = (read: Awaited<ReturnType<typeof readSized>>) =>
    read.result.ok ? read.result.value.map(({ id }) => id) : [];

  test('readAll requests smaller pages if a page is too large', async () => {
    const sizes = [...Array(12).fill(1.5), ...Array(188).fill(0.01)];
    const read = await readSized(sizes);
    expect(idsOf(read).toSorted()).toEqual(sizes.map((_size, index) => `f${index + 1}`).toSorted());
    const of = (limit: number) => read.askedFor.filter((page) => page.endsWith(` of ${limit}`)).length;
    expect([of(100), of(10), of(1)]).toEqual([2, 10, 10]);
    expect(new Set(read.askedFor).size).toBe(read.askedFor.length);
    expect(read.readings).toBe(1);
  });

  test.each([
    ['the first item', [11, 1, 1], [1]],
    ['the last item', [1, 1, 11], [3]],
    ['the only item', [11], [1]],
    ['every item', Array(12).fill(11), Array.from({ length: 12 }, (_, index) => index + 1)],
    ['many items', Array.from({ length: 250 }, (_, n) => (n % 50 === 7 ? 11 : 0.01)), [8, 58, 108, 158, 208]],
  ])('readAll returns a placeholder for each item that is too large (%s)', async (_which, sizes, large) => {
    const read = await readSized(sizes);
    expect(idsOf(read)).toHaveLength(sizes.length);
    expect(idsOf(read).filter((id) => id?.startsWith('too large'))).toEqual(
      large.map((position) => `too large: ${position}`),
    );
    expect(read.widest()).toBeLessThanOrEqual(4);
  });

  test('readAll works with any page size of the service', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.constantFrom(0.01, 1, 6, 11), { minLength: 1, maxLength: 60 })
          .map((sizes) => [1, ...sizes]),
        fc.integer({ min: 1, max: 100 }),
        async (sizes, cap) => {
          const read = await readSized(sizes, cap);
          expect(idsOf(read).toSorted()).toEqual(
            sizes.map((size, n) => (size > 10 ? `too large: ${n + 1}` : `f${n + 1}`)).toSorted(),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('readAll returns an error if each of the first twenty items of a list is too large', async () => {
    const read = await readSized([...Array(20).fill(11), 1]);
    expect(read.result).toEqual({ ok: false, error: OVERSIZE });
    expect(idsOf(await readSized([...Array(19).fill(11), 1]))).toHaveLength(20);
  });

  test('readAll returns an error if a page of ten items is not JSON', async () => {
    const refusal: ApiError = { ...OVERSIZE, problem: 'not-json' };
    const read = await reading((page, _reading, limit) =>
      limit === 100 ? OVERSIZE : page === 1 ? { items: items(10), page, limit, total: 100 } : refusal,
    );
    expect(read.result).toEqual({ ok: false, error: refusal });
    expect(read.askedFor.length).toBeLessThanOrEqual(1 + 1 + 4);
  });

  test('readAll reads the list again if the list shifts between two smaller pages', async () => {
    const read = await reading((page, turn, limit) =>
      limit === 100
        ? OVERSIZE
        : { items: items(turn === 1 ? 10 : 2), page, limit, total: turn === 1 ? 12 : 2 },
    );
    expect(read.readings).toBe(2);
    expect(read.result).toEqual({ ok: true, value: items(2) });
  });
});
