import type { ConnectionFailure } from '../http/connection-error.ts';

/** What a request is for. Messages write "could not" before this text. */
export type Operation =
  | 'check the API token'
  | 'list the repositories'
  | 'list the presets'
  | 'read the stored guidance'
  | 'list the scans'
  | 'launch the scan'
  | 'confirm the launch of the scan' /** Used for a launch whose answer was lost. */
  | 'read the scan'
  | 'cancel the scan'
  | 'list the findings'
  | 'read a finding'
  | 'change the resolution of a finding'
  | 'publish the scan';

/** The service refused the request. The answer has the error body of the service's contract. */
export interface Refused {
  readonly kind: 'refused';
  readonly operation: Operation;
  readonly status: number;
  /** The error code, as the service writes it. The service may add new codes. */
  readonly code: string;
  /** The service's text for people. No decision depends on it. */
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
  /** True if the service asks for a wait that is longer than the rest of this run. */
  readonly outlastsRun?: boolean;
}

/** An answer that does not match the contract. */
export interface InvalidAnswer {
  readonly kind: 'invalid';
  readonly operation: Operation;
  readonly status: number;
  /** Only a refusal has a code. */
  readonly code?: never;
  readonly problem: 'redirect' | 'oversize' | 'not-json' | 'wrong-shape' | 'shifting-list';
  /** May contain text from the service or from a proxy. */
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  /** True if the service asks for a wait that is longer than the rest of this run. */
  readonly outlastsRun?: boolean;
}

/** The service was not reached, or its answer did not arrive in full. */
export interface Unreachable extends ConnectionFailure {
  readonly kind: 'unreachable';
  readonly operation: Operation;
  readonly code?: never;
}

/** A time limit of the run, or a signal from the runner, ended the request. */
export interface Stopped {
  readonly kind: 'stopped';
  readonly operation: Operation;
  readonly code?: never;
  readonly sent: 'no' | 'unknown';
  readonly by: 'timeout' | 'signal';
}

/** A failed call returns one of these values. No member contains the token. */
export type ApiError = Refused | InvalidAnswer | Unreachable | Stopped;

/**
 * True if the service answered 404: what the request names does not exist, or the service hides it from the token.
 */
export function isNotFound(error: ApiError): error is Refused {
  return error.kind === 'refused' && error.status === 404;
}
