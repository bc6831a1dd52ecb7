import type { Delivered } from '../domain/delivered.ts';
import { findingLines } from '../report/finding-lines.ts';
import { headline, headlineLine, unlistedWords } from '../report/headline.ts';
import type { Report } from '../report/report.ts';
import type { Log } from '../runner/log.ts';

/**
 * The log is readable without the other places: every reported finding in a line, then the verdict. It comes before
 * the other places, so that a job that is killed while one of them is slow has told it. What to do about a red one is
 * the last word.
 */
export function deliverToLog(log: Log, report: Report): void {
  const { reported } = report.verdict.findings;
  if (reported.length > 0) log.group(`Findings (${reported.length}, worst first)`, findingLines(report));
  const unlisted = unlistedWords(report);
  if (unlisted !== undefined) log.info(`Not listed here: ${unlisted}; the job summary has them.`);
  log.info(report.verdict.exitCode === 0 ? verdictAndNext(report) : verdictOf(report));
}

/** The end of the log: where the report is, folded, and a verdict that is red once more, because the end is read first. */
export function closeLog(log: Log, report: Report, delivered: Delivered): void {
  const places = [
    ['Check run', delivered.checkRunUrl],
    ['Comment', delivered.commentUrl],
    ['Published page', report.publication?.url],
    ['SARIF file', delivered.sarifFile],
    ['JSON report', delivered.reportFile],
  ].flatMap(([place, where]) => (where === undefined ? [] : [`${place}: ${where}`]));
  if (places.length > 0) log.group('Where the report is', places);
  if (report.verdict.exitCode !== 0) log.error(verdictAndNext(report));
}

function verdictOf({ verdict, policy }: Report): string {
  return `${headlineLine(headline(verdict, policy)).replace(/\.$/, '')}.`;
}

function verdictAndNext(report: Report): string {
  return `${verdictOf(report)} ${headline(report.verdict, report.policy).nextStep}`;
}
