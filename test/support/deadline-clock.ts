import type { Deadline } from '../../src/clock.ts';
import { FakeClock } from './fake-clock.ts';

/** Deadlines end on demand, and waits end at once, so that no test depends on the speed of the machine. */
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

  /** Ends the deadlines as soon as an answer starts, so that its body never ends in time. */
  expiringInBody(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      this.expireSoon();
      return response;
    };
  }
}
