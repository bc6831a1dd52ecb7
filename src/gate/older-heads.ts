import type { GitHubEnvironment } from '../github/environment.ts';
import type { FoundMark } from '../scan/find-marks.ts';
import { cancelSupersededScans, findMarksOfRunning } from '../scan/superseded-scans.ts';
import type { ChangeDeps } from './launch-change.ts';
import type { LaunchableChange } from './launch-plan.ts';

/**
 * Cancels what still runs for an older head of the target's pull request, whatever becomes of this head.
 * @param marks as they were when the run began
 */
export async function cancelForOlderHeads(
  deps: Pick<ChangeDeps, 'api' | 'github' | 'seal' | 'signal' | 'log' | 'warn'>,
  { target, preflight, diffBase }: LaunchableChange,
  { runId }: Pick<GitHubEnvironment, 'runId'>,
  marks: readonly FoundMark[],
): Promise<void> {
  const { pullRequest, headSha } = target;
  if (pullRequest === undefined) return;
  const superseding = {
    projectId: preflight.projectId,
    repositoryId: preflight.repository.id,
    pullRequest: pullRequest.number,
    headSha,
    runId,
  };
  const { baseSha } = diffBase;
  const forgotten =
    pullRequest.headIsNew && pullRequest.previousHead === undefined
      ? []
      : await findMarksOfRunning(deps, preflight.scans, marks, { ...superseding, baseSha });
  await cancelSupersededScans(deps, [...forgotten, ...marks], superseding);
}
