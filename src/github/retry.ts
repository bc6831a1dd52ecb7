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
/** Ours, for all requests of a run together: a limit that does not lift by then does not lift within the job. */
export const RATE_LIMIT_BUDGET_MS = 75_000;
/** Chosen: what GitHub still works on is listed by then. */
export const PAUSE_AFTER_LOSS_MS = 3_000;
const BACKOFF_SECONDS = [1, 3] as const;

/**
 * Milliseconds to wait before the next send, or undefined for "do not send again".
 * A request that changes something is sent again only where the last one was surely not done.
 */
export function waitBeforeRetry(failure: Failure, repeatable: boolean, attempt: number): number | undefined {
  if (attempt >= MAX_ATTEMPTS || !failure.passing) return undefined;
  if (failure.error.mayHaveHappened && !repeatable) return undefined;
  const isLimited = failure.error.kind === 'rate-limited';
  const advised =
    failure.retryAfterSeconds ??
    (isLimited ? UNNAMED_RATE_LIMIT_SECONDS : (BACKOFF_SECONDS[attempt - 1] ?? 3));
  if (isLimited && advised > LONGEST_RATE_LIMIT_SECONDS) return undefined;
  return Math.min(Math.max(advised, 1), 60) * 1000;
}
