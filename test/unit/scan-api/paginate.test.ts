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

function reading(pageOf: (page: number, reading: number) => Page<Item> | ApiError) {
  const asked: number[] = [];
  let readings = 1;
  let active = 0;
  let widest = 0;
  const list = readAll({
    readPage: async (page) => {
      asked.push(page);
      active += 1;
      widest = Math.max(widest, active);
      await new Promise((resolve) => setImmediate(resolve));
      active -= 1;
      const answer = pageOf(page, readings);
      return 'kind' in answer ? err(answer) : ok(answer);
    },
    idOf: ({ id }) => id,
    beforeReadingAgain: async () => {
      readings += 1;
    },
    nonsense: (problem, detail) => ({
      kind: 'nonsense',
      operation: 'list the findings',
      status: 200,
      problem,
      detail,
      retryAfterSeconds: undefined,
    }),
  });
  return list.then((result) => ({ result, asked, readings, widest: () => widest }));
}

const pageOf = (all: readonly { id: string }[], page: number, limit: number): Page<Item> => ({
  items: all.slice((page - 1) * limit, page * limit),
  page,
  limit,
  total: all.length,
});

describe('a list', () => {
  test('is read whole whatever its length and the page size: each page once, page 1 first, four at a time', async () => {
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

  test('that shifts once is read again, without duplicates', async () => {
    const before = items(150);
    const after = [{ id: 'new' }, ...before];
    const { result, readings } = await reading((page, turn) =>
      pageOf(turn === 1 && page === 1 ? before : after, page, 100),
    );
    expect(result).toEqual({ ok: true, value: after });
    expect(readings).toBe(2);
  });

  test('whose items repeat at the same total is not complete', async () => {
    const all = [...items(100), ...items(50)];
    const { result, readings } = await reading((page) => pageOf(all, page, 100));
    expect(result).toMatchObject({ ok: false, error: { kind: 'nonsense', problem: 'shifting-list' } });
    expect(readings).toBe(3);
  });

  test('that never holds still is an error after three readings, never a shorter list', async () => {
    const { result, asked } = await reading((page) => ({ items: items(3), page, limit: 100, total: 4 }));
    expect(result).toMatchObject({ ok: false, error: { problem: 'shifting-list' } });
    expect(asked).toEqual([1, 1, 1]);
  });

  test('that says zero and shows items is an error', async () => {
    const { result } = await reading((page) => ({ items: items(1), page, limit: 100, total: 0 }));
    expect(result).toMatchObject({ ok: false });
  });

  test('keeps every item without a usable id', async () => {
    const { result } = await reading((page) => ({
      items: [{ id: undefined }, { id: undefined }, { id: 'a' }],
      page,
      limit: 100,
      total: 3,
    }));
    expect(result).toEqual({ ok: true, value: [{}, {}, { id: 'a' }] });
  });

  test('that repeats page 1 for every page is refused, even where items have no ids', async () => {
    const { result } = await reading(() => ({
      items: Array.from({ length: 100 }, () => ({ id: undefined })),
      page: 1,
      limit: 100,
      total: 200,
    }));
    expect(result).toMatchObject({ ok: false, error: { problem: 'wrong-shape' } });
  });

  test('that claims an endless length is refused after one page', async () => {
    const { result, asked } = await reading((page) => ({ items: items(1), page, limit: 1, total: 2 ** 50 }));
    expect(result).toMatchObject({ ok: false, error: { problem: 'wrong-shape' } });
    expect(asked).toEqual([1]);
  });

  test('of which one page cannot be read is an error', async () => {
    const error: ApiError = { kind: 'stopped', operation: 'list the findings', sent: 'no', by: 'timeout' };
    const { result } = await reading((page) => (page === 3 ? error : pageOf(items(900), page, 100)));
    expect(result).toEqual({ ok: false, error });
  });
});
