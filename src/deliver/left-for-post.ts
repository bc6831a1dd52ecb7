import type { Delivered } from '../domain/delivered.ts';
import { checkTitle } from '../report/check-output.ts';
import type { Report } from '../report/report.ts';
import type { WritableState } from '../runner/state.ts';

/**
 * Saves what `post` still has to do: cancel a scan that `main` could not cancel, and complete a check run that does not
 * show the verdict. Clears the saved state that `post` does not need.
 */
export function leaveForPost(
  state: WritableState,
  report: Report,
  { checkRunInProgress }: Pick<Delivered, 'checkRunInProgress'>,
  scanLeftRunning: boolean,
): void {
  const { scanId, target, verdict } = report;
  // If the scan may still be running, the saved scan or launch stays in the state, so that `post` cancels the scan.
  if (!scanLeftRunning) state.clearScan();
  if (checkRunInProgress === undefined || target === undefined) {
    state.clearCheckRun();
    return;
  }
  state.saveCheckRun({
    headSha: target.headSha,
    ...(scanId === undefined ? {} : { scanId }),
    ...(checkRunInProgress === 'not known' ? {} : { id: checkRunInProgress }),
    verdict: { conclusion: verdict.conclusion, title: checkTitle(report) },
  });
}
