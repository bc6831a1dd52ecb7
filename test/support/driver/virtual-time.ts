import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../src/clock.ts';

interface Due {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** The wall clock at the start. */
const EPOCH = Date.UTC(2026, 0, 15, 12);
/** After this many idle turns of the event loop, all code counts as waiting for the time to advance. */
const QUIET_TURNS = 3;
/** After this many busy turns of the event loop, the clock sleeps between the turns. */
const MOST_BUSY_TURNS = 20;
/** Node's names for work with processes and files. The virtual time stops during such work. */
const MACHINE_WORK = /^(?:ProcessWrap|FSReq|CloseReq|FileHandle)/;

/** The clock of a simulation. Its time advances only when all code is waiting for it. */
export interface VirtualTime {
  /** Milliseconds since the start. */
  now(): number;
  date(): Date;
  /** Calls `wake` after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, wake: () => void): () => void;
  wait(ms: number): Promise<void>;
  /** A clock for one process. After the process is dead, its timers no longer fire. */
  clockOf(process: { readonly alive: boolean }): Clock;
  /** Stops the time until the work is done. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Marks a promise that is settled from outside of this clock. Until then, `runUntil` does not reject. */
  outside<T>(promise: Promise<T>): Promise<T>;
  /**
   * Advances the time until the promise settles. Rejects if nothing is left that could settle it. Several calls can
   * wait at once.
   */
  runUntil<T>(goal: Promise<T>): Promise<T>;
}

export function createVirtualTime(): VirtualTime {
  let now = 0;
  let orders = 0;
  let working = 0;
  let outside = 0;
  let due: Due[] = [];
  let isRunning = false;
  /** For each open call of `runUntil`, the function that rejects the call. */
  const goals = new Set<(error: Error) => void>();

  const after: VirtualTime['after'] = (ms, wake) => {
    orders += 1;
    const mine = { at: now + Math.max(Number.isFinite(ms) ? ms : 0, 0), order: orders, wake };
    due.push(mine);
    return () => {
      due = due.filter((other) => other !== mine);
    };
  };

  const isBusy = () =>
    working > 0 || process.getActiveResourcesInfo().some((name) => MACHINE_WORK.test(name));

  async function quiet(): Promise<void> {
    let busyTurns = 0;
    for (let idle = 0; idle < QUIET_TURNS; ) {
      // During long work with processes or files, the clock sleeps. Otherwise the wait would use the processor.
      await (busyTurns < MOST_BUSY_TURNS ? nextTurn() : sleep(1));
      if (isBusy()) {
        busyTurns += 1;
        idle = 0;
      } else {
        idle += 1;
      }
    }
  }

  const giveUp = (error: Error) => {
    for (const giveUpOne of goals) giveUpOne(error);
    goals.clear();
  };

  async function run(): Promise<void> {
    isRunning = true;
    for (;;) {
      await quiet();
      if (goals.size === 0) break;
      const next = due.reduce<Due | undefined>(
        (first, one) => (isSooner(one, first) ? one : first),
        undefined,
      );
      if (next !== undefined) {
        due = due.filter((other) => other !== next);
        now = Math.max(now, next.at);
        try {
          next.wake();
        } catch (error) {
          giveUp(error instanceof Error ? error : new Error(String(error)));
        }
      } else if (outside === 0) {
        giveUp(new Error('all work waits for something that never comes'));
      }
    }
    isRunning = false;
  }

  return {
    now: () => now,
    date: () => new Date(EPOCH + now),
    after,
    wait: (ms) => new Promise((resolve) => void after(ms, resolve)),
    clockOf: (owner) => ({
      now: () => now,
      date: () => new Date(EPOCH + now),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          const wake = () => {
            takeBack();
            signal?.removeEventListener('abort', wake);
            if (owner.alive) resolve();
          };
          const takeBack = after(signal?.aborted ? 0 : ms, wake);
          if (signal?.aborted) wake();
          else signal?.addEventListener('abort', wake, { once: true });
        }),
      timeout: (ms) => {
        const deadline = new AbortController();
        const clear = after(ms, () => {
          if (owner.alive) deadline.abort();
        });
        return { signal: deadline.signal, clear };
      },
    }),
    async during(work) {
      working += 1;
      try {
        return await work();
      } finally {
        working -= 1;
      }
    },
    async outside(promise) {
      outside += 1;
      try {
        return await promise;
      } finally {
        outside -= 1;
      }
    },
    runUntil(goal) {
      return new Promise((resolve, reject) => {
        goals.add(reject);
        const reached = () => void goals.delete(reject);
        goal.then(
          (value) => {
            reached();
            resolve(value);
          },
          (error: unknown) => {
            reached();
            reject(error);
          },
        );
        if (!isRunning) void run();
      });
    },
  };
}

function isSooner(one: Due, other: Due | undefined): boolean {
  return other === undefined || one.at < other.at || (one.at === other.at && one.order < other.order);
}
