import { confirmTarget } from '../change/changed-target.ts';
import { asClosed, closed } from '../change/superseded.ts';
import { ok, type Result } from '../domain/result.ts';
import { judge, type ScanOutcome } from '../domain/verdict.ts';
import type { GitHubError } from '../github/errors.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Gate } from './gate.ts';
import { notScanned, type RunResult } from './plan.ts';

/** The result from which the verdict is made. */
export interface Confirmed {
  readonly result: RunResult;
  /** The last read of the pull request. The comment uses it, so that the pull request is not read twice. */
  readonly lastRead?: Result<PullRequestState, GitHubError> | undefined;
}

/**
 * Reads the pull request once more before exit 0, because its head or base branch may have changed. If the pull request
 * is closed now, `unchanged` and `paths` do not pass.
 */
export async function confirmResult(gate: Gate, settled: RunResult): Promise<Confirmed> {
  const { deadlines, environment, look, policy } = gate;
  const result = { ...settled, outcome: markSignal(settled.outcome, deadlines.signalled) };
  const { target, pullRequestRead, outcome } = result;
  const isSuperseded = outcome.kind === 'not-scanned' && outcome.failure.reason === 'superseded';
  if (target === undefined || isSuperseded || judge(outcome, policy).exitCode !== 0) {
    return { result };
  }
  const deps = { ...gate, read: look?.read, seen: look?.seen };
  const confirmed = await confirmTarget(deps, target, pullRequestRead, environment.runAttempt === 1);
  const { state, uncounted, isClosed } = confirmed;
  const lastRead = state === undefined ? uncounted : ok(state);
  if (confirmed.kind === 'refused') {
    const refused = { ...result, ...notScanned(confirmed.failure) };
    return { result: isClosed ? { ...refused, target: asClosed(target) } : refused, lastRead };
  }
  // An open pull request can have the head of this one and a different base. `unchanged` and `paths` prove nothing
  // about that pull request, so they do not pass if this one is closed.
  const isAboutThisOne =
    outcome.kind === 'unchanged' || (outcome.kind === 'not-scanned' && outcome.failure.reason === 'paths');
  if (isAboutThisOne && target.pullRequest !== undefined && isClosed) {
    return { result: { ...result, ...notScanned(closed(target.pullRequest.number)) }, lastRead };
  }
  return { result, lastRead };
}

/**
 * Marks a `not-scanned` outcome if a signal cancelled the job. A marked outcome fails, whatever the policy allows. The
 * signal may have come after the end of the work.
 */
function markSignal(outcome: ScanOutcome, { aborted }: AbortSignal): ScanOutcome {
  if (!aborted || outcome.kind !== 'not-scanned') return outcome;
  return { ...outcome, failure: { ...outcome.failure, bySignal: true } };
}
