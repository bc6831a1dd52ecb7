import type { Interception } from '../faults/interception.ts';

/** The kinds of requests. */
export type Point =
  | 'repository'
  | 'branch'
  | 'contents'
  | 'compare'
  | 'ref'
  | 'commit'
  | 'tree'
  | 'blob'
  | 'rules'
  | 'check.create'
  | 'check.update'
  | 'check.read'
  | 'check.list'
  | 'pulls.read'
  | 'pulls.list'
  | 'pulls.commits'
  | 'commit.pulls'
  | 'comments.list'
  | 'comments.read'
  | 'comments.create'
  | 'comments.update'
  | 'comments.delete'
  | 'comments.react'
  | 'permission'
  | 'run.read'
  | 'run.list'
  | 'run.jobs'
  | 'job.rerun'
  | 'user'
  | 'graphql'
  | 'git'
  | 'unknown';

/** A request in the log of the server. */
export interface LoggedRequest {
  readonly method: string;
  /** The path and the query, as the client sent them. */
  readonly path: string;
  readonly point: Point;
  /** The number of requests of this kind so far, including this one. */
  readonly count: number;
  /** The parsed JSON. Undefined for a request of git, and for a request that has no body. */
  readonly body: unknown;
  /** True if this is not the first request on the connection. */
  readonly onUsedConnection: boolean;
  readonly caller: 'token' | 'unknown-token' | 'anonymous';
}

/** Returns what replaces the normal exchange. Undefined keeps the normal exchange. */
export type Intercept = (
  request: LoggedRequest,
) => Interception | undefined | Promise<Interception | undefined>;
