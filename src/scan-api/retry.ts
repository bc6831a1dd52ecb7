import { isLasting } from '../http/connection-error.ts';
import { type AfterFailure, advisedWait } from '../http/retry.ts';
import type { ApiError } from './api-error.ts';

/**
 * Our choice: the maximum number of attempts to read something. If the service advises no wait, the waits between them
 * take at most 17 s together.
 */
export const READ_ATTEMPTS = 4;
/**
 * Our choice: the maximum number of attempts for a request that changes data. It is repeated only if the service
 * certainly did not act.
 */
export const SEND_ATTEMPTS = 3;
const SHORTEST_WAIT_MS = 1_000;
const LARGEST_JITTER_MS = 19_000;

/**
 * Whether and how a failed call may be retried.
 * - `not-sent`: the service certainly did not act.
 * - `rate-limited`: the service refused because of a rate limit.
 * - `ambiguous`: the service may have acted, or a retry may get another answer.
 * - `definite`: a retry would get the same answer.
 * - `stopped`: we ended the call.
 */
export type FailureClass = 'not-sent' | 'rate-limited' | 'ambiguous' | 'definite' | 'stopped';

export function classify(error: ApiError): FailureClass {
  switch (error.kind) {
    case 'stopped':
      return 'stopped';
    case 'unreachable':
      if (isLasting(error.cause)) return 'definite';
      return error.sent === 'no' ? 'not-sent' : 'ambiguous';
    case 'refused':
      if (error.code === 'rate_limited') return 'rate-limited';
      return ofStatus(error.status);
    case 'invalid':
      if (error.problem === 'redirect') return 'ambiguous';
      if (error.problem === 'not-json' || error.problem === 'wrong-shape') return ofStatus(error.status);
      // A retry cannot fix an answer that is too large, or a list that changed in three readings.
      return 'definite';
  }
}

/**
 * Classifies the failure of a request that must not take effect twice. If the answer is invalid, only a 4xx status
 * proves that the service refused the request.
 */
export function classifyWrite(error: ApiError): FailureClass {
  // The service may have acted before we ended the request.
  if (error.kind === 'stopped' && error.sent === 'unknown') return 'ambiguous';
  const known = classify(error);
  const refusing = error.kind === 'invalid' && error.status >= 400 && error.status < 500;
  return error.kind === 'invalid' && known === 'definite' && !refusing ? 'ambiguous' : known;
}

function ofStatus(status: number): FailureClass {
  if (status === 429) return 'rate-limited';
  return status < 400 || status === 408 || status >= 500 ? 'ambiguous' : 'definite';
}

/**
 * Returns the wait that the service advises, in milliseconds, up to a limit. Undefined if the service advises no wait.
 * The limit depends on the kind of failure. If a rate limit outlasts the run, the wait has the same limit as a wait
 * between polls.
 */
export function waitAdvisedBy(error: ApiError): number | undefined {
  const isLimited = classify(error) === 'rate-limited';
  const advising = isLimited ? (outlastsRun(error) ? 'poll' : 'rate-limit') : 'failure';
  return advisedWait(advising, retryAfterOf(error));
}

/** True if the service asks for a wait that is longer than the rest of this run. */
export function outlastsRun(error: ApiError): boolean {
  return (error.kind === 'refused' || error.kind === 'invalid') && error.outlastsRun === true;
}

/**
 * Returns the milliseconds before the next attempt: what the service advises, otherwise one second plus a random
 * time. The limit of the random time doubles with each failure. Without advice, the wait is at most 20 seconds.
 */
export function waitAfterFailure(error: ApiError, failures: number, random: () => number): number {
  const jitter = random() * Math.min(LARGEST_JITTER_MS, 2 ** failures * 1_000);
  return waitAdvisedBy(error) ?? SHORTEST_WAIT_MS + jitter;
}

/** Decides what follows a failed call. @param made the number of attempts so far */
export function afterFailedCall(
  error: ApiError,
  made: number,
  {
    attempts,
    onceAccepted,
    random,
  }: {
    /** How many attempts a call may take in all. */
    readonly attempts: number;
    /** If true, a request that the service may have acted on is not repeated. */
    readonly onceAccepted: boolean;
    readonly random: () => number;
  },
): AfterFailure {
  const failure = classify(error);
  const isLimited = failure === 'rate-limited' && !outlastsRun(error);
  const repeatable = failure === 'not-sent' || isLimited || (failure === 'ambiguous' && !onceAccepted);
  return {
    again: repeatable && made < attempts,
    waitMs: waitAfterFailure(error, made, random),
    forAll: isLimited,
  };
}

/** Returns the seconds of `Retry-After`, finite and positive. Undefined if the answer advises no wait. */
export function retryAfterOf(error: ApiError): number | undefined {
  return error.kind === 'refused' || error.kind === 'invalid' ? error.retryAfterSeconds : undefined;
}
