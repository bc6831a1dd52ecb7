import { advisedWait } from '../http/retry-after.ts';
import type { AfterFailure } from '../http/with-retry.ts';
import type { ApiError } from './api-error.ts';

/** Chosen: the fourth wait is about 17 s at most, so a read gives up after half a minute of failures. */
export const READ_ATTEMPTS = 4;
/** Chosen: one send and two repetitions, for POSTs that surely never left. */
export const SEND_ATTEMPTS = 3;
const SHORTEST_WAIT_MS = 1_000;
const LARGEST_JITTER_MS = 19_000;

/**
 * What a failed call means for the next one.
 * `not-sent`: the service cannot have acted. `rate-limited`: it refused for now. `ambiguous`: it may have acted.
 * `definite`: another try would get the same answer. `stopped`: we ended it ourselves.
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
      // Waiting does not help against a wrong address, an endless body, or a list that moved under three readings.
      if (error.problem === 'not-json' || error.problem === 'wrong-shape') return ofStatus(error.status);
      return 'definite';
  }
}

/** For what must not be done twice: only a `definite` or `rate-limited` 4xx surely refuses it. */
export function classifyWrite(error: ApiError): FailureClass {
  // Cut off by ourselves, it is as lost as by the network.
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
 * Milliseconds that the service advises to wait, as far as that is obeyed; undefined where it advises nothing. Who polls
 * does not give up for a rate limit that outlasts the run.
 */
export function waitAdvisedBy(error: ApiError): number | undefined {
  const isLimited = classify(error) === 'rate-limited';
  const advising = isLimited ? (outlastsRun(error) ? 'poll' : 'rate-limit') : 'failure';
  return advisedWait(advising, retryAfterOf(error));
}

/** Does the service ask for a wait that is longer than this run lasts? */
export function outlastsRun(error: ApiError): boolean {
  return (error.kind === 'refused' || error.kind === 'invalid') && error.outlastsRun === true;
}

/**
 * Milliseconds before the next try after `failures` failures (1 or more): what the service advises, otherwise one
 * second and a random part that doubles, up to 20 seconds.
 */
export function waitAfterFailure(error: ApiError, failures: number, random: () => number): number {
  const jitter = random() * Math.min(LARGEST_JITTER_MS, 2 ** failures * 1_000);
  return waitAdvisedBy(error) ?? SHORTEST_WAIT_MS + jitter;
}

/** What follows a failed call. @param made attempts so far */
export function afterFailedCall(
  error: ApiError,
  made: number,
  {
    attempts,
    onceAccepted,
    random,
  }: {
    /** In all, the first included. */
    readonly attempts: number;
    /** What the service may have acted on is not sent again. */
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

/** Seconds, finite and positive; undefined where the answer advised nothing. */
export function retryAfterOf(error: ApiError): number | undefined {
  return error.kind === 'refused' || error.kind === 'invalid' ? error.retryAfterSeconds : undefined;
}
