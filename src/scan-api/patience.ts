import type { Clock } from '../clock.ts';
import { type ApiError, isNotFound } from './api-error.ts';
import { classify, waitAdvisedBy } from './retry.ts';

/**
 * Our choice: the limits for consecutive failures, by number and by time. Restarts and address changes of the service
 * usually stay below both limits.
 */
const MOST_FAILURES_IN_A_ROW = 20;
const LONGEST_SILENCE_MS = 10 * 60_000;
/**
 * Our choice: a refusal, such as 401 or an untrusted certificate, is final if it lasts this long and is repeated this
 * often. A proxy or a restart can cause a single refusal.
 */
const FEWEST_REFUSALS = 5;
const LONGEST_REFUSAL_MS = 2 * 60_000;
/** Our choice: the longest wait after a refusal, so that enough refusals fit in `LONGEST_REFUSAL_MS`. */
const MOST_AFTER_REFUSAL_MS = 30_000;
/** Our choice: the shortest wait after many rate limits. A short advised wait would lead to hundreds of requests. */
const LEAST_AFTER_RATE_LIMITS_MS = 30_000;
/**
 * Our choice: the first waits after a 404 for what should exist. The service can answer 404 by mistake, or be late. The
 * later waits are poll intervals.
 */
const LAG_MS = [2_000, 4_000, 8_000] as const;

/** Counts consecutive failures, and measures the time since the first of them. */
export interface Patience {
  worked(): void;
  /**
   * Call this if the service asks for a wait. Such a wait is not a failure, and its time does not count.
   * @returns the shortest wait, in milliseconds
   */
  limited(): number;
  /** Call this after a failure. @returns true if there are too many, or if they last too long */
  failed(isRefusal?: boolean): boolean;
  /** The number of consecutive failures. */
  count(): number;
}

export function createPatience(clock: Clock): Patience {
  let failures = 0;
  let refusals = 0;
  let rateLimits = 0;
  // The time of the first of the consecutive failures. After a wait that the service asked for, the next failure counts
  // as the first.
  let silentSince: number | undefined;
  let refusedSince: number | undefined;
  return {
    worked() {
      failures = refusals = rateLimits = 0;
      silentSince = refusedSince = undefined;
    },
    limited() {
      silentSince = refusedSince = undefined;
      rateLimits += 1;
      return rateLimits < MOST_FAILURES_IN_A_ROW ? 0 : LEAST_AFTER_RATE_LIMITS_MS;
    },
    failed(isRefusal = false) {
      const now = clock.now();
      failures += 1;
      rateLimits = 0;
      silentSince ??= now;
      if (failures >= MOST_FAILURES_IN_A_ROW || now - silentSince >= LONGEST_SILENCE_MS) return true;
      if (!isRefusal) return false;
      refusals += 1;
      refusedSince ??= now;
      return refusals >= FEWEST_REFUSALS && now - refusedSince >= LONGEST_REFUSAL_MS;
    },
    count: () => failures,
  };
}

/** The interval if the service advises none. */
const DEFAULT_MS = 10_000;
/**
 * Our choice: the largest random addition, as a share of the interval. Because of the addition, jobs that start
 * together do not keep polling at the same time.
 */
const LARGEST_JITTER = 0.1;

/**
 * Returns the milliseconds until the next poll: the advised interval or 10 seconds, plus a random addition of up to a
 * tenth.
 * @param advisedMs the advised interval, already limited
 */
export function pollInterval(advisedMs: number | undefined, random: () => number): number {
  return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
}

/**
 * Counts a failed request about a scan that is paid for. No single failure of such a request is final.
 * @returns the milliseconds until the next request; undefined if there have been too many failures
 */
export function waitPatiently(patience: Patience, error: ApiError, random: () => number): number | undefined {
  const failure = classify(error);
  const isRefusal = failure === 'definite' && error.kind !== 'invalid';
  const wait = waitAdvisedBy(error) ?? pollInterval(undefined, random);
  if (failure === 'rate-limited') return Math.max(wait, patience.limited());
  if (failure === 'stopped' || patience.failed(isRefusal)) return undefined;
  const late = isNotFound(error) ? LAG_MS[patience.count() - 1] : undefined;
  return late ?? (isRefusal ? Math.min(wait, MOST_AFTER_REFUSAL_MS) : wait);
}
