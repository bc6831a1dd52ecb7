import type { NotScanned } from './result.ts';

/** True for a full commit id: SHA-1 or SHA-256 in lower case hexadecimal. */
export function isCommitId(value: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

/** A diff scan covers a change. A full scan covers all files of a commit. */
export type ScanKind = 'diff' | 'full';

/**
 * What to scan, as the event says. In a pull request, the run updates the state, the base branch and the tip of the
 * base branch. Names and logins are foreign text.
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
  /** The head commit of the pull request, merge group, push or branch. It is never GitHub's merge commit. */
  readonly headSha: string;
  readonly base: TargetBase;
  /** True if GitHub may have withheld Actions secrets from this run. The cause is a fork or Dependabot. */
  readonly secretsWithheld: boolean;
  /** Undefined for events without a pull request. */
  readonly pullRequest: TargetPullRequest | undefined;
}

/** What the head is compared with. */
export type TargetBase =
  /**
   * The base branch of a pull request, and the tip of this branch, its newest commit. The tip is undefined if GitHub
   * did not show it. The run never uses the `base.sha` of the payload, because it can be outdated.
   */
  | {
      readonly kind: 'branch';
      readonly name: string;
      readonly tip: string | undefined;
      /** Set if GitHub refused to show the tip of the base branch. */
      readonly tipRefused?: NotScanned | undefined;
    }
  /** The commit that a merge group is built on, and the branch into which the group merges. */
  | {
      readonly kind: 'merge-group';
      readonly sha: string;
      readonly branch: string;
      /**
       * The number of the newest pull request in the group. The name of the group's branch usually contains this
       * number. Undefined if the name does not contain it.
       */
      readonly pullRequest?: number | undefined;
    }
  | PushBase
  /** A full scan has no base. */
  | { readonly kind: 'none' };

export function scanKindOf({ base }: ScanTarget): ScanKind {
  return base.kind === 'none' ? 'full' : 'diff';
}

/** What the payload of a push says about its base. */
export interface PushBase {
  readonly kind: 'push';
  readonly branch: string;
  /** The newest commit of the branch before the push. Undefined if the push created the branch. */
  readonly before: string | undefined;
  readonly defaultBranch: string;
}

export interface TargetRepository {
  readonly owner: string;
  readonly name: string;
  /**
   * True if the repository is public, or if the payload does not show its visibility. `disclosureOf` decides what the
   * report then shows.
   */
  readonly isPublic: boolean;
}

export interface TargetPullRequest {
  readonly number: number;
  /**
   * A merged pull request is `closed`. `reopened` means that the pull request is open now, but was closed when GitHub
   * sent the event.
   */
  readonly state: 'open' | 'closed' | 'reopened';
  /** When the pull request last changed. Undefined if the payload does not show the time. */
  readonly updatedAt: Date | undefined;
  readonly author: string;
  /** The account that caused the event. Undefined if the payload does not show it. */
  readonly sender?: string | undefined;
  /** True if the head is in a different repository, or if the repository of the head was deleted. */
  readonly isFork: boolean;
  /**
   * What the event has changed.
   * - `head`: the event gave the pull request this head. Usually, this is then the first run for this head.
   * - `base`: also if the payload does not show what has changed.
   * - `text`: only the title or the body.
   * - `nothing`: none of these. Examples are `reopened`, `ready_for_review` and `labeled`.
   */
  readonly brings: 'head' | 'base' | 'text' | 'nothing';
  /** The head before the push that caused the event. Undefined if no push caused it. */
  readonly previousHead: string | undefined;
  /**
   * Set if the pull request is a layer of a stack. Its base branch can then belong to its author. `trunk` is the branch
   * on which the stack is built. Undefined if the payload does not name it.
   */
  readonly stack?: { readonly trunk: string | undefined };
}

/** The change: every commit that the head contains and the base does not. Both ids are full. */
export interface CommitRange {
  /** Undefined for a full scan, which covers everything at the head. */
  readonly baseSha: string | undefined;
  readonly headSha: string;
}

/** The change, and how its base was found. */
export interface DiffBase extends CommitRange {
  /** How the base was found. `none`: a full scan has no base. */
  readonly how: 'input' | 'compare' | 'git' | 'none';
  /** The SHA of the base commit's tree. Undefined if GitHub's comparison does not show it. */
  readonly baseTree?: string | undefined;
}

/**
 * What GitHub shows of a finding to everyone who can read the repository. A repository counts as public if its
 * visibility is unknown.
 * - `everything`: the repository is not public.
 * - `without-proof`: the repository and the scanned change are public. The report withholds how to exploit the finding.
 * - `labels`: the repository is public, and the scanned code is on a branch already. The report shows only labels,
 * because attackers could use the details until the code is fixed.
 */
export type Disclosure = 'everything' | 'without-proof' | 'labels';

/** @param target undefined if the run could not read it; the repository then counts as public */
export function disclosureOf(target: Pick<ScanTarget, 'event' | 'repository'> | undefined): Disclosure {
  if (target?.repository.isPublic === false) return 'everything';
  switch (target?.event) {
    case 'pull_request':
    case 'pull_request_target':
    case 'merge_group':
      return 'without-proof';
    case 'push':
    case 'schedule':
    case 'workflow_dispatch':
    case undefined:
      return 'labels';
  }
}
