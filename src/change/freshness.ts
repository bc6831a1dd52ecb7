import type { Result } from '../domain/result.ts';
import type { GitHubError } from '../github/github-error.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';

/** What is known of a pull request without asking GitHub: from the event, or from an earlier read. */
export interface KnownPullRequest {
  readonly headSha: string;
  readonly baseName: string;
  readonly isOpen: boolean;
  /** Undefined where the payload does not say. */
  readonly updatedAt: Date | undefined;
  /** The head before the push that the event is about. */
  readonly previousHead: string | undefined;
  readonly firstAttempt: boolean;
  /** The time of which this is true; undefined for the payload of a re-run, which is replayed. */
  readonly asOf: Date | undefined;
}

export type Freshness =
  /** The same head. Base branch and state are those that GitHub shows; they may differ from what was known. */
  | { readonly kind: 'current'; readonly state: PullRequestState }
  /** Another head, and not an older one. */
  | { readonly kind: 'superseded'; readonly state: PullRequestState }
  /** What was known counts. `error` is undefined where GitHub keeps showing an older state. */
  | { readonly kind: 'known-serves'; readonly error: GitHubError | undefined }
  /** What was known does not count either. `error` as above. */
  | { readonly kind: 'unreadable'; readonly error: GitHubError | undefined }
  /** GitHub shows an open pull request, but no base branch. */
  | { readonly kind: 'contradictory'; readonly baseName: string };

/** What an answer is worth if it is the last one, and whether a later one may be worth more. */
export interface JudgedAnswer {
  readonly freshness: Freshness;
  readonly mayLag: boolean;
}

/** How long what was known may serve where the pull request cannot be read. */
export const KNOWN_SERVES_MINUTES = 15;

/**
 * Decides what an answer about the pull request is worth. GitHub's reads can lag behind a push or an edit, so an
 * answer that contradicts what is known and is provably older does not count. Pure.
 */
export function judgeAnswer(
  known: KnownPullRequest,
  read: Result<PullRequestState, GitHubError>,
  now: Date,
): JudgedAnswer {
  if (!read.ok) return judgeError(known, read.error, now);
  const state = read.value;
  const isSameHead = state.headSha === known.headSha;
  if (isSameHead && agrees(known, state)) return judgeBranch(state);
  if (!isSameHead && isReplayed(known)) return lagging({ kind: 'superseded', state });
  if (isOlder(known, state)) {
    const serves = known.firstAttempt || isYoung(known, now);
    return lagging({ kind: serves ? 'known-serves' : 'unreadable', error: undefined });
  }
  return isSameHead ? judgeBranch(state) : final({ kind: 'superseded', state });
}

/** A refusal counts however young the event is: otherwise the verdict would depend on how long the scan takes. */
function judgeError(known: KnownPullRequest, error: GitHubError, now: Date): JudgedAnswer {
  switch (error.kind) {
    case 'not-found':
      return isReplayed(known)
        ? final({ kind: 'unreadable', error })
        : lagging({ kind: 'unreadable', error });
    case 'forbidden':
    case 'unauthorized':
      return final({ kind: 'unreadable', error });
    default:
      return final({ kind: isYoung(known, now) ? 'known-serves' : 'unreadable', error });
  }
}

/** GitHub closes a pull request whose base branch is deleted, or moves it to another one. */
function judgeBranch(state: PullRequestState): JudgedAnswer {
  const { isOpen, baseTip, baseName } = state;
  return isOpen && baseTip?.kind === 'gone' ? contradictory(baseName) : final({ kind: 'current', state });
}

/** An open pull request whose base branch GitHub does not show. */
export function contradictory(baseName: string): JudgedAnswer {
  return lagging({ kind: 'contradictory', baseName });
}

function final(freshness: Freshness): JudgedAnswer {
  return { freshness, mayLag: false };
}

function lagging(freshness: Freshness): JudgedAnswer {
  return { freshness, mayLag: true };
}

function agrees({ baseName, isOpen }: KnownPullRequest, state: PullRequestState): boolean {
  return state.baseName === baseName && state.isOpen === isOpen;
}

/** The head before the push is older, unless the pull request changed after the push: then it was pushed back. */
function isOlder({ previousHead, updatedAt }: KnownPullRequest, state: PullRequestState): boolean {
  if (updatedAt === undefined) return state.headSha === previousHead;
  return state.updatedAt < updatedAt || (state.headSha === previousHead && state.updatedAt <= updatedAt);
}

/** What is known is the payload of a re-run, which can be 30 days old. */
function isReplayed({ firstAttempt, asOf }: KnownPullRequest): boolean {
  return !firstAttempt && asOf === undefined;
}

function isYoung({ asOf }: KnownPullRequest, now: Date): boolean {
  return asOf !== undefined && now.getTime() - asOf.getTime() < KNOWN_SERVES_MINUTES * 60_000;
}
