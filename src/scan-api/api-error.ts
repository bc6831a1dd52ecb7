import type { ConnectionFailure } from '../http/connection-error.ts';

/** The purpose of a request. It follows "could not" in messages. */
export type Operation =
  | 'check the API token'
  | 'list the repositories'
  | 'list the presets'
  | 'read the stored guidance'
  | 'list the scans'
  | 'launch the scan'
  | 'confirm the launch of the scan' /** For a launch whose answer was lost. */
  | 'read the scan'
  | 'cancel the scan'
  | 'list the findings'
  | 'read a finding'
  | 'change the resolution of a finding'
  | 'publish the scan';

/** The service refused the request, in its error envelope. */
export interface Refused {
  readonly kind: 'refused';
  readonly operation: Operation;
  readonly status: number;
  /** The code as the service writes it. The service can add new codes. */
  readonly code: string;
  /** Text for people; foreign text. No code depends on it. */
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
  /** True if the wait is longer than this run. */
  readonly outlastsRun?: boolean;
  /** A 404 for a scan that the service accepted moments ago. Some of its replicas may not know the scan yet. */
  readonly tooFresh: boolean;
}

/** An answer that does not match the contract. */
export interface InvalidAnswer {
  readonly kind: 'invalid';
  readonly operation: Operation;
  readonly status: number;
  /** Only a refusal has a code. */
  readonly code?: never;
  readonly problem: 'redirect' | 'oversize' | 'not-json' | 'wrong-shape' | 'shifting-list';
  /** May hold foreign text. */
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  /** True if the wait is longer than this run. */
  readonly outlastsRun?: boolean;
}

/** No answer came, or it was incomplete. */
export interface Unreachable extends ConnectionFailure {
  readonly kind: 'unreachable';
  readonly operation: Operation;
  readonly code?: never;
}

/** Our own timeout or a signal ended the request. */
export interface Stopped {
  readonly kind: 'stopped';
  readonly operation: Operation;
  readonly code?: never;
  readonly sent: 'no' | 'unknown';
  readonly by: 'timeout' | 'signal';
}

/** Everything that can go wrong with a call, as a value. No member contains the token. */
export type ApiError = Refused | InvalidAnswer | Unreachable | Stopped;
