import type { ScanTarget } from '../domain/target.ts';
import { type ChangedTarget, findChangedTarget, knownOf, ofPullRequest } from './changed-target.ts';
import type { PullRequestRead } from './current-target.ts';
import type { LastLook } from './last-look.ts';
import { type PullRequestReaderDeps, readFreshPullRequest } from './pull-request-reader.ts';

export interface LateLaunchDeps extends Omit<PullRequestReaderDeps, 'read'> {
  /** Undefined if the event has no pull request. */
  readonly look?: Pick<LastLook, 'saw' | 'seen'> | undefined;
}

export interface LateLook {
  /** How the pull request has changed since the start of the run. Undefined if no read of this run shows a change. */
  readonly changed: ChangedTarget | undefined;
  /** True if this look asked GitHub, and GitHub did not show the pull request. */
  readonly isUnanswered: boolean;
}

/**
 * Finds out before a launch whether the pull request has a new head or base branch, or is closed. A scan of the old
 * state would waste credits.
 * @param read the read at the start of the run; undefined if the event was used instead
 * @param asks true: reads the pull request again; false: uses only what this run has already read
 */
export async function lookBeforeLaunch(
  { look, ...deps }: LateLaunchDeps,
  target: ScanTarget,
  read: PullRequestRead | undefined,
  { firstAttempt, asks }: { readonly firstAttempt: boolean; readonly asks: boolean },
): Promise<LateLook> {
  const taken = ofPullRequest(target);
  if (taken === undefined || look === undefined) return { changed: undefined, isUnanswered: false };
  let isUnanswered = false;
  if (asks) {
    const known = knownOf(taken, read, firstAttempt);
    const { answer } = await readFreshPullRequest(deps, taken.pullRequest.number, known);
    if (answer.ok) look.saw(answer.value);
    isUnanswered = !answer.ok;
  }
  const state = look.seen();
  const changed = state && findChangedTarget(target, read, state, { firstAttempt, now: deps.clock.date() });
  return { changed, isUnanswered };
}
