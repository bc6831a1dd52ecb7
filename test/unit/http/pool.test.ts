import { describe, expect, test } from 'vitest';
import { inGrowingPool } from '../../../src/http/pool.ts';

type Width = Parameters<typeof inGrowingPool>[1];
type Work = Parameters<typeof inGrowingPool<number>>[2];

/** Returns how many items the pool works on in each round. All attempts take equally long. */
async function roundsOf(count: number, width: Width, work: Work = async () => true): Promise<number[]> {
  const waiting: (() => void)[] = [];
  const done: number[] = [];
  const items = Array.from({ length: count }, (_, index) => index);
  const attempt = () => new Promise<void>((resolve) => waiting.push(resolve));
  const pool = inGrowingPool(items, width, async (item, narrow) => {
    await attempt();
    const narrowed = async () => {
      await narrow();
      await attempt();
    };
    const wentWell = await work(item, narrowed);
    done.push(item);
    return wentWell;
  });
  const rounds: number[] = [];
  while (waiting.length > 0) {
    rounds.push(waiting.length);
    for (const answer of waiting.splice(0)) answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await pool;
  expect(done.toSorted((a, b) => a - b)).toEqual(items);
  return rounds;
}

describe('a growing pool', () => {
  test.each([
    [0, []],
    [3, [3]],
    [4, [4]],
    [10, [4, 6]],
    [50, [4, 8, 16, 22]],
    [100, [4, 8, 16, 32, 32, 8]],
  ])('a pool works on %i items in rounds of %j', async (count, rounds) => {
    expect(await roundsOf(count, { from: 4, to: 32 })).toEqual(rounds);
  });

  test('a pool grows by one item after each success, but not after a failure', async () => {
    expect(await roundsOf(20, { from: 4, to: 32 }, async () => false)).toEqual([4, 4, 4, 4, 4]);
    expect(await roundsOf(20, { from: 4, to: 32 }, async (item) => item % 2 === 0)).toEqual([4, 6, 9, 1]);
  });

  test('if the work on an item narrows the pool, the pool returns to its first width and stays there', async () => {
    const narrowFor = (items: readonly number[]) =>
      roundsOf(50, { from: 4, to: 32 }, async (item, narrow) => {
        if (items.includes(item)) await narrow();
        return true;
      });
    const alwaysFour = [...Array.from({ length: 12 }, () => 4), 3];
    expect(await narrowFor([0])).toEqual(alwaysFour);
    // All 16 items of the third round are refused. By then, 12 items are done. The pool works on the remaining 38 items
    // four at a time.
    const third = Array.from({ length: 16 }, (_, index) => 12 + index);
    expect(await narrowFor(third)).toEqual([4, 8, 16, ...Array.from({ length: 9 }, () => 4), 2]);
  });

  test('a pool rejects if the work on an item rejects', async () => {
    const failing = inGrowingPool([1, 2, 3], { from: 1, to: 4 }, async (item) => {
      if (item === 2) throw new Error('broken');
      return true;
    });
    await expect(failing).rejects.toThrow('broken');
  });
});
