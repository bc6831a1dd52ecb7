import type { Clock } from '../../../src/clock.ts';

interface Due {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Wall clock at the beginning of every history. */
const EPOCH = Date.UTC(2026, 0, 15, 12);
/** Turns of the event loop without anything to do after which everybody waits for the time. */
const QUIET_TURNS = 3;
/** What Node calls work of the machine itself: processes and files, for which the time stands still. */
const MACHINE_WORK = /^(?:ProcessWrap|FSReq|CloseReq|FileHandle)/;

/** One line of time for everybody in a history. It moves on only when nobody has anything left to do at this moment. */
export interface VirtualTime {
  /** Milliseconds since the beginning. */
  now(): number;
  date(): Date;
  /** Calls back in `ms` milliseconds; returns what takes that back. */
  after(ms: number, wake: () => void): () => void;
  wait(ms: number): Promise<void>;
  /** A clock of one process: once that is dead, nothing of it wakes any more. */
  clockOf(process: { readonly alive: boolean }): Clock;
  /** The time stands still until it is done. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Lets the time go on until the promise is settled. Throws where nothing is left that could settle it. */
  runUntil<T>(goal: Promise<T>): Promise<T>;
}

export function createVirtualTime(): VirtualTime {
  let now = 0;
  let orders = 0;
  let working = 0;
  let due: Due[] = [];

  const after: VirtualTime['after'] = (ms, wake) => {
    orders += 1;
    const mine = { at: now + Math.max(Number.isFinite(ms) ? ms : 0, 0), order: orders, wake };
    due.push(mine);
    return () => {
      due = due.filter((other) => other !== mine);
    };
  };

  async function quiet(): Promise<void> {
    for (let idle = 0; idle < QUIET_TURNS; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const busy = working > 0 || process.getActiveResourcesInfo().some((name) => MACHINE_WORK.test(name));
      idle = busy ? 0 : idle + 1;
    }
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
    }),
    async during(work) {
      working += 1;
      try {
        return await work();
      } finally {
        working -= 1;
      }
    },
    async runUntil(goal) {
      let settled = false;
      const done = () => {
        settled = true;
      };
      goal.then(done, done);
      for (;;) {
        await quiet();
        if (settled) return goal;
        const next = due.reduce<Due | undefined>(
          (first, one) => (isSooner(one, first) ? one : first),
          undefined,
        );
        if (next === undefined) throw new Error('everybody waits for something that never comes');
        due = due.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}

function isSooner(one: Due, other: Due | undefined): boolean {
  return other === undefined || one.at < other.at || (one.at === other.at && one.order < other.order);
}
