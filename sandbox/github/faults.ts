import type { Intercept as InterceptBy, LoggedRequest as Logged } from '../faults/handler.ts';

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

export type LoggedRequest = Logged<Point>;

/** Returns what replaces the normal exchange. Undefined keeps the normal exchange. */
export type Intercept = InterceptBy<Point>;
