import type { Log } from '../log.ts';
import { findingLines } from '../report/finding-lines.ts';
import { headline, headlineLine } from '../report/headline.ts';
import type { Report } from '../report/report.ts';

/** The log is readable without the other places: every reported finding in a line, the verdict last. */
export function deliverToLog(log: Log, report: Report): void {
  const { reported } = report.verdict.findings;
  if (reported.length > 0) log.group(`Findings (${reported.length})`, findingLines(report));
  const said = headline(report.verdict, report.policy);
  const text = `${headlineLine(said).replace(/\.$/, '')}. ${said.nextStep}`;
  if (report.verdict.exitCode === 0) log.info(text);
  else log.error(text);
}
