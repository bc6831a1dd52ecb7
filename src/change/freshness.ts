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

/** The known state of a pull request. It comes from the event, or from the first read. */
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

/** The answer to a read of the pull request. */
export type PullRequestAnswer = Result<PullRequestState, GitHubError>;

/**
 * What an answer about the pull request means:
 * - `current`: GitHub shows the known head. The base branch and the state may have changed.
 * - `superseded`: GitHub shows a different head. It is not provably older than the known head.
 * - `known-serves`: the known state is used, because GitHub did not answer or shows an older state.
 * - `unreadable`: the same, but the known state must not be used.
 * - `contradictory`: GitHub shows an open pull request, but its base branch does not exist.
 *
 * `error` is undefined if GitHub shows an older state. `mayLag` is true if GitHub may answer differently in a few
 * seconds.
 */
export type Judgement = { readonly mayLag: boolean } & (
  | { readonly kind: 'current' | 'superseded'; readonly state: PullRequestState }
  | { readonly kind: 'known-serves' | 'unreadable'; readonly error: GitHubError | undefined }
  | { readonly kind: 'contradictory'; readonly baseName: string }
);

/** The pull request as GitHub shows it. This state is not older than the known one. */
export type ShownPullRequest = Extract<Judgement, { readonly state: PullRequestState }>;

/** How long the known state may be used while GitHub does not show the pull request. */
export const KNOWN_SERVES_MINUTES = 15;

/**
 * Judges an answer about the pull request. GitHub's answers can be out of date for a few seconds after a push or an
 * edit. So an answer does not count if it contradicts the known state and is provably older. Pure.
 *
 * If GitHub denies access or does not find the pull request, the known state is never used. If it were used, the length
 * of the scan could decide whether the run passes, because the state soon becomes too old.
 */
export function judgeAnswer(known: KnownPullRequest, answer: PullRequestAnswer, now: Date): Judgement {
  const { headSha, baseName, isOpen, updatedAt, previousHead, firstAttempt, asOf } = known;
  const isYoung = asOf !== undefined && now.getTime() - asOf.getTime() < KNOWN_SERVES_MINUTES * 60_000;
  // The payload of a re-run can be 30 days old.
  const isReplayed = !firstAttempt && asOf === undefined;
  if (!answer.ok) {
    const { error } = answer;
    const isRefusal = ['not-found', 'forbidden', 'unauthorized'].includes(error.kind);
    const mayLag = error.kind === 'not-found' && !isReplayed;
    return { kind: isYoung && !isRefusal ? 'known-serves' : 'unreadable', error, mayLag };
  }
  const state = answer.value;
  const isSameHead = state.headSha === headSha;
  if (!isSameHead && isReplayed) return { kind: 'superseded', state, mayLag: true };
  // Usually, the head before the push belongs to an older state. But if GitHub shows a later change of the pull request,
  // the author has pushed that head again.
  const isBefore = state.headSha === previousHead;
  const isOlder =
    updatedAt === undefined
      ? isBefore
      : state.updatedAt < updatedAt || (isBefore && state.updatedAt <= updatedAt);
  const agrees = isSameHead && state.baseName === baseName && state.isOpen === isOpen;
  if (isOlder && !agrees) {
    return { kind: firstAttempt || isYoung ? 'known-serves' : 'unreadable', error: undefined, mayLag: true };
  }
  if (!isSameHead) return { kind: 'superseded', state, mayLag: false };
  // If a base branch is deleted, GitHub closes its pull requests or changes their base.
  if (state.isOpen && state.baseTip?.kind === 'gone') return contradictory(state.baseName);
  return { kind: 'current', state, mayLag: false };
}

/** The judgement if GitHub shows an open pull request without its base branch. */
export function contradictory(baseName: string): Judgement {
  return { kind: 'contradictory', baseName, mayLag: true };
}

/** True if GitHub shows the pull request, and the shown state is not older than the known one. */
export function isShown(judgement: Judgement): judgement is ShownPullRequest {
  return 'state' in judgement;
}
