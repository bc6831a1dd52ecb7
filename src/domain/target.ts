/** Full commit ids only: SHA-1 or SHA-256, lower case hexadecimal. */
export function isCommitId(value: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

/** What is to be scanned, read from the event. Names and logins are foreign text. */
export interface ScanTarget {
  readonly event: 'pull_request' | 'pull_request_target' | 'merge_group';
  readonly repository: TargetRepository;
  /** The head commit: `pull_request.head.sha` or `merge_group.head_sha`, never GitHub's merge commit. */
  readonly headSha: string;
  /**
   * The base side of the comparison: a pull request's base branch (its tip now, since the payload's
   * `base.sha` goes stale), or a merge group's base commit.
   */
  readonly base:
    | { readonly kind: 'branch'; readonly name: string }
    | { readonly kind: 'commit'; readonly sha: string };
  /** Undefined for a merge group. */
  readonly pullRequest: TargetPullRequest | undefined;
}

export interface TargetRepository {
  readonly owner: string;
  readonly name: string;
  /** Anybody can read it, or the payload does not say: then no proof of concept leaves the service. */
  readonly isPublic: boolean;
}

export interface TargetPullRequest {
  readonly number: number;
  readonly author: string;
  /** GitHub's word, e.g. `MEMBER`; private members appear as `CONTRIBUTOR` or `NONE`. */
  readonly authorAssociation: string;
  /** Head and base repository differ, or the head repository is gone. */
  readonly isFork: boolean;
  /** GitHub gives this run no secrets: a fork or Dependabot, under `pull_request`. */
  readonly secretsWithheld: boolean;
  /** The event itself brought this head commit, so that no event before it can have had it scanned. */
  readonly headIsNew: boolean;
  /** The head before the push that the event tells of; undefined where it tells of none. */
  readonly previousHead: string | undefined;
}

/** The commit from which the change is measured, and how it was found. */
export interface DiffBase {
  readonly baseCommit: string;
  readonly headCommit: string;
  readonly how: 'input' | 'compare' | 'git';
}
