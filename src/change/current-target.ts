import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { explainStop, stopCause } from '../domain/stop.ts';
import type { ScanTarget, TargetPullRequest } from '../domain/target.ts';
import { type BranchTip, readBranchTip } from '../github/branch-tip.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { type PullRequestReaderDeps, readFreshPullRequest } from './pull-request-reader.ts';
import { describeKnownServes, pullRequestUnreadable, supersededByHead } from './superseded.ts';

/** The target as it is now. */
export interface CurrentTarget {
  readonly target: ScanTarget;
  /** Undefined where there is no pull request, and where the event serves in place of an answer. */
  readonly read: PullRequestRead | undefined;
  /** Warnings. */
  readonly notices: readonly string[];
}

/** The pull request as GitHub showed it. */
export interface PullRequestRead {
  readonly state: PullRequestState;
  readonly at: Date;
}

/**
 * Reads the target's pull request: its state, its base branch and the tip of that replace the payload's, which a
 * re-run replays for 30 days. Nothing is read where the event is about no pull request.
 * @param target as the payload shows it
 */
export async function findCurrentTarget(
  deps: PullRequestReaderDeps,
  target: ScanTarget,
  firstAttempt: boolean,
): Promise<Result<CurrentTarget, NotScanned>> {
  const { pullRequest, base, headSha } = target;
  if (pullRequest === undefined || base.kind !== 'branch') {
    return ok({ target, read: undefined, notices: [] });
  }
  const { updatedAt, previousHead } = pullRequest;
  const isOpen = pullRequest.state === 'open';
  const asOf = firstAttempt ? updatedAt : undefined;
  const known = { headSha, baseName: base.name, isOpen, updatedAt, previousHead, firstAttempt, asOf };
  const answer = await readFreshPullRequest(deps, pullRequest.number, known);
  const cause = stopCause(deps.signal);
  if (cause !== undefined) return err(explainStop(cause, 'it launched a scan'));
  switch (answer.kind) {
    case 'superseded':
      return err(supersededByHead(answer.state.headSha));
    case 'unreadable':
      return err(pullRequestUnreadable(answer.error));
    case 'known-serves': {
      const tip = await readTip(deps, base.name, undefined);
      const shown = { baseName: base.name, state: pullRequest.state, updatedAt, tip };
      const notices = [describeKnownServes(answer.error, 'the event')];
      return ok({ target: withState(target, pullRequest, shown), read: undefined, notices });
    }
    case 'current': {
      const { state } = answer;
      const read = { state, at: deps.clock.date() };
      const tip = await readTip(deps, state.baseName, state.baseTip);
      const open = pullRequest.state === 'closed' ? 'reopened' : 'open';
      const shown = { ...state, state: state.isOpen ? open : 'closed', tip } as const;
      return ok({ target: withState(target, pullRequest, shown), read, notices: [] });
    }
  }
}

/** Undefined where the tip cannot be read. */
async function readTip(
  { github, signal }: Pick<PullRequestReaderDeps, 'github' | 'signal'>,
  branch: string,
  shown: BranchTip | undefined,
): Promise<BranchTip | undefined> {
  if (shown !== undefined) return shown;
  const read = await readBranchTip(github, branch, signal);
  return read.ok ? read.value : undefined;
}

function withState(
  target: ScanTarget,
  pullRequest: TargetPullRequest,
  shown: {
    readonly state: TargetPullRequest['state'];
    readonly updatedAt: Date | undefined;
    readonly baseName: string;
    readonly tip: BranchTip | undefined;
  },
): ScanTarget {
  const { tip, updatedAt, baseName: name } = shown;
  return {
    ...target,
    base: { kind: 'branch', name, tip: tip?.kind === 'commit' ? tip.sha : undefined },
    pullRequest: { ...pullRequest, updatedAt, state: tip?.kind === 'gone' ? 'closed' : shown.state },
  };
}
