import type { Clock } from '../clock.ts';
import type { Result } from '../domain/result.ts';
import type { GitHubError } from '../github/errors.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';

/** Our choice. GitHub shows a push to all readers within seconds. */
const REREAD_AFTER_SECONDS = [2, 4, 8];

/**
 * Reads from GitHub. If the answer may be out of date, reads again, after 2, 4 and 8 seconds.
 * @returns the first answer that is up to date, otherwise the last one
 */
export async function readPastLag<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  read: () => Promise<T>,
  mayLag: (answer: T) => boolean,
): Promise<T> {
  let answer = await read();
  for (const seconds of REREAD_AFTER_SECONDS) {
    if (!mayLag(answer)) break;
    await clock.sleep(seconds * 1000, signal);
    answer = await read();
  }
  return answer;
}

/** The known state of a pull request. It comes from the event or from a previous read. */
export interface KnownPullRequest {
  readonly headSha: string;
  readonly baseName: string;
  readonly isOpen: boolean;
  /** When GitHub last changed the pull request. Undefined if the event's payload does not show that time. */
  readonly updatedAt: Date | undefined;
  /** The head before the push that caused the event. */
  readonly previousHead: string | undefined;
  readonly firstAttempt: boolean;
  /** When this state was current. Undefined if that is not known. For example, the payload of a re-run can be old. */
  readonly asOf: Date | undefined;
}

export type Freshness =
  /** GitHub shows the known head. The base branch and the state may have changed. */
  | { readonly kind: 'current'; readonly state: PullRequestState }
  /** GitHub shows a different head. It is not provably older than the known head. */
  | { readonly kind: 'superseded'; readonly state: PullRequestState }
  /**
   * The known state is used, because GitHub did not answer or shows an older state. `error` is set if GitHub did not
   * answer.
   */
  | { readonly kind: 'known-serves'; readonly error: GitHubError | undefined }
  /**
   * GitHub does not show the current state, and the known state must not be used. `error` is undefined if GitHub shows
   * an older state.
   */
  | { readonly kind: 'unreadable'; readonly error: GitHubError | undefined }
  /** GitHub shows an open pull request, but its base branch does not exist. */
  | { readonly kind: 'contradictory'; readonly baseName: string };

/** What an answer about the pull request means. */
export interface JudgedAnswer {
  /** The conclusion, if no later answer changes it. */
  readonly freshness: Freshness;
  /** True if GitHub may answer differently in a few seconds. */
  readonly mayLag: boolean;
}

/** How long the known state may be used while GitHub does not show the pull request. */
export const KNOWN_SERVES_MINUTES = 15;

/**
 * Judges an answer about the pull request. GitHub's answers can be out of date for a few seconds after a push or an
 * edit. So an answer does not count if it contradicts the known state and is provably older. Pure.
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

/**
 * Judges a failed read. If GitHub denies access or does not find the pull request, the known state is never used. If it
 * were used, the length of the scan could decide whether the run passes, because the state soon becomes too old.
 */
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

/**
 * Checks that the base branch exists. If a base branch is deleted, GitHub closes its pull requests or changes their
 * base. So an answer with an open pull request and no base branch contradicts itself.
 */
function judgeBranch(state: PullRequestState): JudgedAnswer {
  const { isOpen, baseTip, baseName } = state;
  return isOpen && baseTip?.kind === 'gone' ? contradictory(baseName) : final({ kind: 'current', state });
}

/** The judgment if GitHub shows an open pull request without its base branch. */
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
 * True if GitHub shows an older state than the known one.
 *
 * Usually, the head before the push belongs to an older state. But if GitHub shows a later change of the pull request,
 * the author has pushed that head again.
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
