import type { FoundMark } from '../scan/find-marks.ts';
import { cancelSupersededScans, findMarksOfRunning } from '../scan/superseded-scans.ts';
import type { ChangeDeps } from './launch-change.ts';
import type { LaunchableChange } from './launch-plan.ts';
import type { EndPlan } from './plan.ts';
import type { RunResult } from './run-result.ts';

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
