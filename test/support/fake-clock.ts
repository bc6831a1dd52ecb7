import { type Clock, type Deadline, systemClock } from '../../src/clock.ts';

/** No real clock begins at 0. */
const STARTED_AT = 5_000_000;

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * A clock with virtual time. By default, it jumps to the earliest sleeper as soon as the event loop is idle. So no wait
 * takes real time, and sleepers wake in the order of their times. With `auto: false`, only `advance` moves the clock.
 */
export class FakeClock implements Clock {
  /** Every requested wait, in milliseconds, in order. */
  readonly sleeps: number[] = [];
  readonly #epoch: number;
  readonly #auto: boolean;
  #elapsed = 0;
  #sleepers: Sleeper[] = [];

  constructor(options: { readonly date?: Date; readonly auto?: boolean } = {}) {
    this.#epoch = (options.date ?? new Date('2026-01-15T12:00:00Z')).getTime();
    this.#auto = options.auto ?? true;
  }

  now(): number {
    return STARTED_AT + this.#elapsed;
  }

  /** The milliseconds since the clock was made. */
  elapsed(): number {
    return this.#elapsed;
  }

  date(): Date {
    return new Date(this.#epoch + this.#elapsed);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    this.sleeps.push(ms);
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#elapsed + Math.max(0, ms), wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
      if (this.#auto) setImmediate(() => this.#wakeEarliest());
    });
  }

  /** A deadline with a real timer. The request that it ends waits for a real socket. */
  timeout(ms: number): Deadline {
    return systemClock.timeout(ms);
  }

  /** Advances the time by `ms`. Wakes every sleeper that is due, even one that starts to sleep meanwhile. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#sleepers.some(({ at }) => at <= until)) {
      this.#wakeEarliest();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#elapsed = until;
  }

  #wakeEarliest(): void {
    const [earliest] = this.#sleepers.toSorted((a, b) => a.at - b.at);
    if (earliest === undefined) return;
    this.#elapsed = Math.max(this.#elapsed, earliest.at);
    earliest.wake();
  }
}
