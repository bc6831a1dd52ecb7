import type { CheckRun } from '../github/check-run.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { type FoundMark, type MarkDeps, marksOfCheckRuns } from './find-marks.ts';
import type { ScanMark } from './scan-mark.ts';

/** A check run in progress, and the scan that its mark names. */
export interface OpenCheckRun extends CheckRun {
  readonly scanId: string;
  /** No other proven mark names the scan: it is not one that this run follows in place of its own. */
  readonly ownsScan: boolean;
}

/**
 * The check run that an earlier attempt of this run left in progress, by name, mark and run id: the machine of that
 * attempt was lost. Pure.
 * @param isOfStep another job of the run can have the same check name; left out: what this step scans is not known
 */
export function openCheckRunOf(
  { runId, runAttempt }: Pick<GitHubEnvironment, 'runId' | 'runAttempt'>,
  marks: readonly FoundMark[],
  checkName: string,
  isOfStep: (mark: ScanMark) => boolean = () => true,
): OpenCheckRun | undefined {
  const found = marks.find(
    (mark) =>
      mark.runId === runId &&
      mark.runAttempt < runAttempt &&
      mark.checkRun?.name === checkName &&
      !mark.checkRun.completed &&
      isOfStep(mark),
  );
  if (found?.checkRun === undefined) return undefined;
  const { id, url } = found.checkRun;
  const { scanId } = found;
  const ownsScan = !marks.some((mark) => mark.scanId === scanId && mark.checkRun?.id !== id);
  return { id, url, scanId, ownsScan };
}

/** Looks for that check run where the marks of the head were not read. Undefined on the first attempt. */
export async function findOpenCheckRun(
  deps: Pick<MarkDeps, 'github' | 'signal' | 'inputs'>,
  environment: Pick<GitHubEnvironment, 'runId' | 'runAttempt'>,
  headSha: string,
): Promise<OpenCheckRun | undefined> {
  const { apiToken, checkName } = deps.inputs;
  // Without the token no mark is proven.
  if (environment.runAttempt === 1 || apiToken === '') return undefined;
  const marks = await marksOfCheckRuns(deps, headSha);
  return marks.ok ? openCheckRunOf(environment, marks.value, checkName) : undefined;
}
