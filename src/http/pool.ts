/** Runs `work` over all items, at most `width` at a time. The answers stand in the order of the items. */
export async function inPool<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return answers;
}

/**
 * Runs `work` over all items: `from` at a time at first, and one more for each item that went well, so twice as many
 * after each round trip, up to `to`. Once it was narrowed, `from` at a time.
 * @param work calls `narrow` when the server has too much to do, and continues with its item when that resolves; resolves
 *   with whether it went well
 */
export function inGrowingPool<T>(
  items: readonly T[],
  { from, to }: { readonly from: number; readonly to: number },
  work: (item: T, narrow: () => Promise<void>) => Promise<boolean>,
): Promise<void> {
  const queue = items.values();
  const waiting: (() => void)[] = [];
  let width = from;
  let mayGrow = true;
  let active = 0;
  return new Promise((resolve, reject) => {
    const narrow = () => {
      width = from;
      mayGrow = false;
      active -= 1;
      const turn = new Promise<void>((proceed) => waiting.push(proceed));
      fill();
      return turn;
    };
    const finish = (wentWell: boolean) => {
      active -= 1;
      if (wentWell && mayGrow) width = Math.min(width + 1, to);
      fill();
    };
    const fill = () => {
      while (active < width) {
        const proceed = waiting.shift() ?? startNext();
        if (proceed === undefined) break;
        active += 1;
        proceed();
      }
      if (active === 0) resolve();
    };
    const startNext = () => {
      const next = queue.next();
      return next.done ? undefined : () => void work(next.value, narrow).then(finish, reject);
    };
    fill();
  });
}
