import { expect, test } from 'vitest';
import { inPool } from '../../../src/http/pool.ts';

test('a pool works on a fixed number of items at a time, and returns the answers in their order', async () => {
  let active = 0;
  const seen: number[] = [];
  const answers = await inPool([3, 1, 2, 0, 1], 2, async (turns) => {
    active += 1;
    seen.push(active);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    active -= 1;
    return turns * 10;
  });
  expect(answers).toEqual([30, 10, 20, 0, 10]);
  expect(Math.max(...seen)).toBe(2);
});

test('a pool rejects if the work on an item rejects', async () => {
  const failing = inPool([1, 2, 3], 2, async (item) => {
    if (item === 2) throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
});
