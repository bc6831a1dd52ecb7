import { type Finding, worstFirst } from '../domain/finding.ts';
import type { Severity } from '../domain/severity.ts';
import { cutCharacters } from '../text/text-limit.ts';
import { findingTexts } from './finding-block.ts';
import { md, NOTHING, toText } from './markdown.ts';
import type { WholeReport } from './report.ts';
import { hashOf, plainLine, plainText, slugOf, withoutPlaceholders } from './sarif-text.ts';

/** GitHub's limit for each description of a rule. */
const LONGEST_DESCRIPTION = 1024;
const LONGEST_SLUG = 60;

export interface SarifRules {
  readonly rules: readonly object[];
  /** The rule's id and its index in the list. */
  readonly ruleOf: (finding: Finding) => { readonly ruleId: string; readonly ruleIndex: number };
}

/**
 * Makes rules for the findings, because the service names no rules.
 *
 * - Findings of the same weakness share a rule. Findings without a weakness share a rule if their titles are equal.
 * - The id of a rule does not contain the severity, because triage can change the severity. If the id changed, code
 *   scanning would open all alerts again.
 * - Code scanning reads the severity from the rule, so each rule has the severity of its worst finding.
 * @param longest the number of characters kept of each text
 */
export function sarifRules(findings: readonly Finding[], report: WholeReport, longest: number): SarifRules {
  const sharing = new Map<string, { index: number; findings: Finding[] }>();
  for (const finding of findings) {
    const id = ruleIdOf(finding);
    const known = sharing.get(id);
    if (known === undefined) sharing.set(id, { index: sharing.size, findings: [finding] });
    else known.findings.push(finding);
  }
  return {
    rules: Array.from(sharing, ([id, one]) => rule(id, one.findings, report, longest)),
    ruleOf: (finding) => {
      const ruleId = ruleIdOf(finding);
      return { ruleId, ruleIndex: sharing.get(ruleId)?.index ?? -1 };
    },
  };
}

/**
 * The id of a finding's rule. It stays the same if triage changes the severity, if lines move, or if the service
 * assigns new finding ids.
 */
export function ruleIdOf({ title, cwe }: Finding): string {
  if (cwe !== undefined) return `cwe-${cwe}`;
  return `${slugOf(title, LONGEST_SLUG) || 'finding'}-${hashOf(title).slice(0, 8)}`;
}

function rule(id: string, findings: readonly Finding[], report: WholeReport, longest: number): object {
  const [first] = findings;
  if (first === undefined) throw new Error('a rule without a finding');
  const common = inCommon(first, findings);
  const { severity } = worstFirst(findings)[0] ?? first;
  const score = SCORES[severity.level];
  return {
    id,
    shortDescription: { text: description(common.title, plainLine) },
    fullDescription: { text: description(common.description ?? common.title) },
    help: {
      text: plainText(
        common.recommendedFix === undefined
          ? SEE_ALERT
          : `How to fix: ${cutCharacters(common.recommendedFix, longest)}`,
      ),
      markdown: helpMarkdown(common, report, longest),
    },
    defaultConfiguration: { level: sarifLevel(severity) },
    properties: {
      tags: ['security', ...(first.cwe === undefined ? [] : [`external/cwe/cwe-${first.cwe}`])],
      ...(score === undefined ? {} : { 'security-severity': score }),
    },
  };
}

/** Returns the first finding. Keeps only the texts that are equal in all findings of the rule. */
function inCommon(first: Finding, findings: readonly Finding[]): Finding {
  const shared = (member: 'description' | 'recommendedFix' | 'proofOfConcept' | 'url') =>
    findings.every((finding) => finding[member] === first[member]) && first[member]?.trim() !== ''
      ? first[member]
      : undefined;
  const sameTitle = findings.every(({ title }) => title === first.title);
  return {
    ...first,
    title: sameTitle || first.cwe === undefined ? first.title : `CWE-${first.cwe}`,
    description: shared('description'),
    recommendedFix: shared('recommendedFix'),
    proofOfConcept: shared('proofOfConcept'),
    url: shared('url'),
  };
}

function helpMarkdown(common: Finding, report: WholeReport, longest: number): string {
  const texts = findingTexts(common, report, longest);
  return withoutPlaceholders(toText(texts === NOTHING ? md`${SEE_ALERT}` : texts));
}

function description(text: string, plain = plainText): string {
  const shown = plain(cutCharacters(text.trim(), LONGEST_DESCRIPTION));
  return cutCharacters(shown, LONGEST_DESCRIPTION) || 'Finding';
}

/** Maps the severity to one of SARIF's three levels. */
export function sarifLevel({ level }: Severity): 'error' | 'warning' | 'note' {
  if (level === 'medium') return 'warning';
  return level === 'low' || level === 'info' ? 'note' : 'error';
}

const SEE_ALERT = 'See the alert and the scanning service for details and the fix.';

/**
 * GitHub's scale: critical from 9.0, high from 7.0, medium from 4.0, low above 0. `info` has no score, so code scanning
 * shows a note. `unknown` ranks above all known severities.
 */
const SCORES: Readonly<Record<Severity['level'], string | undefined>> = {
  unknown: '10.0',
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: undefined,
};
