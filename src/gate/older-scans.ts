import { ok } from '../domain/result.ts';
import { isTerminal } from '../domain/scan.ts';
import { findProject } from '../preflight/preflight.ts';
import {
  cancelScan,
  cancelSupersededScans,
  describeCancellation,
  findMarksOfRunning,
} from '../scan/cancel.ts';
import { type FoundMark, findOpenCheckRuns } from '../scan/marks.ts';
import { isNotFound } from '../scan-api/api-error.ts';
import type { ChangeDeps } from './launch-change.ts';
import type { EndPlan, LaunchableChange, RunResult } from './plan.ts';

/** Ends a run that scans nothing. Cancels the running scans of older heads, if the plan requires it. */
export async function endWithoutScan(deps: ChangeDeps, { result, superseding }: EndPlan): Promise<RunResult> {
  if (superseding !== undefined) await cancelForOlderHeads(deps, superseding, superseding.marks);
  return result;
}

/**
 * Cancels the running scans of older heads of the target's pull request.
 * @param marks the marks of earlier scans, as they were at the start of the run
 */
export async function cancelForOlderHeads(
  deps: ChangeDeps,
  { target, preflight, diffBase }: LaunchableChange,
  marks: readonly FoundMark[],
): Promise<void> {
  const { pullRequest, headSha } = target;
  if (pullRequest === undefined) return;
  const superseding = {
    projectId: preflight.projectId,
    repositoryId: preflight.repository.id,
    pullRequest: pullRequest.number,
    headSha,
    runId: deps.environment.runId,
  };
  const { baseSha } = diffBase;
  const forgotten =
    pullRequest.headIsNew && pullRequest.previousHead === undefined
      ? []
      : await findMarksOfRunning(deps, preflight.scans, marks, { ...superseding, baseSha });
  const onPullRequestRead = deps.look?.saw;
  const all = [...forgotten, ...marks];
  await cancelSupersededScans({ ...deps, onPullRequestRead }, preflight.scans, all, superseding);
}

/**
 * Takes over the check run that an earlier attempt of this run left in progress. `scanChange` may have done that
 * already.
 *
 * If the pull request is closed, also cancels the scans of the earlier attempt, because no run can use them. There can
 * be several scans, because several steps can use the same check name.
 */
export async function settleEarlierAttempt(deps: ChangeDeps, result: RunResult): Promise<RunResult> {
  const { github, environment, seal, deadlines, inputs } = deps;
  const { target, outcome, identity, checkRun } = result;
  if (target === undefined) return result;
  const isUnsupported = outcome.kind === 'not-scanned' && outcome.failure.reason === 'unsupported-event';
  const isClosed = isUnsupported && target.pullRequest?.state === 'closed';
  if (identity !== undefined && !isClosed) return result;
  const look = { github, seal, signal: deadlines.wrapUp };
  const open = await findOpenCheckRuns(look, environment, target.headSha, inputs.checkName);
  const [newest] = open;
  if (newest === undefined) return result;
  const taken = identity === undefined ? { ...result, checkRun: ok(newest) } : result;
  if (!isClosed) return taken;
  // If the run called `scanChange`, it knows the check run of its step. It then cancels only the scan of this check
  // run, because a second step may still follow its own scan.
  const ofStep =
    identity === undefined ? open : open.filter(({ id }) => checkRun?.ok && id === checkRun.value.id);
  const owned = ofStep.filter(({ ownsScan }) => ownsScan).map(({ scanId }) => scanId);
  const mayStillBeRunning = await cancelLeftScans(deps, owned);
  return mayStillBeRunning ? { ...taken, mayStillBeRunning } : taken;
}

/** @returns true if a cancellation failed; `post` then tries again */
async function cancelLeftScans(
  { api, token, inputs, deadlines, log, warn, state }: ChangeDeps,
  scanIds: readonly string[],
): Promise<boolean> {
  if (scanIds.length === 0) return false;
  const signal = deadlines.cancelling;
  const mayRun = (scanId: string, cause: string) =>
    warn(
      `Scan \`${scanId}\` of an earlier attempt may still be running and using credits: cancel it in the service. ${cause}`,
    );
  const askToken = async () => {
    const answer = await token();
    // A stop ends the request, but leaves time to cancel the scans.
    const isStopped = !answer.ok && answer.error.kind === 'stopped';
    return isStopped ? api.token({ signal }) : answer;
  };
  const project = await findProject(askToken, inputs.projectId);
  if (!project.ok) {
    for (const scanId of scanIds) mayRun(scanId, project.error.cause);
    return false;
  }
  const projectId = project.value;
  const running: string[] = [];
  for (const scanId of scanIds) {
    const read = await api.readScan(projectId, scanId, { signal });
    const isGone = !read.ok && isNotFound(read.error);
    if (isGone || (read.ok && isTerminal(read.value.status))) continue;
    // If the job is killed before the scan is cancelled, `post` cancels it.
    state.saveScan({ projectId, scanId });
    const cancellation = await cancelScan(api, projectId, scanId, signal);
    if (cancellation.kind !== 'failed') log.info(describeCancellation(scanId, cancellation));
    else {
      running.push(scanId);
      mayRun(scanId, cancellation.cause);
    }
  }
  const [first] = running;
  if (first === undefined) return false;
  state.saveScan({ projectId, scanId: first });
  return true;
}
