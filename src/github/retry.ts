import { advisedWait } from '../http/retry-after.ts';
import type { AfterFailure } from '../http/with-retry.ts';
import type { GitHubError } from './github-error.ts';

/** Sends of one request, the first included. */
export const MAX_ATTEMPTS = 3;

/** A failed attempt, and what GitHub said about asking again. */
export interface Failure {
  readonly error: GitHubError;
  /** Asking again could help: a blip, not an answer. */
  readonly retryable: boolean;
  /** Seconds that GitHub asks to wait. */
  readonly retryAfterSeconds: number | undefined;
}

/** GitHub's advice where a secondary rate limit names no time: "wait for at least one minute". */
const UNNAMED_RATE_LIMIT_MS = 60_000;
/** A limit that lasts longer is used up for the hour: nothing waits for it. */
const LONGEST_RATE_LIMIT_MS = 60_000;
/** Chosen, for all requests of a run together: a limit that does not lift by then does not lift within the job. */
export const RATE_LIMIT_BUDGET_MS = 75_000;
/** Chosen: what GitHub still works on is listed by then. */
export const PAUSE_AFTER_LOSS_MS = 3_000;
const BACKOFF_MS = [1_000, 3_000] as const;

/**
 * What follows a failed send. A request that changes something is sent again only where the last one was surely not
 * done.
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
