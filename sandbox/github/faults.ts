import type { Interception } from '../faults/interception.ts';

/** A stable name for each kind of request, whatever its path. */
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

/** A request as the log keeps it. */
export interface LoggedRequest {
  readonly method: string;
  /** As it was sent, the query included. */
  readonly path: string;
  readonly point: Point;
  /** How many requests of this point there were, this one included. */
  readonly count: number;
  /** Parsed JSON; undefined for git and for requests without a body. */
  readonly body: unknown;
  /** Its connection has carried another request before. */
  readonly onUsedConnection: boolean;
  readonly caller: 'token' | 'unknown-token' | 'anonymous';
}

/** May replace the real answer with an answer or a fault. Undefined keeps the real answer. */
export type Intercept = (
  request: LoggedRequest,
) => Interception | undefined | Promise<Interception | undefined>;
