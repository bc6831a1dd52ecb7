import { advisedWait } from '../http/retry-after.ts';
import type { AfterFailure } from '../http/with-retry.ts';
import type { GitHubError } from './github-error.ts';

/** How often a request is sent, including the first time. */
export const MAX_ATTEMPTS = 3;

/** A failed attempt, and what GitHub said about retrying. */
export interface Failure {
  readonly error: GitHubError;
  /** True if the cause may be temporary. */
  readonly retryable: boolean;
  /** The seconds that GitHub asks us to wait. */
  readonly retryAfterSeconds: number | undefined;
}

/** GitHub's documentation for a secondary rate limit that names no time: "wait for at least one minute". */
const UNNAMED_RATE_LIMIT_MS = 60_000;
/** A longer wait means the hourly rate limit. The run does not wait for that limit. */
const LONGEST_RATE_LIMIT_MS = 60_000;
/** Our choice: the limit for all waits for rate limits together. */
export const RATE_LIMIT_BUDGET_MS = 75_000;
/** Our choice. After this time, GitHub's lists show the effect of a request whose answer was lost. */
export const PAUSE_AFTER_LOSS_MS = 3_000;
const BACKOFF_MS = [1_000, 3_000] as const;

/**
 * Decides whether a request is sent again after a failed attempt. If GitHub may have fulfilled it, only a `repeatable`
 * request is sent again.
 */
export function afterFailedSend(failure: Failure, repeatable: boolean, sends: number): AfterFailure {
  const isLimited = failure.error.kind === 'rate-limited';
  const unnamed = isLimited ? UNNAMED_RATE_LIMIT_MS : (BACKOFF_MS[sends - 1] ?? 3_000);
  const waitMs = advisedWait(isLimited ? 'rate-limit' : 'failure', failure.retryAfterSeconds) ?? unnamed;
  const again =
    sends < MAX_ATTEMPTS &&
    failure.retryable &&
    (repeatable || !failure.error.ambiguous) &&
    !(isLimited && waitMs > LONGEST_RATE_LIMIT_MS);
  return { again, waitMs, forAll: isLimited && again };
}
