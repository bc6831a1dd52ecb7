import type { ScanTarget } from '../domain/target.ts';
import { type ChangedTarget, findChangedTarget, knownOf, ofPullRequest } from './changed-target.ts';
import type { PullRequestRead } from './current-target.ts';
import type { LastLook } from './last-look.ts';
import { type PullRequestReaderDeps, readFreshPullRequest } from './pull-request-reader.ts';

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
