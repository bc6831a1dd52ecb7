import type { NotScanned } from './not-scanned.ts';

/** Full commit ids only: SHA-1 or SHA-256, lower case hexadecimal. */
export function isCommitId(value: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

/** A diff scan looks at a change, a full scan at all files of a commit. */
export type ScanKind = 'diff' | 'full';

/**
 * What is to be scanned. The event names it; of a pull request, the state, the base branch and its tip are those that
 * GitHub shows now. Names and logins are foreign text.
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
  /** The head commit of the pull request, of the merge group, of the push, or of the branch; never GitHub's merge commit. */
  readonly headSha: string;
  readonly base: TargetBase;
  /**
   * GitHub may have given this run no Actions secrets: a fork under `pull_request`, another event in a copy of the
   * repository, or Dependabot.
   */
  readonly secretsWithheld: boolean;
  /** Undefined for the other events. */
  readonly pullRequest: TargetPullRequest | undefined;
}

/** The base side of the comparison. */
export type TargetBase =
  /**
   * A pull request's base branch and its newest commit. The tip is undefined where it could not be read; the payload's
   * `base.sha` goes stale and is never used.
   */
  | {
      readonly kind: 'branch';
      readonly name: string;
      readonly tip: string | undefined;
      /** Set where GitHub refused to show the tip. */
      readonly tipRefused?: NotScanned | undefined;
    }
  /** The commit that a merge group is built on, and the branch that it merges into. */
  | {
      readonly kind: 'merge-group';
      readonly sha: string;
      readonly branch: string;
      /** The newest entry of the group, as its branch names it; undefined where the name shows none. */
      readonly pullRequest?: number | undefined;
    }
  | PushBase
  /** A full scan has none. */
  | { readonly kind: 'none' };

export function scanKindOf({ base }: Pick<ScanTarget, 'base'>): ScanKind {
  return base.kind === 'none' ? 'full' : 'diff';
}

/** What a push to a branch says of its base. */
export interface PushBase {
  readonly kind: 'push';
  readonly branch: string;
  /** The newest commit of the branch before the push; undefined where the push created the branch. */
  readonly before: string | undefined;
  readonly defaultBranch: string;
}

export interface TargetRepository {
  readonly owner: string;
  readonly name: string;
  /** It is public, or the payload does not show its visibility. What is shown then: `disclosureOf`. */
  readonly isPublic: boolean;
}

export interface TargetPullRequest {
  readonly number: number;
  /** `closed`: closed or merged. `reopened`: open, but the event is about a closed one. */
  readonly state: 'open' | 'closed' | 'reopened';
  /** When GitHub last changed the pull request, as far as is known; undefined where the payload does not say. */
  readonly updatedAt: Date | undefined;
  readonly author: string;
  /** Head and base repository differ, or the head repository is gone. */
  readonly isFork: boolean;
  /** The event itself brought this head commit, so that no event before it can have had it scanned. */
  readonly headIsNew: boolean;
  /** The event opened the pull request. No run can have launched a scan for it before. */
  readonly isNew?: boolean;
  /** A title or a body was edited: the event brings neither a head nor a base. */
  readonly editedOnly: boolean;
  /** Another event that brings neither a head nor a base: reopened, ready for review, labeled, and so on. */
  readonly bringsNothing?: boolean;
  /** The head before the push of the event. Undefined without a push. */
  readonly previousHead: string | undefined;
}

/** The change: everything that the head has and the base does not. Full commit ids. */
export interface CommitRange {
  /** Undefined for a full scan: all that the head has. */
  readonly baseSha: string | undefined;
  readonly headSha: string;
}

/** The change, and how its base was found. */
export interface DiffBase extends CommitRange {
  /** `none`: a full scan has no base. */
  readonly how: 'input' | 'compare' | 'git' | 'none';
  /** The tree of the base commit's files, where GitHub's comparison shows it. */
  readonly baseTree?: string | undefined;
}
