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
 * Finds out, before a launch, whether the pull request was pushed to, retargeted or closed since the start of
 * the run. A scan of the earlier state would be paid for in vain. Returns undefined if no read in this run
 * shows one of these changes.
 * @param read the read at the start of the run; undefined if the event was used instead
 * @param waited true if the run has waited since `read`. The pull request is then read again. Without a wait, it is read
 * again only if `read` is undefined
 */
export async function findChangeBeforeLaunch(
  { look, ...deps }: LateLaunchDeps,
  target: ScanTarget,
  read: PullRequestRead | undefined,
  { firstAttempt, waited }: { readonly firstAttempt: boolean; readonly waited: boolean },
): Promise<ChangedTarget | undefined> {
  const taken = ofPullRequest(target);
  if (taken === undefined || look === undefined) return undefined;
  if (waited || read === undefined) {
    const known = knownOf(taken, read, firstAttempt);
    const { answer } = await readFreshPullRequest(deps, taken.pullRequest.number, known);
    if (answer.ok) look.saw(answer.value);
  }
  const state = look.seen();
  return state && findChangedTarget(target, read, state, { firstAttempt, now: deps.clock.date() });
}
