import type { Deadline } from '../../src/clock.ts';
import { FakeClock } from './fake-clock.ts';

/**
 * A clock whose deadlines end on demand, and whose waits end at once. So no test depends on the speed of the machine.
 */
export class DeadlineClock extends FakeClock {
  #deadlines: AbortController[] = [];

  override timeout(): Deadline {
    const deadline = new AbortController();
    this.#deadlines.push(deadline);
    return { signal: deadline.signal, clear: () => {} };
  }

  /** Ends every started deadline at the next turn of the event loop. */
  expireSoon(): void {
    setImmediate(() => {
      for (const deadline of this.#deadlines.splice(0)) deadline.abort();
    });
  }

  /** Makes a `fetch` that ends all deadlines when an answer starts. The body of the answer then arrives too late. */
  expiringInBody(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      this.expireSoon();
      return response;
    };
  }
}
