export interface Snapshot {
  readonly sha: string;
  readonly tree: string;
}

/** A commit that was the head of a pull request, and its merge base with the base branch. */
export interface RecordedHead {
  readonly head: Snapshot;
  readonly base: Snapshot;
  /** The minutes between the commit dates of the previous commit and of this one. 0 for the first commit. */
  readonly minutes: number;
}

/** A pull request that was merged by a merge commit. */
export interface RecordedChange {
  /** The oldest head comes first. There is at least one. */
  readonly heads: readonly RecordedHead[];
  /** True if a rebase or an amend replaced a commit of the branch. The replaced commit is not recorded. */
  readonly rewritten: boolean;
  /** The merge commit, and the commit of the base branch before the merge. */
  readonly merge: { readonly head: Snapshot; readonly base: Snapshot };
}
