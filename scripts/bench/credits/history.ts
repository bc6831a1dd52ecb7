/** A commit, and the tree of its files. */
export interface Snapshot {
  readonly sha: string;
  readonly tree: string;
}

/** A commit that was once the head of a pull request, and its merge base with the base branch. */
export interface RecordedHead {
  readonly head: Snapshot;
  readonly base: Snapshot;
  /** Minutes since the commit before it on the branch, by the dates of the commits. 0 for the first one. */
  readonly minutes: number;
}

/** A pull request that was merged by a merge commit. */
export interface RecordedChange {
  /** Oldest first, at least one. */
  readonly heads: readonly RecordedHead[];
  /** Whether a commit was replaced later, by a rebase or an amend. What it replaced is not recorded. */
  readonly rewritten: boolean;
  /** The merge commit, and the commit of the base branch that the change was merged onto. */
  readonly merge: { readonly head: Snapshot; readonly base: Snapshot };
}
