import type { NotScanned } from '../domain/not-scanned.ts';
import { explainStop } from '../domain/stop.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { Warn } from '../runner/step.ts';
import { closed } from './closed-pull-request.ts';
import type { PullRequestRead } from './current-target.ts';
import { type PullRequestReaderDeps, readFreshPullRequest } from './pull-request-reader.ts';
import {
  baseBranchNotShown,
  describeKnownServes,
  pullRequestUnreadable,
  supersededByBase,
  supersededByHead,
} from './superseded.ts';

/** A share of the time that a timeout of the step leaves for wrapping up. The delivery needs the rest. */
const CONFIRM_AFTER_STOP_MS = 15_000;

export interface ConfirmDeps extends Omit<PullRequestReaderDeps, 'signal'> {
  /** After a signal to the process, nothing is read. */
  readonly deadlines: Pick<Deadlines, 'work' | 'wrapUp' | 'signalled'>;
  readonly warn: Warn;
}

/** Whether the pull request still has the target's head and base branch. */
export type Confirmation =
  | {
      readonly kind: 'confirmed';
      /** The pull request as it was just read; undefined if it could not be read. */
      readonly state: PullRequestState | undefined;
    }
  | { readonly kind: 'refused'; readonly failure: NotScanned; readonly state: PullRequestState | undefined };

/**
 * Reads the pull request once more before exit 0. If GitHub cannot be asked, the last known state counts for 15
 * minutes, as at the start. That is the first read, or the event on the first attempt. With a shorter limit, runs would
 * fail after a start that was allowed; without a limit, a re-run could repeat an unconfirmed success.
 * @param target as it was scanned
 * @param read the first read; undefined if the event was used instead
 */
export async function confirmTarget(
  { deadlines, warn, ...deps }: ConfirmDeps,
  target: ScanTarget,
  read: PullRequestRead | undefined,
  firstAttempt: boolean,
): Promise<Confirmation> {
  const { pullRequest, base, headSha } = target;
  if (pullRequest === undefined || base.kind !== 'branch') {
    return { kind: 'confirmed', state: undefined };
  }
  const { updatedAt, previousHead } = pullRequest;
  const known = {
    headSha,
    baseName: base.name,
    isOpen: pullRequest.state !== 'closed',
    updatedAt,
    // GitHub already showed this head. So if it shows the head before it now, that is a newer push.
    previousHead: read === undefined ? previousHead : undefined,
    firstAttempt,
    asOf: read?.at ?? (firstAttempt ? updatedAt : undefined),
  };
  const { work, wrapUp, signalled } = deadlines;
  const limit = work.aborted ? deps.clock.timeout(CONFIRM_AFTER_STOP_MS) : undefined;
  const signal = AbortSignal.any(limit === undefined ? [work] : [wrapUp, signalled, limit.signal]);
  const answer = await readFreshPullRequest({ ...deps, signal }, pullRequest.number, known);
  limit?.clear();
  if (signalled.aborted) {
    return refused(explainStop('signal', 'it could confirm the result'));
  }
  switch (answer.kind) {
    case 'superseded':
      return refused(supersededByHead(answer.state.headSha), answer.state);
    case 'unreadable':
      return refused(pullRequestUnreadable(answer.error));
    case 'contradictory':
      return refused(baseBranchNotShown(answer.baseName));
    case 'known-serves': {
      const what = read === undefined ? 'the event' : 'its first read';
      warn(describeKnownServes(answer.error, what));
      return { kind: 'confirmed', state: undefined };
    }
    case 'current': {
      const { state } = answer;
      if (state.baseName !== base.name) return refused(supersededByBase(state.baseName), state);
      // Only a first read shows whether the pull request was open when the run began.
      if (read === undefined && !state.isOpen) return refused(closed(pullRequest.number), state);
      return { kind: 'confirmed', state };
    }
  }
}

function refused(failure: NotScanned, state?: PullRequestState): Confirmation {
  return { kind: 'refused', failure, state };
}
