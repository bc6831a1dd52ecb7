import type { Deadline } from '../clock.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import { ok, type Result } from '../domain/result.ts';
import { explainStop } from '../domain/stop.ts';
import type { ScanTarget, TargetBase, TargetPullRequest } from '../domain/target.ts';
import type { GitHubError } from '../github/github-error.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { Warn } from '../runner/step.ts';
import { closed } from './closed-pull-request.ts';
import type { PullRequestRead } from './current-target.ts';
import { type Freshness, judgeAnswer, type KnownPullRequest } from './freshness.ts';
import { type PullRequestReaderDeps, readFreshPullRequest } from './pull-request-reader.ts';
import {
  baseBranchNotShown,
  describeKnownServes,
  pullRequestUnreadable,
  supersededByBase,
  supersededByHead,
} from './superseded.ts';

/** After the timeout of the step, the reads get a share of the remaining time. Delivering the report needs the rest. */
const CONFIRM_AFTER_STOP_MS = 15_000;

export interface ConfirmDeps extends Omit<PullRequestReaderDeps, 'signal'> {
  /** Nothing is read once the process has received a signal. */
  readonly deadlines: Pick<Deadlines, 'work' | 'wrapUp' | 'signalled'>;
  readonly warn: Warn;
  /** Returns the pull request as a read of this run showed it, after the read at the start. */
  readonly seen?: (() => PullRequestState | undefined) | undefined;
}

/** Whether the pull request still has the target's head and base branch. */
export type Confirmation = (
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'refused'; readonly failure: NotScanned }
) & {
  /** The pull request as GitHub just showed it. Undefined if it could not be read. */
  readonly state: PullRequestState | undefined;
  /** The last answer, if it does not count for the verdict. The comment needs no further read then. */
  readonly uncounted?: Result<PullRequestState, GitHubError> | undefined;
  /** True if a read of this run has shown the pull request as closed. */
  readonly isClosed?: boolean;
};

/**
 * Reads the pull request once more before exit 0, and again if GitHub does not answer. If GitHub does not answer twice,
 * the state that was known at the start counts if it is less than 15 minutes old, the same limit as at the start. A
 * shorter limit would fail runs that were allowed to start. Without a limit, a re-run could repeat a success that GitHub
 * no longer confirms. The known state does not count if a read of this run contradicts it.
 * @param target as it was scanned
 * @param read the read at the start of the run; undefined if the event was used instead
 */
export async function confirmTarget(
  { deadlines, warn, seen, ...deps }: ConfirmDeps,
  target: ScanTarget,
  read: PullRequestRead | undefined,
  firstAttempt: boolean,
): Promise<Confirmation> {
  const { pullRequest, base } = target;
  if (pullRequest === undefined || base.kind !== 'branch') {
    return { kind: 'confirmed', state: undefined };
  }
  const scanned = { pullRequest, base, headSha: target.headSha };
  const { work, wrapUp, signalled } = deadlines;
  const known = knownOf(scanned, read, firstAttempt);
  let limit: Deadline | undefined;
  const readAgain = () => {
    if (work.aborted) limit ??= deps.clock.timeout(CONFIRM_AFTER_STOP_MS);
    const signal = limit === undefined ? work : AbortSignal.any([wrapUp, signalled, limit.signal]);
    return readFreshPullRequest({ ...deps, signal }, pullRequest.number, known);
  };
  const first = await readAgain();
  // The comment would need one more read, whose answer would come too late for the verdict. So it is sent here.
  const { freshness, answer } = isUnanswered(first.freshness) ? await readAgain() : first;
  limit?.clear();
  if (signalled.aborted) {
    return refused(explainStop('signal', 'it could confirm the result'));
  }
  switch (freshness.kind) {
    case 'unreadable':
      return refused(pullRequestUnreadable(freshness.error));
    case 'contradictory':
      return refused(baseBranchNotShown(freshness.baseName));
    case 'known-serves': {
      const shown = seen?.();
      const newer = shown && findNewer(scanned, shown, read, firstAttempt, deps.clock.date());
      const failure = newer && findChange(scanned, newer, read);
      const uncounted = { state: undefined, uncounted: answer, isClosed: newer?.state.isOpen === false };
      if (failure !== undefined) return { kind: 'refused', failure, ...uncounted };
      const what = read === undefined ? 'the event' : 'its first read';
      warn(describeKnownServes(freshness.error, what));
      return { kind: 'confirmed', ...uncounted };
    }
    case 'superseded':
    case 'current': {
      const { state } = freshness;
      const failure = findChange(scanned, freshness, read);
      const shown = { state, isClosed: !state.isOpen };
      return failure === undefined ? { kind: 'confirmed', ...shown } : { kind: 'refused', failure, ...shown };
    }
  }
}

/**
 * Explains why the run must not scan a target that it took from the event, because no read had shown it. A later read,
 * before the launch, shows another head or base branch, or a closed pull request. Undefined if it shows none of these, or
 * an older state of the pull request.
 * @param state what the later read shows
 */
export function refuseChanged(
  { pullRequest, base, headSha }: ScanTarget,
  state: PullRequestState,
  firstAttempt: boolean,
  now: Date,
): NotScanned | undefined {
  if (pullRequest === undefined || base.kind !== 'branch') return undefined;
  const taken = { pullRequest, base, headSha };
  const newer = findNewer(taken, state, undefined, firstAttempt, now);
  return newer && findChange(taken, newer, undefined);
}

type Newer = Extract<Freshness, { readonly kind: 'current' | 'superseded' }>;

/** Judges what a later read shows. Undefined if it shows an older state of the pull request. */
function findNewer(
  target: PullRequestTarget,
  state: PullRequestState,
  read: PullRequestRead | undefined,
  firstAttempt: boolean,
  now: Date,
): Newer | undefined {
  const { freshness } = judgeAnswer(knownOf(target, read, firstAttempt), ok(state), now);
  return freshness.kind === 'superseded' || freshness.kind === 'current' ? freshness : undefined;
}

/** True if GitHub did not answer, and the known state would be used instead. */
function isUnanswered(freshness: Freshness): boolean {
  return freshness.kind === 'known-serves' && freshness.error !== undefined;
}

interface PullRequestTarget {
  readonly pullRequest: TargetPullRequest;
  readonly base: Extract<TargetBase, { readonly kind: 'branch' }>;
  readonly headSha: string;
}

function knownOf(
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
    // If GitHub has shown this head once and then shows the head before it, the author has pushed the older commit
    // again.
    previousHead: read === undefined ? previousHead : undefined,
    firstAttempt,
    asOf: read?.at ?? (firstAttempt ? updatedAt : undefined),
  };
}

/** Explains what has changed since the target was read; undefined if its head and base branch are the same. */
function findChange(
  { pullRequest, base }: PullRequestTarget,
  { kind, state }: Newer,
  read: PullRequestRead | undefined,
): NotScanned | undefined {
  // Without a read at the start, the pull request may have been closed before the run began. A workflow can allow
  // `superseded`, but no reason for a closed pull request, so that one counts first.
  if (read === undefined && !state.isOpen) return closed(pullRequest.number);
  if (kind === 'superseded') return supersededByHead(state.headSha);
  return state.baseName === base.name ? undefined : supersededByBase(state.baseName);
}

function refused(failure: NotScanned): Confirmation {
  return { kind: 'refused', failure, state: undefined };
}
