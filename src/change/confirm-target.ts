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

/** Of the time that a timeout of the step leaves for wrapping up: delivering has to fit in after it. */
const CONFIRM_AFTER_STOP_MS = 15_000;

export interface ConfirmDeps extends Omit<PullRequestReaderDeps, 'signal'> {
  /** Nothing is read after a signal to the process. */
  readonly deadlines: Pick<Deadlines, 'work' | 'wrapUp' | 'signalled'>;
  readonly warn: Warn;
}

/** Whether the pull request still has the head and the base branch of the target. */
export type Confirmation =
  | {
      readonly kind: 'confirmed';
      /** As it was just read; undefined where it could not be. */
      readonly state: PullRequestState | undefined;
    }
  | { readonly kind: 'refused'; readonly failure: NotScanned; readonly state: PullRequestState | undefined };

/**
 * Reads the pull request once more before exit 0. Where GitHub cannot be asked, what was known last (the first read,
 * else the event on its first attempt) serves while it is under 15 minutes old, as at the start: a shorter limit would
 * turn each run red that the start let pass, and no limit would repeat an unconfirmed green.
 * @param target as it was scanned
 * @param read the first read; undefined where the event served
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
    // GitHub showed this head already, so the one before it would be a newer push.
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
      // Whether the run began while it was open is known only from a first read.
      if (read === undefined && !state.isOpen) return refused(closed(pullRequest.number), state);
      return { kind: 'confirmed', state };
    }
  }
}

function refused(failure: NotScanned, state?: PullRequestState): Confirmation {
  return { kind: 'refused', failure, state };
}
