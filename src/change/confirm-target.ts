import type { Deadline } from '../clock.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Result } from '../domain/result.ts';
import { explainStop } from '../domain/stop.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { GitHubError } from '../github/github-error.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { Warn } from '../runner/step.ts';
import {
  asShown,
  findChange,
  findNewer,
  knownOf,
  ofPullRequest,
  type ShownPullRequest,
} from './changed-target.ts';
import type { PullRequestRead } from './current-target.ts';
import type { Freshness } from './freshness.ts';
import { type PullRequestReaderDeps, readFreshPullRequest } from './pull-request-reader.ts';
import { baseBranchNotShown, describeKnownServes, pullRequestUnreadable } from './superseded.ts';

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
