import type { Deadline } from '../clock.ts';
import { explainStop, type NotScanned, ok, type Result } from '../domain/result.ts';
import type { ScanTarget, TargetBase, TargetPullRequest } from '../domain/target.ts';
import type { GitHubError } from '../github/errors.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { Warn } from '../runner/log.ts';
import type { PullRequestRead } from './current-target.ts';
import { type Freshness, judgeAnswer, type KnownPullRequest } from './freshness.ts';
import { type LastLook, type PullRequestReaderDeps, readFreshPullRequest } from './pull-request.ts';
import {
  asClosed,
  baseBranchNotShown,
  closed,
  describeKnownServes,
  pullRequestUnreadable,
  supersededByBase,
  supersededByHead,
} from './superseded.ts';

/** The target of a run for a pull request. */
export interface PullRequestTarget {
  readonly pullRequest: TargetPullRequest;
  readonly base: Extract<TargetBase, { readonly kind: 'branch' }>;
  readonly headSha: string;
}

/** Returns undefined if the event has no pull request. */
export function ofPullRequest({ pullRequest, base, headSha }: ScanTarget): PullRequestTarget | undefined {
  return pullRequest === undefined || base.kind !== 'branch' ? undefined : { pullRequest, base, headSha };
}

/**
 * Returns what the run knows about the pull request of its target.
 * @param read the read at the start of the run; undefined if the event was used instead
 */
export function knownOf(
  { pullRequest, base, headSha }: PullRequestTarget,
  read: PullRequestRead | undefined,
  firstAttempt: boolean,
): KnownPullRequest {
  const { updatedAt, previousHead, state } = pullRequest;
  return {
    headSha,
    baseName: base.name,
    isOpen: state !== 'closed',
    updatedAt,
    // After a read has shown this head, GitHub shows the previous head only if the author has pushed it again. Such an
    // answer is not out of date.
    previousHead: read === undefined ? previousHead : undefined,
    firstAttempt,
    asOf: read?.at ?? (firstAttempt ? updatedAt : undefined),
  };
}

/** The pull request as GitHub shows it. This state is not older than the known one. */
export type ShownPullRequest = Extract<Freshness, { readonly kind: 'current' | 'superseded' }>;

/** Judges the state that a read showed. Undefined if this state is older than the known one. Pure. */
export function findNewer(
  known: KnownPullRequest,
  state: PullRequestState,
  now: Date,
): ShownPullRequest | undefined {
  return asShown(judgeAnswer(known, ok(state), now).freshness);
}

/** Returns undefined if GitHub does not show the pull request, or shows an older state than the known one. */
export function asShown(freshness: Freshness): ShownPullRequest | undefined {
  return freshness.kind === 'superseded' || freshness.kind === 'current' ? freshness : undefined;
}

/**
 * Explains how the pull request has changed: it is closed, or has another head or base branch. Undefined if it has not
 * changed. Pure.
 *
 * A closed pull request is reported before a new head. A workflow can allow the reason `superseded`, but it must not
 * let a closed pull request pass.
 * @param mayClose true: a closed pull request is not reported
 */
export function findChange(
  { pullRequest, base }: PullRequestTarget,
  { kind, state }: ShownPullRequest,
  mayClose: boolean,
): NotScanned | undefined {
  if (!mayClose && !state.isOpen) return closed(pullRequest.number);
  if (kind === 'superseded') return supersededByHead(state.headSha);
  return state.baseName === base.name ? undefined : supersededByBase(state.baseName);
}

/** Why the run must not launch a scan of its target. */
export interface ChangedTarget {
  readonly failure: NotScanned;
  /** The target. Its pull request is marked as closed if GitHub shows that it is closed. */
  readonly target: ScanTarget;
}

/**
 * Explains why the run must not launch a scan: the pull request has a new head or base branch, or is closed. Undefined
 * if nothing has changed, or if `state` is older than the known state. Pure.
 * @param read the read at the start of the run; undefined if the event was used instead
 * @param state what a read after the start of the run shows
 */
export function findChangedTarget(
  target: ScanTarget,
  read: PullRequestRead | undefined,
  state: PullRequestState,
  { firstAttempt, now }: { readonly firstAttempt: boolean; readonly now: Date },
): ChangedTarget | undefined {
  const taken = ofPullRequest(target);
  const newer = taken && findNewer(knownOf(taken, read, firstAttempt), state, now);
  const failure = newer && findChange(taken, newer, false);
  return failure && { failure, target: state.isOpen ? target : asClosed(target) };
}

/** How long the run may read the pull request after the step has timed out. The report needs the remaining time. */
const CONFIRM_AFTER_STOP_MS = 15_000;

export interface ConfirmDeps extends Omit<PullRequestReaderDeps, 'signal'> {
  /** After the process has received a signal, nothing is read. */
  readonly deadlines: Pick<Deadlines, 'work' | 'wrapUp' | 'signalled'>;
  readonly warn: Warn;
  /**
   * Returns the newest state of the pull request that this run has read since its start. Undefined if it has read none.
   */
  readonly seen?: (() => PullRequestState | undefined) | undefined;
}

