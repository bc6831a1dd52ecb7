import type { Clock } from '../clock.ts';

/** Our choice: restarts and address changes of the service take less time, and the scan is already paid for. */
const MOST_FAILURES_IN_A_ROW = 20;
const LONGEST_SILENCE_MS = 10 * 60_000;

/** Counts consecutive failures, and the time since the first of them. */
export interface Patience {
  worked(): void;
  /** The service asks to wait. That is not a failure, and the wait does not count as silence. */
  limited(): void;
  /**
   * @returns the number of consecutive failures including this one; undefined if there are too many or they last too
   * long
   */
  failed(): number | undefined;
}

export function createPatience(clock: Clock): Patience {
  let failures = 0;
  // A wait that the service asked for does not count, so the silence starts with a failure.
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
