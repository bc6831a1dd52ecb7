import type { Result } from '../domain/result.ts';
import type { GitHubError } from '../github/github-error.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';

/** What is known of a pull request before GitHub is asked: from the event or from an earlier read. */
export interface KnownPullRequest {
  readonly headSha: string;
  readonly baseName: string;
  readonly isOpen: boolean;
  /** Undefined if the payload does not show it. */
  readonly updatedAt: Date | undefined;
  /** The head before the event's push. */
  readonly previousHead: string | undefined;
  readonly firstAttempt: boolean;
  /** The time at which this was true; undefined for the payload of a re-run, which is replayed. */
  readonly asOf: Date | undefined;
}

export type Freshness =
  /** GitHub shows the same head. Base branch and state can differ from what was known. */
  | { readonly kind: 'current'; readonly state: PullRequestState }
  /** GitHub shows another head, which is not older. */
  | { readonly kind: 'superseded'; readonly state: PullRequestState }
  /** The known state counts. `error` is undefined if GitHub keeps showing an older state. */
  | { readonly kind: 'known-serves'; readonly error: GitHubError | undefined }
  /** The known state does not count either. `error` as above. */
  | { readonly kind: 'unreadable'; readonly error: GitHubError | undefined }
  /** GitHub shows an open pull request without its base branch. */
  | { readonly kind: 'contradictory'; readonly baseName: string };

/** What to conclude if this is the last answer, and whether reading again could change that. */
export interface JudgedAnswer {
  readonly freshness: Freshness;
  readonly mayLag: boolean;
}

/** How long the known state counts while the pull request cannot be read. */
export const KNOWN_SERVES_MINUTES = 15;

/**
 * Judges an answer about the pull request. GitHub's reads can lag behind a push or an edit, so an answer that
 * contradicts the known state and is provably older does not count. Pure.
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

/** A refusal counts even if the event is young. Otherwise the verdict would depend on the duration of the scan. */
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

/** If a base branch is deleted, GitHub closes its pull requests or changes their base. */
function judgeBranch(state: PullRequestState): JudgedAnswer {
  const { isOpen, baseTip, baseName } = state;
  return isOpen && baseTip?.kind === 'gone' ? contradictory(baseName) : final({ kind: 'current', state });
}

/** GitHub shows an open pull request without its base branch. */
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

/**
 * True if GitHub shows an older state, such as the head before the push. If the pull request changed after the push,
 * the author has pushed that head again, and the state is not older.
 */
function isOlder({ previousHead, updatedAt }: KnownPullRequest, state: PullRequestState): boolean {
  if (updatedAt === undefined) return state.headSha === previousHead;
  return state.updatedAt < updatedAt || (state.headSha === previousHead && state.updatedAt <= updatedAt);
}

/** True if the known state is the payload of a re-run, which can be 30 days old. */
function isReplayed({ firstAttempt, asOf }: KnownPullRequest): boolean {
  return !firstAttempt && asOf === undefined;
}

function isYoung({ asOf }: KnownPullRequest, now: Date): boolean {
  return asOf !== undefined && now.getTime() - asOf.getTime() < KNOWN_SERVES_MINUTES * 60_000;
}
