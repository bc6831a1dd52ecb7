import { closed } from '../change/closed-pull-request.ts';
import { confirmTarget } from '../change/confirm-target.ts';
import type { ScanTarget } from '../domain/target.ts';
import { judge, type ScanOutcome } from '../domain/verdict.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Gate } from './gate.ts';
import { notScanned, type RunResult } from './run-result.ts';

/** What is judged. */
export interface Confirmed {
  readonly result: RunResult;
  /** The pull request as it was just read, so that the comment does not read it again. */
  readonly pullRequest?: PullRequestState | undefined;
}

/**
 * Before exit 0 the pull request is read once more: it may have another head or another base branch by now. A result
 * that no scan proves does not outlast a closing either.
 */
export async function confirmResult(gate: Gate, settled: RunResult): Promise<Confirmed> {
  const { deadlines, environment, look, policy } = gate;
  const result = { ...settled, outcome: markSignal(settled.outcome, deadlines.signalled) };
  const { target, pullRequestRead, outcome } = result;
  const isSuperseded = outcome.kind === 'not-scanned' && outcome.failure.reason === 'superseded';
  if (target === undefined || isSuperseded || judge(outcome, policy).exitCode !== 0) {
    return { result };
  }
  const deps = { ...gate, read: look?.read };
  const confirmed = await confirmTarget(deps, target, pullRequestRead, environment.runAttempt === 1);
  const { state: pullRequest } = confirmed;
  if (confirmed.kind === 'refused') {
    const refused = { ...result, ...notScanned(confirmed.failure) };
    return { result: pullRequest?.isOpen === false ? withClosed(refused, target) : refused, pullRequest };
  }
  // The commit may be the head of another pull request, of which nothing is known here.
  const isAboutThisOne =
    outcome.kind === 'unchanged' || (outcome.kind === 'not-scanned' && outcome.failure.reason === 'paths');
  if (isAboutThisOne && target.pullRequest !== undefined && pullRequest?.isOpen === false) {
    return { result: { ...result, ...notScanned(closed(target.pullRequest.number)) }, pullRequest };
  }
  return { result, pullRequest };
}

/** A cancelled job is red, whatever else ended the work before, and whatever is allowed. */
function markSignal(outcome: ScanOutcome, { aborted }: AbortSignal): ScanOutcome {
  if (!aborted || outcome.kind !== 'not-scanned') return outcome;
  return { ...outcome, failure: { ...outcome.failure, bySignal: true } };
}

/** Nothing new is shown on a closed pull request. */
function withClosed(result: RunResult, target: ScanTarget): RunResult {
  const { pullRequest } = target;
  if (pullRequest === undefined) return result;
  return { ...result, target: { ...target, pullRequest: { ...pullRequest, state: 'closed' } } };
}
