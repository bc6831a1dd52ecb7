import { setOutput } from '@actions/core';
import type { Delivered } from '../domain/check-output.ts';
import { describeRun } from '../report/json-report.ts';
import type { Report, WholeReport } from '../report/report.ts';
import { cutCharacters } from '../text/visible-text.ts';

/** The most characters of the output `scan-status`. Our choice. The statuses of the service are shorter. */
const LONGEST_STATUS = 40;

/** Computes all outputs of a run, in the order of `action.yml`. An output without a value is an empty string. Pure. */
export function outputsOf(report: Report | WholeReport, delivered: Delivered = {}) {
  const { outcome, reason, scanKind, baseCommit, headCommit, scan, counts, ...run } = describeRun(report);
  return {
    outcome,
    reason: reason ?? '',
    'scan-id': scan.id ?? '',
    'scan-status': cutCharacters(scan.status ?? '', LONGEST_STATUS),
    'scan-kind': scanKind ?? '',
    'scan-reused': scan.id === null ? '' : String(scan.reused),
    'base-commit': baseCommit ?? '',
    'head-commit': headCommit ?? '',
    'findings-total': String(counts?.total ?? ''),
    'findings-reported': String(counts?.reported ?? ''),
    'findings-blocking': String(counts?.blocking ?? ''),
    'severity-counts': counts === null ? '' : JSON.stringify(counts.severities),
    'highest-severity': counts?.highest ?? '',
    'credits-reserved': String(scan.creditsReserved ?? ''),
    'credits-pull-request': String(run.creditsPullRequest?.credits ?? ''),
    'public-url': run.links.published ?? '',
    'public-password': report.publication?.accessPassword ?? '',
    'check-run-url': delivered.checkRunUrl ?? '',
    'comment-url': delivered.commentUrl ?? '',
    'sarif-file': delivered.sarifFile ?? '',
    'report-file': delivered.reportFile ?? '',
  };
}
export type Outputs = Readonly<ReturnType<typeof outputsOf>>;

/** Passes all outputs to the runner. Throws if the runner's output file cannot be written. */
export function writeOutputs(outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

export interface DoctorOutputs {
  readonly ready: boolean;
  /** The number of errors. */
  readonly problems: number;
}

/** Passes the outputs of the doctor to the runner. Throws if the runner's output file cannot be written. */
export function writeDoctorOutputs({ ready, problems }: DoctorOutputs): void {
  setOutput('ready', String(ready));
  setOutput('problems', String(problems));
}

/** Passes the outputs of the triage action to the runner. Throws if the runner's output file cannot be written. */
export function writeTriageOutputs(outputs: Readonly<Record<'rerun', string>>): void {
  setOutput('rerun', outputs.rerun);
}
