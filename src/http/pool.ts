/** Runs `work` on all items, at most `width` at a time. Returns the answers in the order of the items. */
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
 * Runs `work` on all items in parallel. At first, runs it on `from` items at a time. Each success raises this number by
 * one, up to `to`. The first call of `narrow` sets the number back to `from`, where it stays.
 * @param work resolves to true if it succeeded. If the server is overloaded, `work` awaits `narrow()`, and then
 * continues with its item.
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
