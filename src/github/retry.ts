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
  const advised =
    failure.retryAfterSeconds ??
    (failure.error.kind === 'rate-limited'
      ? UNNAMED_RATE_LIMIT_SECONDS
      : (BACKOFF_SECONDS[attempt - 1] ?? 3));
  return Math.min(Math.max(advised, 1), 60) * 1000;
}
