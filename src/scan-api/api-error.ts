import type { ConnectionFailure } from '../http/connection-error.ts';

/** What was asked of the service; reads as "could not …". */
export type Operation =
  | 'check the API token'
  | 'list the repositories'
  | 'list the presets'
  | 'read the stored guidance'
  | 'list the scans'
  | 'launch the scan'
  | 'confirm the launch of the scan' /** A launch whose answer was lost. */
  | 'read the scan'
  | 'cancel the scan'
  | 'list the findings'
  | 'read a finding'
  | 'change the resolution of a finding'
  | 'publish the scan';

/** The service said no, in its envelope. */
export interface Refused {
  readonly kind: 'refused';
  readonly operation: Operation;
  readonly status: number;
  /** The service's word; the set is open. */
  readonly code: string;
  /** For people, foreign text. Nothing branches on it. */
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
  /** That is longer than this run lasts. */
  readonly outlastsRun?: boolean;
  /** A 404 for a scan that the service accepted moments ago: not every part of it has heard of the scan yet. */
  readonly tooFresh: boolean;
}

/** There is an answer, and it is not one that the contract knows. */
export interface InvalidAnswer {
  readonly kind: 'invalid';
  readonly operation: Operation;
  readonly status: number;
  /** Only a refusal names one. */
  readonly code?: never;
  readonly problem: 'redirect' | 'oversize' | 'not-json' | 'wrong-shape' | 'shifting-list';
  /** May hold foreign text. */
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  /** That is longer than this run lasts. */
  readonly outlastsRun?: boolean;
}

/** There is no whole answer. */
export interface Unreachable extends ConnectionFailure {
  readonly kind: 'unreachable';
  readonly operation: Operation;
  readonly code?: never;
}

/** Our own timeout or a signal ended it. */
export interface Stopped {
  readonly kind: 'stopped';
  readonly operation: Operation;
  readonly code?: never;
  readonly sent: 'no' | 'unknown';
  readonly by: 'timeout' | 'signal';
}

/** Everything that can go wrong with a call, as a value. No member ever holds the token. */
export type ApiError = Refused | InvalidAnswer | Unreachable | Stopped;
