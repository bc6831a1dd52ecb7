import type { Interception } from '../faults/interception.ts';

/** A stable name for each kind of request. The path does not matter. */
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

/** A request as the log records it. */
export interface LoggedRequest {
  readonly method: string;
  /** As the client sent it, with the query. */
  readonly path: string;
  readonly point: Point;
  /** How many requests this point has had, with this one. */
  readonly count: number;
  /** Parsed JSON. Undefined for git and for requests without a body. */
  readonly body: unknown;
  /** Whether its connection has carried another request before. */
  readonly onUsedConnection: boolean;
  readonly caller: 'token' | 'unknown-token' | 'anonymous';
}

/** Returns an answer or a fault to replace the real answer, or undefined to keep it. */
export type Intercept = (
  request: LoggedRequest,
) => Interception | undefined | Promise<Interception | undefined>;
