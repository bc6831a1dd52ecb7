import type { Delivered } from '../domain/delivered.ts';
import { checkTitle } from '../report/check-output.ts';
import type { Report } from '../report/report.ts';
import type { RunState } from '../state.ts';

/**
 * Saves what `post` still has to do by now: cancel a scan that could not be cancelled, complete a check run that the
 * verdict did not reach. Clears the state where nothing is left.
 */
export function leaveForPost(
  state: Pick<RunState, 'save' | 'clear'>,
  report: Report,
  { checkRunInProgress }: Pick<Delivered, 'checkRunInProgress'>,
  scanLeftRunning: boolean,
): void {
  const { projectId, scanId, target, verdict } = report;
  // A launch was lost and is not settled: what was saved before it is all that there is to look for.
  if (scanLeftRunning && scanId === undefined) return;
  const nothing = !scanLeftRunning && checkRunInProgress === undefined;
  if (nothing || projectId === undefined || scanId === undefined || target === undefined) {
    state.clear();
    return;
  }
  state.save({
    projectId,
    scanId,
    headSha: target.headSha,
    scanEnded: !scanLeftRunning,
    ...(typeof checkRunInProgress === 'number' ? { checkRunId: checkRunInProgress } : {}),
    verdict: { conclusion: verdict.conclusion, title: checkTitle(report) },
  });
}
