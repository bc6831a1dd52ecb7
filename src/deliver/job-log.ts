import type { CheckAnnotation, Delivered } from '../domain/check-output.ts';
import { countOf, headline, TO_GET_A_SCAN, unlistedText } from '../report/headline.ts';
import { readOnLine } from '../report/links.ts';
import { findingLines } from '../report/log-lines.ts';
import type { Report } from '../report/report.ts';
import { placeOfUnlisted, type SummaryCoverage } from '../report/summary.ts';
import type { Log } from '../runner/log.ts';

/**
 * Writes every reported finding as one line, then the verdict. If the run passes, also writes the next step. The log is
 * written before the other outputs, so that it is complete even if the job is killed during a slow output.
 */
export function deliverToLog(log: Log, report: Report, coverage: SummaryCoverage): void {
  const { reported } = report.verdict.findings;
  if (reported.length > 0) log.group(`Findings (${reported.length}, worst first)`, findingLines(report));
  const readOn = readOnLine(report);
  if (readOn !== undefined) log.info(readOn);
  const unlisted = unlistedText(report);
  if (unlisted !== undefined) {
    log.info(`Not listed here: ${unlisted}. See the list ${placeOfUnlisted(report, coverage)}.`);
  }
  if (report.verdict.exitCode !== 0) {
    log.info(verdictOf(report));
    return;
  }
  const { problems, nextStep } = headline(report);
  const next = report.verdict.allowed ? `${TO_GET_A_SCAN}: ${nextStep}` : nextStep;
  log.info(problems.length === 0 ? `${verdictOf(report)} ${next}` : verdictOf(report));
  for (const problem of problems) log.info(`- ${problem}`);
  if (problems.length > 0) log.info(next);
}

/**
 * Ends the log with a group that says where the report is. If the run fails, repeats the verdict and the next step,
 * because people read the end first.
 */
export function closeLog(log: Log, report: Report, delivered: Delivered): void {
  const places = [
    ['Check run', delivered.checkRunUrl],
    ['Comment', delivered.commentUrl],
    ['Published page', report.publication?.url],
    ['SARIF file', delivered.sarifFile],
    ['JSON report', delivered.reportFile],
  ].flatMap(([place, where]) => (where === undefined ? [] : [`${place}: ${where}`]));
  if (places.length > 0) log.group('Where the report is', places);
  if (report.verdict.exitCode === 0) return;
  const { problems, nextStep } = headline(report);
  if (problems.length === 0) log.error(`${verdictOf(report)} ${nextStep}`);
  else log.error(verdictOf(report), [...problems.map((problem) => `- ${problem}`), nextStep]);
}

function verdictOf(report: Report): string {
  const { text, cause = '' } = headline(report);
  return `${text}. ${cause}`.trimEnd();
}

/**
 * Writes into the log the annotations that are missing from the check run. The runner silently drops annotations above
 * its limit, so the log says how many findings have no annotation because of a limit.
 * @param leftOutBefore the number of findings that have no annotation because they exceed `MOST_ANNOTATIONS`
 * @param coverage which findings the job summary leaves out; undefined if the summary was not written
 */
export function annotateInLog(
  log: Log,
  annotations: readonly CheckAnnotation[],
  leftOutBefore: number,
  coverage: SummaryCoverage | undefined,
): void {
  const dropped = annotations.filter((annotation) => !log.annotate(annotation)).length;
  const leftOut = dropped + leftOutBefore;
  if (leftOut === 0) return;
  const where = coverage?.leftOut.reported === 0 ? 'The job summary lists' : 'This log lists';
  log.info(
    `${countOf(leftOut, 'more finding')} not annotated: GitHub shows 10 annotations of each level per step. ${where} all reported findings.`,
  );
}
