import type { Delivered } from '../domain/check-output.ts';
import { isScanned } from '../domain/verdict.ts';
import type { ReadPullRequest } from '../github/pull-request-state.ts';
import { NO_ANNOTATIONS, toAnnotations } from '../report/check-output.ts';
import { headline } from '../report/headline.ts';
import { renderJsonReport } from '../report/json-report.ts';
import { type Report, toReport, type WholeReport } from '../report/report.ts';
import { renderSarif } from '../report/sarif.ts';
import { coversNothing, fitSummary, renderSummary } from '../report/summary.ts';
import type { Warn } from '../runner/log.ts';
import type { WritableState } from '../runner/state.ts';
import { type DeliveredCheckRun, deliverCheckRun, inProgressOf, type StepCheckRun } from './check-run.ts';
import { deliverComment } from './comment.ts';
import { annotateInLog, closeLog, deliverToLog } from './job-log.ts';
import { attempt, type Delivery, deliverFile } from './place.ts';

/**
 * Saves what `post` still has to do: cancel a scan that `main` could not cancel, and complete a check run that does not
 * show the verdict. Clears the saved state that `post` does not need.
 */
export function leaveForPost(
  state: WritableState,
  report: Report,
  checkRunInProgress: Delivered['checkRunInProgress'],
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
    verdict: { conclusion: verdict.conclusion, title: headline(report).text },
  });
}

/**
 * Delivers the report. The files get the whole report. GitHub shows only what the disclosure allows.
 *
 * If an output fails, the later outputs show a warning. The failure does not change the verdict, and does not stop the
 * delivery.
 */
export async function deliver(
  deps: Delivery,
  whole: WholeReport,
  checkRun: StepCheckRun | undefined,
  mark?: string,
  readPullRequest?: ReadPullRequest,
): Promise<Delivered> {
  const { log, inputs, warnings } = deps;
  const { warn } = warnings;
  const report = toReport(whole);
  const withholdsSarif = report.target?.event === 'push' && inputs.sarifFile !== undefined;
  if (withholdsSarif && isScanned(report.verdict)) warn(NO_SARIF_OF_PUSH);
  // Without a scan, the SARIF file would have no findings, and code scanning would close the existing alerts.
  const sarifPath = withholdsSarif || !isScanned(report.verdict) ? undefined : inputs.sarifFile;
  const lists = await attempt('job summary', warn, async () => fitSummary(report));
  const coverage = lists ?? coversNothing(report);
  await attempt('log', warn, async () => deliverToLog(log, report, coverage));
  const annotated =
    (inputs.annotations === 'off'
      ? undefined
      : await attempt('annotations', warn, async () => toAnnotations(report))) ?? NO_ANNOTATIONS;
  const started = checkRun?.started?.ok ? checkRun.started.value : undefined;
  let shown: DeliveredCheckRun = {
    url: started?.url,
    inProgress: inProgressOf(checkRun?.started),
    unshown: annotated.annotations,
  };
  const added = () => ({ checkRunUrl: shown.url, warnings: warnings.list() });
  const now = (): Report => ({ ...report, ...added() });
  const wholeNow = (): WholeReport => ({ ...whole, ...added() });

  // The check run and the comment are delivered at the same time. The warnings about the comment are added afterwards,
  // so that the warnings always have the same order.
  const ofComment: string[] = [];
  const warnLater: Warn = (...sentences) => void ofComment.push(...sentences);
  const [completed, commentUrl] = await Promise.all([
    checkRun &&
      attempt('check run', warn, () => deliverCheckRun(deps, now(), checkRun, annotated, warn, coverage)),
    attempt('comment', warnLater, () =>
      deliverComment(deps, now(), mark, warnLater, readPullRequest, coverage),
    ),
  ]);
  warn(...ofComment);
  shown = completed ?? shown;
  const [sarifFile, reportFile] = [
    await attempt('SARIF file', warn, () => deliverFile(deps.workspace, sarifPath, wholeNow(), renderSarif)),
    await attempt('JSON report', warn, () =>
      deliverFile(deps.workspace, inputs.reportFile, wholeNow(), renderJsonReport),
    ),
  ];
  const written = await attempt('job summary', warn, async () => {
    await deps.writeSummary(renderSummary(now(), lists));
    return lists;
  });
  if (shown.unshown.length > 0) annotateInLog(log, shown.unshown, annotated.leftOut, written);
  const delivered = {
    checkRunUrl: shown.url,
    commentUrl,
    sarifFile,
    reportFile,
    checkRunInProgress: shown.inProgress,
  };
  await attempt('log', warn, async () => closeLog(log, now(), delivered));
  return delivered;
}

/**
 * Code scanning takes an upload as the full list of alerts of a branch. It closes the alerts that are not in the
 * upload.
 */
const NO_SARIF_OF_PUSH =
  'No SARIF file was written: uploading the findings of one push would close all other alerts of the branch. Set `sarif-file` on full scans only.';
