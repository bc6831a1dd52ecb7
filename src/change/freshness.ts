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
  | { readonly kind: 'unreadable'; readonly error: GitHubError | undefined };

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
  if (!read.ok)
    return final({ kind: isYoung(known, now) ? 'known-serves' : 'unreadable', error: read.error });
  const state = read.value;
  const isSameHead = state.headSha === known.headSha;
  if (isSameHead && agrees(known, state)) return final({ kind: 'current', state });
  if (!isSameHead && !known.firstAttempt) return final({ kind: 'superseded', state });
  if (isOlder(known, state)) {
    const serves = known.firstAttempt || isYoung(known, now);
    return { freshness: { kind: serves ? 'known-serves' : 'unreadable', error: undefined }, mayLag: true };
  }
  return final({ kind: isSameHead ? 'current' : 'superseded', state });
}

function final(freshness: Freshness): JudgedAnswer {
  return { freshness, mayLag: false };
}

function agrees({ baseName, isOpen }: KnownPullRequest, state: PullRequestState): boolean {
  return state.baseName === baseName && state.isOpen === isOpen;
}

function isOlder({ previousHead, updatedAt }: KnownPullRequest, state: PullRequestState): boolean {
  return state.headSha === previousHead || (updatedAt !== undefined && state.updatedAt < updatedAt);
}

function isYoung({ asOf }: KnownPullRequest, now: Date): boolean {
  return asOf !== undefined && now.getTime() - asOf.getTime() < KNOWN_SERVES_MINUTES * 60_000;
}
