import type { Deadline } from '../../src/clock.ts';
import { FakeClock } from './fake-clock.ts';

/** Deadlines end on demand, waits at once: no test depends on the speed of the machine. */
export class DeadlineClock extends FakeClock {
  #deadlines: AbortController[] = [];

  override timeout(): Deadline {
    const deadline = new AbortController();
    this.#deadlines.push(deadline);
    return { signal: deadline.signal, clear: () => {} };
  }

  /** Ends every deadline that was started, at the next turn of the event loop. */
  expireSoon(): void {
    setImmediate(() => {
      for (const deadline of this.#deadlines.splice(0)) deadline.abort();
    });
  }

  /** Ends them as soon as an answer begins: its body never ends in time. */
  expiringInBody(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      this.expireSoon();
      return response;
    };
  }
}
