import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Process } from './network.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Globals {
  readonly time: VirtualTime;
  readonly processes: AsyncLocalStorage<Process>;
  readonly random: () => number;
}

/**
 * The action takes its deadlines from the global timers, its requests to the global `fetch` and its jitter from
 * `Math.random`: for a while these are those of a history. Timers of nobody's process stay real.
 */
export async function withVirtualGlobals<T>(
  { time, processes, random }: Globals,
  play: (setFetch: (fetch: typeof globalThis.fetch) => void) => Promise<T>,
): Promise<T> {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    fetch: globalThis.fetch,
    random: Math.random,
  };
  const running = new WeakMap<object, () => void>();
  Object.assign(globalThis, {
    setTimeout: (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const owner = processes.getStore();
      if (owner === undefined) return real.setTimeout(callback, ms, ...args);
      const timer = {};
      const takeBack = time.after(ms ?? 0, () => {
        if (owner.alive) processes.run(owner, callback, ...args);
      });
      running.set(timer, takeBack);
      return timer;
    },
    clearTimeout: (timer: unknown) => {
      const takeBack = typeof timer === 'object' && timer !== null ? running.get(timer) : undefined;
      if (takeBack === undefined) Reflect.apply(real.clearTimeout, globalThis, [timer]);
      else takeBack();
    },
  });
  Math.random = random;
  try {
    return await play((fetch) => {
      globalThis.fetch = fetch;
    });
  } finally {
    const { random: realRandom, ...globals } = real;
    Object.assign(globalThis, globals);
    Math.random = realRandom;
  }
}
