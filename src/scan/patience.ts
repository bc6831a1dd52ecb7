import type { Clock } from '../clock.ts';

/**
 * Our choice: the limits for consecutive failures, by number and by time. Restarts and address changes of the service
 * usually stay below both limits.
 */
const MOST_FAILURES_IN_A_ROW = 20;
const LONGEST_SILENCE_MS = 10 * 60_000;

/** Counts consecutive failures, and measures the time since the first of them. */
export interface Patience {
  worked(): void;
  /** Call this if the service asks for a wait. Such a wait is not a failure, and its time does not count. */
  limited(): void;
  /**
   * Call this after a failure.
   * @returns the number of consecutive failures; undefined if there are too many, or if they last too long
   */
  failed(): number | undefined;
}

export function createPatience(clock: Clock): Patience {
  let failures = 0;
  // The time of the first of the consecutive failures. After a wait that the service asked for, the next failure counts
  // as the first.
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
