import { setOutput } from '@actions/core';
import type { Delivered } from '../domain/check-output.ts';
import type { Reason } from '../domain/result.ts';
import { scanKindOf } from '../domain/target.ts';
import { isScanned } from '../domain/verdict.ts';
import type { Report } from '../report/report.ts';
import { cutCharacters } from '../text/visible-text.ts';

/** All outputs of the step, in the order of `action.yml`. */
export const OUTPUT_NAMES = [
  'outcome',
  'reason',
  'scan-id',
  'scan-status',
  'scan-kind',
  'scan-reused',
  'base-commit',
  'head-commit',
  'findings-total',
  'findings-reported',
  'findings-blocking',
  'severity-counts',
  'highest-severity',
  'credits-reserved',
  'credits-pull-request',
  'public-url',
  'public-password',
  'check-run-url',
  'comment-url',
  'sarif-file',
  'report-file',
] as const;
type OutputName = (typeof OUTPUT_NAMES)[number];
/** The most characters of the output `scan-status`. Our choice. The statuses of the service are shorter. */
const LONGEST_STATUS = 40;
export type Outputs = Readonly<Record<OutputName, string>>;

/** Computes all outputs of a run. An output without a value is an empty string. Pure. */
export function outputsOf(report: Report, delivered: Delivered): Outputs {
  const { verdict, diffBase, publication } = report;
  const scanned = isScanned(verdict);
  const count = (findings: readonly unknown[]) => (scanned ? String(findings.length) : '');
  return {
    outcome: verdict.outcome,
    reason: verdict.failure?.reason ?? '',
    'scan-id': report.scanId ?? '',
    'scan-status': cutCharacters(report.scanStatus ?? '', LONGEST_STATUS),
    'scan-kind': report.target === undefined ? '' : scanKindOf(report.target),
    'scan-reused': report.scanId === undefined ? '' : String(report.reused),
    'base-commit': diffBase?.baseSha ?? '',
    'head-commit': report.target?.headSha ?? '',
    'findings-total': scanned ? String(verdict.findings.total) : '',
    'findings-reported': count(verdict.findings.reported),
    'findings-blocking': count(verdict.findings.blocking),
    'severity-counts': scanned ? JSON.stringify(verdict.findings.counts) : '',
    'highest-severity': verdict.findings.highest ?? '',
    'credits-reserved': report.creditsReserved === undefined ? '' : String(report.creditsReserved),
    'credits-pull-request': String(report.creditsPullRequest ?? ''),
    'public-url': publication?.url ?? '',
    'public-password': publication?.accessPassword ?? '',
    'check-run-url': delivered.checkRunUrl ?? '',
    'comment-url': delivered.commentUrl ?? '',
    'sarif-file': delivered.sarifFile ?? '',
    'report-file': delivered.reportFile ?? '',
  };
}

/**
 * The outputs of a run that could not begin, or that had an unexpected error. They say that nothing was scanned, and
 * why.
 */
export function outputsOfFailure(reason: Reason): Partial<Outputs> {
  return { outcome: 'not-scanned', reason };
}

/**
 * Passes all outputs to the runner. A missing output becomes empty. Throws if the runner's output file cannot be
 * written.
 */
export function writeOutputs(outputs: Partial<Outputs>): void {
  for (const name of OUTPUT_NAMES) setOutput(name, outputs[name] ?? '');
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
