import { type Finding, isOpen } from '../domain/finding.ts';
import type { Result } from '../domain/result.ts';
import type { NamedScan, Scan, ScanFacts } from '../domain/scan.ts';
import type { Disclosure } from '../domain/target.ts';
import {
  type EvidenceLevel,
  evidenceInput,
  type GatePolicy,
  isAtGate,
  mildestOf,
  neededEvidence,
  type ScanOutcome,
} from '../domain/verdict.ts';
import type { CheckRun } from '../github/check-run.ts';
import type { GitHubError } from '../github/errors.ts';
import type { ServiceStep } from '../start/step.ts';
import { foreignLine } from '../text/visible-text.ts';
import { readFindings } from './findings.ts';
import type { CompletedScan } from './wait.ts';

/**
 * Our choice: the maximum length of a quoted word, in characters. The service's words for severities, triage and
 * evidence are shorter.
 */
const LONGEST_WORD = 40;
const MOST_VALUES = 5;

/** Makes warnings about the result of a completed scan. Each warning is plain text, and may quote words of findings. */
export function resultNotices(
  scan: Scan,
  findings: readonly Finding[],
  policy: GatePolicy,
  disclosure: Disclosure,
): string[] {
  const quotes = disclosure !== 'labels';
  return [
    ...unfinishedPhases(scan),
    ...unknownSeverities(findings, quotes),
    ...unknownEvidence(findings, policy, quotes),
  ];
}

function unfinishedPhases({ progress: { phasesCompleted, phasesTotal } }: Scan): string[] {
  if (phasesCompleted === undefined || phasesTotal === undefined || phasesCompleted >= phasesTotal) return [];
  return [
    `The scan is COMPLETED, but only ${phasesCompleted} of ${phasesTotal} phases finished, so findings can be missing. See the scan in the scanning service. To scan again, push a commit.`,
  ];
}

function unknownSeverities(findings: readonly Finding[], quotes: boolean): string[] {
  const unknown = findings.filter((finding) => isOpen(finding) && finding.severity.level === 'unknown');
  return because(unknown, 'severity', ({ severity }) => severity.word, {
    one: '1 finding ranks above critical',
    many: (count) => `${count} findings rank above critical`,
    quotes,
  });
}

function unknownEvidence(findings: readonly Finding[], policy: GatePolicy, quotes: boolean): string[] {
  const { failOn } = policy;
  const needing = (...levels: readonly EvidenceLevel[]) =>
    findings.filter((finding) => {
      const needed = neededEvidence(failOn, finding.severity);
      return isAtGate(finding, policy) && needed !== undefined && levels.includes(needed);
    });
  const option = `With \`${evidenceInput(failOn)}\``;
  const gate = `at or above ${mildestOf(failOn)}`;
  const claim = {
    one: `${option}, 1 finding ${gate} counts as proven`,
    many: (count: number) => `${option}, ${count} findings ${gate} count as proven`,
    quotes,
  };
  const untriaged = needing('confirmed', 'poc').filter(({ triage }) => triage?.confirms === undefined);
  const unproven = needing('poc').filter(
    ({ triage, evidence }) => triage?.confirms === true && evidence !== 'POC' && evidence !== 'ANALYSIS',
  );
  return [
    ...because(untriaged, 'triage', ({ triage }) => triage?.word, claim),
    ...because(unproven, 'evidence', ({ evidence }) => evidence, claim),
  ];
}

/**
 * Makes one sentence about the findings for which `wordOf` returns nothing, and one about the findings with an unknown
 * word.
 * @param what the name of the value that the word shows, for example "severity"
 */
function because(
  findings: readonly Finding[],
  what: string,
  wordOf: (finding: Finding) => string | null | undefined,
  claim: {
    readonly one: string;
    readonly many: (count: number) => string;
    /** True if the sentences may quote unknown words. */
    readonly quotes: boolean;
  },
): string[] {
  const values = findings.map((finding) => foreignLine(wordOf(finding) ?? '', LONGEST_WORD));
  const unknown = values.filter((word) => word !== '');
  const silent = values.length - unknown.length;
  const said = (count: number) => (count === 1 ? claim.one : claim.many(count));
  const whose = (count: number) => (count === 1 ? 'its' : 'their');
  return [
    ...(silent > 0 ? [`${said(silent)} because the service does not show ${whose(silent)} ${what}.`] : []),
    ...(unknown.length > 0
      ? [
          `${said(unknown.length)} because ${whose(unknown.length)} ${what} is unknown${claim.quotes ? `: ${listDistinct(unknown)}` : ''}.`,
        ]
      : []),
  ];
}

function listDistinct(values: readonly string[]): string {
  const different = [...new Set(values)];
  const more = different.length - MOST_VALUES;
  return `${different.slice(0, MOST_VALUES).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** The outcome, and what the run knows about the scan, its check run and the cost of the pull request. */
export interface ScanResult extends ScanFacts {
  readonly outcome: ScanOutcome;
  /** When the scan was launched, in whole seconds since the epoch. */
  readonly launchedAt?: number;
  /** True if the mark in the check run names a scan that turned out not to come from this run's launch. */
  readonly isMarkWrong?: boolean;
  /** The check run that this step has in progress, or why the step could not create one. */
  readonly checkRun?: Result<CheckRun, GitHubError> | undefined;
  /**
   * True if a scan may still be running: it could not be cancelled, or its launch was not answered. The `post` step
   * tries to cancel it again.
   */
  readonly mayStillBeRunning?: boolean;
}

/** Reads the findings of a completed scan. If that fails, the outcome is "not scanned". */
export async function readResult(
  step: ServiceStep,
  named: NamedScan,
  { scan, commitConfirmed, baseConfirmed }: CompletedScan,
  policy: GatePolicy,
  disclosure: Disclosure,
): Promise<ScanResult> {
  const read = await readFindings(step, named, policy);
  const confirmed = { commitConfirmed, baseConfirmed };
  if (!read.ok) return { outcome: { kind: 'not-scanned', failure: read.error }, ...confirmed };
  const { findings, warnings } = read.value;
  step.warn(...warnings, ...resultNotices(scan, findings, policy, disclosure));
  return { outcome: { kind: 'completed', scan, findings }, ...confirmed };
}
