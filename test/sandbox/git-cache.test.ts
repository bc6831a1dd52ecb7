import { expect, test } from 'vitest';
import { createGitCache } from '../../sandbox/git-cache.ts';

const [ID, OTHER] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];

/** A cache, and a function that returns how often git was asked so far. */
function counted(most?: number) {
  const cache = createGitCache<number>(most);
  let asked = 0;
  return (question: string, ...ids: string[]) => cache.recall(question, ids, async () => ++asked);
}

test('the cache asks git once about a full id, and about a name every time', async () => {
  const ask = counted();
  expect(await Promise.all([ask('size', ID), ask('size', ID)])).toEqual([1, 1]);
  expect(await ask('size', ID)).toBe(1);
  expect([await ask('type', ID), await ask('size', OTHER)]).toEqual([2, 3]);
  expect([await ask('size', ID, 'main'), await ask('size', ID, 'main')]).toEqual([4, 5]);
});

test('the cache asks git again if git failed or found nothing', async () => {
  const cache = createGitCache<number>();
  expect(await cache.recall('size', [ID], async () => undefined)).toBeUndefined();
  await expect(cache.recall('size', [ID], () => Promise.reject(new Error('no git')))).rejects.toThrow();
  expect(await cache.recall('size', [ID], async () => 1)).toBe(1);
});

test('the cache drops the oldest answers if there are too many', async () => {
  const ask = counted(2);
  for (const question of ['first', 'second', 'third']) await ask(question, ID);
  expect([await ask('third', ID), await ask('second', ID), await ask('first', ID)]).toEqual([3, 2, 4]);
});
