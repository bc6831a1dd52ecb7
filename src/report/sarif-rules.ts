import { createHash } from 'node:crypto';
import { type Finding, type Severity, UNTITLED, worstFirst } from '../domain/finding.ts';
import { logLine, logLines, type SafeLogText } from '../text/log-text.ts';
import { cutCharacters } from '../text/visible-text.ts';
import { findingTexts } from './finding-block.ts';
import { md, NOTHING, toText } from './markdown.ts';
import type { WholeReport } from './report.ts';

/** An invisible break. It keeps viewers from finding mentions and references in plain text. */
const BREAK = '\u200b';

/**
 * Escapes foreign text for a SARIF message. The text is also safe for a log, because a viewer may print it there. It
 * has no embedded link (`[text](place)`, SARIF 2.1.0 section 3.11.6) and no placeholder (`{0}`, section 3.11.5). The
 * braces of a placeholder are doubled. All other braces stay single, because some viewers would show a doubled brace as
 * two braces.
 */
export function plainText(text: string): string {
  return withoutMeaning(logLines(text));
}

/** Escapes foreign text like `plainText`, as one line. */
export function plainLine(text: string): string {
  return withoutMeaning(logLine(text));
}

function withoutMeaning(text: SafeLogText): string {
  return withoutPlaceholders(text.replaceAll('](', '] (').replace(/@(?=\w)|#(?=\d)/g, `$&${BREAK}`));
}

/** Escapes placeholders as section 3.11.5 of SARIF 2.1.0 requires, in plain text and in markdown. */
function withoutPlaceholders(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}');
}

/** Hashes the values. Returns the first 16 hexadecimal digits. */
export function hashOf(...values: readonly (string | number | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

/** Makes a name from a text: its ASCII letters and digits, in lower case and joined by dashes. */
export function slugOf(text: string, longest: number): string {
  const segments = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return segments.join('-').slice(0, longest).replace(/-$/, '');
}

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
      'security-severity': SCORES[severity.level],
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
  return cutCharacters(shown, LONGEST_DESCRIPTION) || UNTITLED;
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
