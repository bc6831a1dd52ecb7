import type { Answer } from '../faults/interception.ts';
import type { Need } from './access.ts';
import type { CheckRunStore } from './check-runs.ts';
import type { CommentStore } from './comments.ts';
import type { GitMirror } from './git-mirror.ts';
import type { MergeQueue } from './merge-queues.ts';
import type { ListRequest } from './paging.ts';
import type { RequiredChecks } from './protection.ts';
import type { PullRequestRecord, RepositoryView } from './pull-requests.ts';
import type { WorkflowRunStore } from './workflow-runs.ts';

/** The data that the routes read and change: the repository, its pull requests, and what the action wrote. */
export interface GitHubState extends RepositoryView {
  readonly owner: string;
  readonly mirror: GitMirror;
  readonly checkRuns: CheckRunStore;
  readonly comments: CommentStore;
  readonly workflowRuns: WorkflowRunStore;
  readonly pullRequests: ReadonlyMap<number, PullRequestRecord>;
  /**
   * The role of a user. The key is the login. By default, the owner has `admin`. All other users have `read` in a
   * public repository, and `none` in a private repository.
   */
  readonly collaborators: Readonly<Record<string, CollaboratorPermission>>;
  /** The merge queue of each branch that has one. */
  readonly mergeQueues?: Readonly<Record<string, MergeQueue>>;
  /** The status checks that each branch requires. */
  readonly requiredChecks?: Readonly<Record<string, RequiredChecks>>;
}

/**
 * The roles of collaborators. In the field `permission`, GitHub shows `write` for `maintain` and `read` for `triage`.
 */
export type CollaboratorPermission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface RouteCall extends ListRequest {
  /** The decoded group of the route's pattern. Empty if the pattern has none. */
  readonly param: string;
  readonly body: unknown;
}

export interface Route<Point extends string = string> {
  readonly point: Point;
  readonly method: string;
  /** Matches the encoded path after `/repos/{owner}/{repo}/`. For the repository itself, this path is empty. */
  readonly pattern: RegExp;
  readonly need: Need;
  readonly handle: (call: RouteCall, state: GitHubState) => Answer | Promise<Answer>;
}
