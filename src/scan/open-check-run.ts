import type { SealedAccess } from '../github/access.ts';
import type { CheckRun } from '../github/check-run.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { type FoundMark, marksOfCheckRuns } from './find-marks.ts';
import type { ScanMark } from './scan-mark.ts';

/** A check run in progress, and the scan that its mark names. */
export interface OpenCheckRun extends CheckRun {
  readonly scanId: string;
  /** True if no other proven mark names the scan. Otherwise this run may follow another run's scan. */
  readonly ownsScan: boolean;
}

type Attempt = Pick<GitHubEnvironment, 'runId' | 'runAttempt'>;

/**
 * The check runs that earlier attempts of this run left in progress because their machines were lost. They match by
 * name, mark and run id. The most recent launch first. Pure.
 */
function openCheckRunsOf(
  { runId, runAttempt }: Attempt,
  marks: readonly FoundMark[],
  checkName: string,
): readonly (OpenCheckRun & { readonly mark: ScanMark })[] {
  return marks.flatMap((mark) => {
    const { scanId, checkRun } = mark;
    if (mark.runId !== runId || mark.runAttempt >= runAttempt) return [];
    if (checkRun?.name !== checkName || checkRun.completed) return [];
    const { id, url } = checkRun;
    const ownsScan = !marks.some((other) => other.scanId === scanId && other.checkRun?.id !== id);
    return [{ id, url, scanId, ownsScan, mark }];
  });
}

/**
 * The newest such check run of this step. Pure.
 * @param isOfStep another job of the run can have the same check name
 */
export function openCheckRunOf(
  attempt: Attempt,
  marks: readonly FoundMark[],
  checkName: string,
  isOfStep: (mark: ScanMark) => boolean,
): OpenCheckRun | undefined {
  return openCheckRunsOf(attempt, marks, checkName).find(({ mark }) => isOfStep(mark));
}

/**
 * Looks for these check runs if the marks of the head were not read, and it is not known which belong to this step.
 * There are none on the first attempt.
 */
export async function findOpenCheckRuns(
  deps: SealedAccess,
  attempt: Attempt,
  headSha: string,
  checkName: string,
): Promise<readonly OpenCheckRun[]> {
  // Without the token, no mark can be proven.
  if (attempt.runAttempt === 1 || deps.seal.isEmpty) return [];
  const marks = await marksOfCheckRuns(deps, headSha);
  return marks.ok ? openCheckRunsOf(attempt, marks.value, checkName) : [];
}
