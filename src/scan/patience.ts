import type { Clock } from '../clock.ts';

/** Chosen: a restart of the service or a change of its address is over by then, and the scan is already paid for. */
const MOST_FAILURES_IN_A_ROW = 20;
const LONGEST_SILENCE_MS = 10 * 60_000;

/** Counts failures in a row, and the time since the first of them. */
export interface Patience {
  worked(): void;
  /** The service asks to wait: no failure, and the time until the next answer is no silence. */
  limited(): void;
  /** @returns the failures in a row, this one included; undefined when patience is at its end */
  failed(): number | undefined;
}

export function createPatience(clock: Clock): Patience {
  let failures = 0;
  // A wait that the service asked for is not counted, so it begins with a failure.
  let silentSince: number | undefined;
  return {
    worked() {
      failures = 0;
      silentSince = undefined;
    },
    limited() {
      silentSince = undefined;
    },
    failed() {
      failures += 1;
      silentSince ??= clock.now();
      const atEnd = failures >= MOST_FAILURES_IN_A_ROW || clock.now() - silentSince >= LONGEST_SILENCE_MS;
      return atEnd ? undefined : failures;
    },
  };
}
