import type { Disclosure } from '../domain/disclosure.ts';
import { type EvidenceLevel, evidenceInput, mildestOf, neededEvidence } from '../domain/fail-on.ts';
import { type Finding, isOpen } from '../domain/finding.ts';
import type { Scan } from '../domain/scan.ts';
import { type GatePolicy, isAtGate } from '../domain/verdict.ts';
import { foreignLine } from '../text/foreign-text.ts';

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
