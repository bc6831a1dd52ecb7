import type { Clock } from '../clock.ts';

/** Chosen: a restart of the service or a change of its address is over by then, and the scan is already paid for. */
const MOST_FAILURES_IN_A_ROW = 20;
const LONGEST_SILENCE_MS = 10 * 60_000;

/** Counts failures in a row, and the time since something last worked. */
export interface Patience {
  worked(): void;
  /** The service answered that it is too busy: no failure, and no silence either. */
  limited(): void;
  /** @returns the failures in a row, this one included; undefined when patience is at its end */
  failed(): number | undefined;
}

export function createPatience(clock: Clock): Patience {
  let failures = 0;
  let since = clock.now();
  return {
    worked() {
      failures = 0;
      since = clock.now();
    },
    limited() {
      since = clock.now();
    },
    failed() {
      failures += 1;
      const atEnd = failures >= MOST_FAILURES_IN_A_ROW || clock.now() - since >= LONGEST_SILENCE_MS;
      return atEnd ? undefined : failures;
    },
  };
}
