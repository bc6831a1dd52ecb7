import type { FoundMark } from '../scan/find-marks.ts';
import { cancelSupersededScans, findMarksOfRunning } from '../scan/superseded-scans.ts';
import type { ChangeDeps } from './launch-change.ts';
import type { LaunchableChange } from './launch-plan.ts';
import type { EndPlan } from './plan.ts';
import type { RunResult } from './run-result.ts';

/** The run ends without a scan of its head. What may still run for an older one is cancelled all the same. */
export async function endWithoutScan(deps: ChangeDeps, { result, superseding }: EndPlan): Promise<RunResult> {
  if (superseding !== undefined) await cancelForOlderHeads(deps, superseding, superseding.marks);
  return result;
}

/**
 * Cancels what still runs for an older head of the target's pull request, whatever becomes of this head.
 * @param marks as they were when the run began
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
  await cancelSupersededScans(deps, [...forgotten, ...marks], superseding);
}
