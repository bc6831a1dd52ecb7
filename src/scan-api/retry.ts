import { advisedWait } from '../http/retry-after.ts';
import type { AfterFailure } from '../http/with-retry.ts';
import type { ApiError } from './api-error.ts';

/** Our choice: the fourth wait takes about 17 s at most, so a read ends after half a minute of failures. */
export const READ_ATTEMPTS = 4;
/** Our choice: two retries of a POST that definitely was not sent. */
export const SEND_ATTEMPTS = 3;
const SHORTEST_WAIT_MS = 1_000;
const LARGEST_JITTER_MS = 19_000;

/**
 * How a failed call may be retried. `not-sent`: the service cannot have acted. `rate-limited`: it refused for now.
 * `ambiguous`: it may have acted. `definite`: another attempt would get the same answer. `stopped`: we ended the call.
 */
export type FailureClass = 'not-sent' | 'rate-limited' | 'ambiguous' | 'definite' | 'stopped';

export function classify(error: ApiError): FailureClass {
  switch (error.kind) {
    case 'stopped':
      return 'stopped';
    case 'unreachable':
      if (error.cause === 'certificate' || error.cause === 'proxy-credentials') return 'definite';
      return error.sent === 'no' ? 'not-sent' : 'ambiguous';
    case 'refused':
      if (error.tooFresh) return 'ambiguous';
      if (error.code === 'rate_limited') return 'rate-limited';
      return ofStatus(error.status);
    case 'invalid':
      // A retry does not fix a wrong address, an answer without an end, or a list that changed during three readings.
      if (error.problem === 'not-json' || error.problem === 'wrong-shape') return ofStatus(error.status);
      return 'definite';
  }
}

/**
 * For requests that must not be done twice. Only a `definite` or `rate-limited` 4xx proves that the service refused.
 */
export function classifyWrite(error: ApiError): FailureClass {
  // A request that we ended is as ambiguous as one that the network ended.
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
 * Milliseconds that the service advises to wait, limited to what we obey; undefined without advice. Polling continues
 * even if a rate limit lasts longer than the run.
 */
export function waitAdvisedBy(error: ApiError): number | undefined {
  const isLimited = classify(error) === 'rate-limited';
  const advising = isLimited ? (outlastsRun(error) ? 'poll' : 'rate-limit') : 'failure';
  return advisedWait(advising, retryAfterOf(error));
}

/** True if the service asks for a wait that is longer than this run. */
export function outlastsRun(error: ApiError): boolean {
  return (error.kind === 'refused' || error.kind === 'invalid') && error.outlastsRun === true;
}

/**
 * Milliseconds before the next attempt, after one or more failures: what the service advises, otherwise one second and
 * a random time that doubles, up to 20 seconds.
 */
export function waitAfterFailure(error: ApiError, failures: number, random: () => number): number {
  const jitter = random() * Math.min(LARGEST_JITTER_MS, 2 ** failures * 1_000);
  return waitAdvisedBy(error) ?? SHORTEST_WAIT_MS + jitter;
}

/** Decides what follows a failed call. @param made attempts so far */
export function afterFailedCall(
  error: ApiError,
  made: number,
  {
    attempts,
    onceAccepted,
    random,
  }: {
    /** Counts the first attempt too. */
    readonly attempts: number;
    /** True: do not repeat a request that the service may have acted on. */
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

/** Seconds, finite and positive; undefined if the answer advises no wait. */
export function retryAfterOf(error: ApiError): number | undefined {
  return error.kind === 'refused' || error.kind === 'invalid' ? error.retryAfterSeconds : undefined;
}