/** Whether the pull request still has the target's head and base branch. */
export type Confirmation = (
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'refused'; readonly failure: NotScanned }
) & {
  /** The newest state of the pull request. Undefined if the verdict does not use GitHub's last answer. */
  readonly state: PullRequestState | undefined;
  /**
   * GitHub's last answer, if the verdict does not use it. The comment then uses this answer, and does not ask GitHub
   * again.
   */
  readonly uncounted?: Result<PullRequestState, GitHubError> | undefined;
  /** True if the pull request is closed in the newest state that this run has read. */
  readonly isClosed?: boolean;
};

/**
 * Confirms before exit 0 that the pull request still has the head and the base branch that were scanned.
 *
 * Reads the pull request. If GitHub does not answer, the state from the start of the run can count instead. This state
 * must be less than 15 minutes old. Otherwise, a re-run could repeat a success that GitHub no longer confirms. Before
 * this state counts, the function reads the pull request once more.
 *
 * If `seen` has a newer state than GitHub's last answer, the state of `seen` counts.
 * @param target as it was scanned
 * @param read the read at the start of the run; undefined if the event was used instead
 */
export async function confirmTarget(
  { deadlines, warn, seen, ...deps }: ConfirmDeps,
  target: ScanTarget,
  read: PullRequestRead | undefined,
  firstAttempt: boolean,
): Promise<Confirmation> {
  const scanned = ofPullRequest(target);
  if (scanned === undefined) return { kind: 'confirmed', state: undefined };
  const { work, wrapUp, signalled } = deadlines;
  const known = knownOf(scanned, read, firstAttempt);
  // If no read at the start showed the pull request, it may have been closed before the run began.
  const wasOpen = read !== undefined;
  let limit: Deadline | undefined;
  const readNow = () => {
    if (work.aborted) limit ??= deps.clock.timeout(CONFIRM_AFTER_STOP_MS);
    const signal = limit === undefined ? work : AbortSignal.any([wrapUp, signalled, limit.signal]);
    return readFreshPullRequest({ ...deps, signal }, scanned.pullRequest.number, known);
  };
  const first = await readNow();
  // If the state from the start would count, asks GitHub again first. The comment may ask later too, but too late for
  // the verdict.
  const { freshness, answer } = isUnanswered(first.freshness) ? await readNow() : first;
  limit?.clear();
  if (signalled.aborted) {
    return refused(explainStop('signal', 'it could confirm the result'));
  }
  const answered = asShown(freshness);
  const shown = seen?.();
  const newest = newestOf(answered, shown && findNewer(known, shown, deps.clock.date()));
  const failure = newest && findChange(scanned, newest, wasOpen);
  const about = {
    ...(answered === undefined ? { state: undefined, uncounted: answer } : { state: newest?.state }),
    isClosed: newest?.state.isOpen === false,
  };
  if (failure !== undefined) return { kind: 'refused', failure, ...about };
  switch (freshness.kind) {
    case 'unreadable':
      return refused(pullRequestUnreadable(freshness.error));
    case 'contradictory':
      return refused(baseBranchNotShown(freshness.baseName));
    case 'known-serves':
      warn(describeKnownServes(freshness.error, read === undefined ? 'the event' : 'its first read'));
      return { kind: 'confirmed', ...about };
    case 'superseded':
    case 'current':
      return { kind: 'confirmed', ...about };
  }
}

/** Returns the newer of two states: the one in GitHub's last answer, and the one from `seen`. */
function newestOf(
  answer: ShownPullRequest | undefined,
  seen: ShownPullRequest | undefined,
): ShownPullRequest | undefined {
  if (answer === undefined || seen === undefined) return answer ?? seen;
  return seen.state.updatedAt > answer.state.updatedAt ? seen : answer;
}

/** True if GitHub did not answer, and the state from the start would count instead. */
function isUnanswered(freshness: Freshness): boolean {
  return freshness.kind === 'known-serves' && freshness.error !== undefined;
}

function refused(failure: NotScanned): Confirmation {
  return { kind: 'refused', failure, state: undefined };
}

export interface LateLaunchDeps extends Omit<PullRequestReaderDeps, 'read'> {
  /** Undefined if the event has no pull request. */
  readonly look?: Pick<LastLook, 'saw' | 'seen'> | undefined;
}

/**
 * Finds out before a launch whether the pull request has a new head or base branch, or is closed. A scan of the old
 * state would waste credits. Returns undefined if no read of this run shows a change.
 * @param read the read at the start of the run; undefined if the event was used instead
 * @param asks true: reads the pull request again; false: uses only what this run has already read
 */
export async function findChangeBeforeLaunch(
  { look, ...deps }: LateLaunchDeps,
  target: ScanTarget,
  read: PullRequestRead | undefined,
  { firstAttempt, asks }: { readonly firstAttempt: boolean; readonly asks: boolean },
): Promise<ChangedTarget | undefined> {
  const taken = ofPullRequest(target);
  if (taken === undefined || look === undefined) return undefined;
  if (asks) {
    const known = knownOf(taken, read, firstAttempt);
    const { answer } = await readFreshPullRequest(deps, taken.pullRequest.number, known);
    if (answer.ok) look.saw(answer.value);
  }
  const state = look.seen();
  return state && findChangedTarget(target, read, state, { firstAttempt, now: deps.clock.date() });
}
