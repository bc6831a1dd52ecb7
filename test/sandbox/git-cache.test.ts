import { expect, test } from 'vitest';
import { createGitCache } from '../../sandbox/git-cache.ts';

const ID = 'a'.repeat(40);

test('the cache asks git once about a full id if several callers ask at the same time', async () => {
  const cache = createGitCache<number>();
  let asked = 0;
  const ask = () => cache.recall('size', [ID], async () => ++asked);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(1);
});

test('the cache asks git each new question about an id, and every question about a name', async () => {
  const cache = createGitCache<number>();
  let asked = 0;
  const ask = (question: string, ...ids: string[]) => cache.recall(question, ids, async () => ++asked);
  await ask('size', ID);
  expect(await ask('type', ID)).toBe(2);
  expect(await ask('size', 'b'.repeat(40))).toBe(3);
  expect(await ask('size', ID, 'main')).toBe(4);
  expect(await ask('size', ID, 'main')).toBe(5);
});

test('the cache asks git again if git failed or found nothing', async () => {
  const cache = createGitCache<number>();
  expect(await cache.recall('size', [ID], async () => undefined)).toBeUndefined();
  await expect(cache.recall('size', [ID], () => Promise.reject(new Error('no git')))).rejects.toThrow();
  expect(await cache.recall('size', [ID], async () => 1)).toBe(1);
});

test('the cache drops the oldest answers if there are too many', async () => {
  const cache = createGitCache<number>(2);
  let asked = 0;
  const ask = (question: string) => cache.recall(question, [ID], async () => ++asked);
  for (const question of ['first', 'second', 'third']) await ask(question);
  expect(await ask('third')).toBe(3);
  expect(await ask('second')).toBe(2);
  expect(await ask('first')).toBe(4);
});
