import type { NotScanned } from './not-scanned.ts';

/** Full commit ids only: SHA-1 or SHA-256, lower case hexadecimal. */
export function isCommitId(value: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

/** A diff scan covers a change, a full scan all files of a commit. */
export type ScanKind = 'diff' | 'full';

/**
 * What to scan. The event identifies it. For a pull request, GitHub is asked for the current state, base branch and
 * base tip. Names and logins are foreign text.
 */
export interface ScanTarget {
  readonly event:
    | 'pull_request'
    | 'pull_request_target'
    | 'merge_group'
    | 'push'
    | 'schedule'
    | 'workflow_dispatch';
  readonly repository: TargetRepository;
  /** The head commit of the pull request, merge group, push or branch; never GitHub's merge commit. */
  readonly headSha: string;
  readonly base: TargetBase;
  /**
   * GitHub may have withheld Actions secrets from this run: under `pull_request` from a fork, in a copy of the
   * repository, or from Dependabot.
   */
  readonly secretsWithheld: boolean;
  /** Undefined for events without a pull request. */
  readonly pullRequest: TargetPullRequest | undefined;
}

/** The base side of the comparison. */
export type TargetBase =
  /**
   * A pull request's base branch and its newest commit. The tip is undefined if it could not be read. The payload's
   * `base.sha` becomes stale and is never used.
   */
  | {
      readonly kind: 'branch';
      readonly name: string;
      readonly tip: string | undefined;
      /** Set if GitHub refused to show the tip. */
      readonly tipRefused?: NotScanned | undefined;
    }
  /** The commit that a merge group is built on, and the branch that it merges into. */
  | {
      readonly kind: 'merge-group';
      readonly sha: string;
      readonly branch: string;
      /** The newest entry of the group, from its branch name; undefined if the name does not show it. */
      readonly pullRequest?: number | undefined;
    }
  | PushBase
  /** A full scan has no base. */
  | { readonly kind: 'none' };

export function scanKindOf({ base }: Pick<ScanTarget, 'base'>): ScanKind {
  return base.kind === 'none' ? 'full' : 'diff';
}

/** What the payload of a push says about its base. */
export interface PushBase {
  readonly kind: 'push';
  readonly branch: string;
  /** The newest commit of the branch before the push; undefined if the push created the branch. */
  readonly before: string | undefined;
  readonly defaultBranch: string;
}

export interface TargetRepository {
  readonly owner: string;
  readonly name: string;
  /**
   * True if the repository is public, or if the payload does not show its visibility. `disclosureOf` decides what is
   * shown then.
   */
  readonly isPublic: boolean;
}

export interface TargetPullRequest {
  readonly number: number;
  /** `closed`: closed or merged. `reopened`: open now, but closed in the event. */
  readonly state: 'open' | 'closed' | 'reopened';
  /** When GitHub last changed the pull request; undefined if the payload does not show it. */
  readonly updatedAt: Date | undefined;
  readonly author: string;
  /** Head and base repository differ, or the head repository is gone. */
  readonly isFork: boolean;
  /** The event brought this head commit, so no earlier event can have led to a scan of it. */
  readonly headIsNew: boolean;
  /** The event opened the pull request, so no earlier run can have launched a scan for it. */
  readonly isNew?: boolean;
  /** The title or the body was edited: the event changes neither head nor base. */
  readonly editedOnly: boolean;
  /** Another event that changes neither head nor base: reopened, ready for review, labeled, and so on. */
  readonly bringsNothing?: boolean;
  /** The head before the push. Undefined if the event is not a push. */
  readonly previousHead: string | undefined;
}

/** The change: every commit that the head contains and the base does not. Full commit ids. */
export interface CommitRange {
  /** Undefined for a full scan, which covers everything at the head. */
  readonly baseSha: string | undefined;
  readonly headSha: string;
}

/** The change, and how its base was found. */
export interface DiffBase extends CommitRange {
  /** `none`: a full scan has no base. */
  readonly how: 'input' | 'compare' | 'git' | 'none';
  /** The tree of the base commit, if GitHub's comparison shows it. */
  readonly baseTree?: string | undefined;
}
