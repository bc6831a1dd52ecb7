import { err, explainStop, type NotScanned, ok, type Result, stopCause } from '../domain/result.ts';
import type { ScanTarget, TargetBase } from '../domain/target.ts';
import { causeOf, type GitHubError } from '../github/errors.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { noMergeBase } from './merge-base.ts';
import { type PullRequestReaderDeps, readWithBaseTip } from './pull-request.ts';
import {
  accessRefused,
  asClosed,
  baseBranchNotShown,
  describeKnownServes,
  pullRequestUnreadable,
  supersededByHead,
} from './superseded.ts';

export interface CurrentTarget {
  readonly target: ScanTarget;
  /**
   * GitHub's answer. Undefined if the event has no pull request, or if the run uses the event in place of an answer.
   */
  readonly read: PullRequestRead | undefined;
  readonly warnings: readonly string[];
}

/** The pull request, and when GitHub showed it. */
export interface PullRequestRead {
  readonly state: PullRequestState;
  readonly at: Date;
}

/**
 * Reads the target's pull request. Its state, base branch and base tip replace those of the payload, because the
 * payload of a re-run can be 30 days old. The repository is public if either says so. Makes no request if the event has
 * no pull request.
 * @param target as the payload shows it
 * @param firstAttempt if false, the payload is never used in place of an answer
 */
export async function findCurrentTarget(
  deps: PullRequestReaderDeps,
  target: ScanTarget,
  firstAttempt: boolean,
): Promise<Result<CurrentTarget, NotScanned>> {
  const { pullRequest, base, headSha } = target;
  if (pullRequest === undefined || base.kind !== 'branch') {
    return ok({ target, read: undefined, warnings: [] });
  }
  const { updatedAt, previousHead } = pullRequest;
  const isOpen = pullRequest.state === 'open';
  const asOf = firstAttempt ? updatedAt : undefined;
  const known = { headSha, baseName: base.name, isOpen, updatedAt, previousHead, firstAttempt, asOf };
  const { freshness, tip } = await readWithBaseTip(deps, pullRequest.number, known);
  const cause = stopCause(deps.signal);
  if (cause !== undefined) return err(explainStop(cause, 'it launched a scan'));
  switch (freshness.kind) {
    case 'superseded': {
      const { state } = freshness;
      if (state.isOpen) return err(supersededByHead(state.headSha));
      return ok({
        target: { ...asClosed(target), repository: atVisibility(target, state) },
        read: { state, at: deps.clock.date() },
        warnings: [],
      });
    }
    case 'unreadable':
      return err(pullRequestUnreadable(freshness.error));
    case 'contradictory':
      return err(baseBranchNotShown(freshness.baseName));
    case 'known-serves': {
      const warnings = [describeKnownServes(freshness.error, 'the event')];
      return ok({ target: { ...target, base: baseAt(base.name, tip) }, read: undefined, warnings });
    }
    case 'current': {
      const { state: shown } = freshness;
      const open = pullRequest.state === 'closed' ? 'reopened' : 'open';
      const state = shown.isOpen ? open : 'closed';
      const { updatedAt } = shown;
      return ok({
        target: {
          ...target,
          repository: atVisibility(target, shown),
          base: baseAt(shown.baseName, tip),
          pullRequest: { ...pullRequest, state, updatedAt },
        },
        read: { state: shown, at: deps.clock.date() },
        warnings: [],
      });
    }
  }
}

/** The repository, which counts as public if the payload or GitHub's answer of today says so. */
function atVisibility({ repository }: ScanTarget, { inPublic }: PullRequestState): ScanTarget['repository'] {
  return { ...repository, isPublic: repository.isPublic || inPublic === true };
}

function baseAt(name: string, tip: Result<string, GitHubError> | undefined): TargetBase {
  if (tip === undefined) return { kind: 'branch', name, tip: undefined };
  if (tip.ok) return { kind: 'branch', name, tip: tip.value };
  const tipRefused = accessRefused(tip.error, noMergeBase(causeOf(tip.error)));
  return { kind: 'branch', name, tip: undefined, tipRefused };
}
