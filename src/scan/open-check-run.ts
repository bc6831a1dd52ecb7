import type { SealedAccess } from '../github/access.ts';
import type { CheckRun } from '../github/check-run.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { type FoundMark, marksOfCheckRuns } from './find-marks.ts';
import type { ScanMark } from './scan-mark.ts';

/** A check run in progress. Its mark names a scan. */
export interface OpenCheckRun extends CheckRun {
  readonly scanId: string;
  /**
   * True if only the mark of this check run names the scan. If another proven mark also names the scan, the scan may
   * belong to another run.
   */
  readonly ownsScan: boolean;
}

type Attempt = Pick<GitHubEnvironment, 'runId' | 'runAttempt'>;

/**
 * Returns the check runs with the name `checkName` that earlier attempts of this run left in progress. The mark in the
 * check run has to name this run and an earlier attempt. The most recent launch comes first. Pure.
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
 * Returns the newest check run that earlier attempts of this step left in progress. Pure.
 * @param isOfStep says whether this step wrote a mark; another job of the run can use the same check name
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
 * Reads the check runs with the name `checkName` that earlier attempts of this run left in progress. They can be from
 * any step of the run. Returns none on the first attempt. An attempt calls this if it ends before it reads the marks.
 */
export async function findOpenCheckRuns(
  deps: SealedAccess,
  attempt: Attempt,
  headSha: string,
  checkName: string,
): Promise<readonly OpenCheckRun[]> {
  // No mark can be proven without the token.
  if (attempt.runAttempt === 1 || deps.seal.isEmpty) return [];
  const marks = await marksOfCheckRuns(deps, headSha);
  return marks.ok ? openCheckRunsOf(attempt, marks.value, checkName) : [];
}
