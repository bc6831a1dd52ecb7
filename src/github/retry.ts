import type { AfterFailure } from '../http/with-retry.ts';
import type { GitHubError } from './github-error.ts';

/** Sends of one request, the first included. */
export const MAX_ATTEMPTS = 3;

/** A failed attempt, and what GitHub said about asking again. */
export interface Failure {
  readonly error: GitHubError;
  /** Asking again could help: a blip, not an answer. */
  readonly passing: boolean;
  /** Seconds GitHub asks us to wait, not yet clamped. */
  readonly retryAfterSeconds: number | undefined;
}

/** GitHub's advice where a secondary rate limit names no time: "wait for at least one minute". */
const UNNAMED_RATE_LIMIT_SECONDS = 60;
/** Longer than this, the limit is used up for the hour. */
const LONGEST_RATE_LIMIT_SECONDS = 60;
/** Chosen, for all requests of a run together: a limit that does not lift by then does not lift within the job. */
export const RATE_LIMIT_BUDGET_MS = 75_000;
/** Chosen: what GitHub still works on is listed by then. */
export const PAUSE_AFTER_LOSS_MS = 3_000;
const BACKOFF_SECONDS = [1, 3] as const;

/**
 * What follows a failed send. A request that changes something is sent again only where the last one was surely not
 * done.
 */
export function afterFailedSend(failure: Failure, repeatable: boolean, sends: number): AfterFailure {
  const isLimited = failure.error.kind === 'rate-limited';
  const advised =
    failure.retryAfterSeconds ?? (isLimited ? UNNAMED_RATE_LIMIT_SECONDS : (BACKOFF_SECONDS[sends - 1] ?? 3));
  const again =
    sends < MAX_ATTEMPTS &&
    failure.passing &&
    (repeatable || !failure.error.mayHaveHappened) &&
    !(isLimited && advised > LONGEST_RATE_LIMIT_SECONDS);
  return { again, waitMs: Math.min(Math.max(advised, 1), 60) * 1000, forAll: isLimited && again };
}
