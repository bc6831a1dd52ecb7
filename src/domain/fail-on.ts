import { SEVERITY_LEVELS, type Severity, type SeverityLevel, severityRank } from './severity.ts';

/** From the least evidence to the most. */
export const EVIDENCE_LEVELS = ['any', 'confirmed', 'poc'] as const;
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

/** One severity that `fail-on` names. */
export interface FailOnRule {
  readonly severity: SeverityLevel;
  readonly evidence: EvidenceLevel;
}

/** What blocks: the inputs `fail-on` and `fail-on-evidence`, read. */
export interface FailOn {
  /**
   * Worst first. A rule applies to its severity and to every worse one below the previous rule, and needs more evidence
   * than that rule. Empty: nothing blocks.
   */
  readonly rules: readonly FailOnRule[];
  /** `fail-on-evidence`, for the reports. The rules already include it. */
  readonly defaultEvidence: EvidenceLevel;
}

/** Blocks every finding at or above one severity. */
export function failOnAt(severity: SeverityLevel, evidence: EvidenceLevel = 'any'): FailOn {
  return { rules: [{ severity, evidence }], defaultEvidence: evidence };
}

export const FAIL_ON_NONE: FailOn = { rules: [], defaultEvidence: 'any' };

/** The same rules, worst first, without a rule that says the same as the next milder one. */
export function normalRules(rules: readonly FailOnRule[]): FailOnRule[] {
  return worstFirst(rules).filter(({ evidence }, index, all) => all[index + 1]?.evidence !== evidence);
}

/** Finds two neighbours, worst first, of which the worse severity needs more evidence than the milder one. */
export function contradiction(
  rules: readonly FailOnRule[],
): { readonly worse: FailOnRule; readonly milder: FailOnRule } | undefined {
  const sorted = worstFirst(rules);
  for (const [index, milder] of sorted.entries()) {
    const worse = sorted[index - 1];
    if (worse !== undefined && proofOf(worse) > proofOf(milder)) return { worse, milder };
  }
  return undefined;
}

function worstFirst(rules: readonly FailOnRule[]): FailOnRule[] {
  return SEVERITY_LEVELS.flatMap((level) => rules.filter(({ severity }) => severity === level));
}

function proofOf({ evidence }: FailOnRule): number {
  return EVIDENCE_LEVELS.indexOf(evidence);
}

/**
 * The evidence that a finding of this severity needs in order to block; undefined: it never blocks. An unknown severity
 * ranks above all others and needs no evidence.
 */
export function neededEvidence({ rules }: FailOn, { level }: Severity): EvidenceLevel | undefined {
  if (level === 'unknown') return rules.length === 0 ? undefined : 'any';
  return rules.find(({ severity }) => severityRank(severity) >= severityRank(level))?.evidence;
}

/** The mildest severity that can block; undefined if nothing can. */
export function mildestOf({ rules }: FailOn): SeverityLevel | undefined {
  return rules.at(-1)?.severity;
}

/** The input that asks for evidence, with its value: `fail-on-evidence` if it alone asks. */
export function evidenceInput(failOn: FailOn): string {
  const { rules, defaultEvidence } = failOn;
  const isDefault = rules.every(({ evidence }) => evidence === defaultEvidence);
  return isDefault ? `fail-on-evidence: ${defaultEvidence}` : `fail-on: ${failOnText(failOn)}`;
}

/** The rules as a user writes them, for example `critical, high:confirmed`. */
export function failOnText({ rules, defaultEvidence }: FailOn): string {
  const entries = rules.map(({ severity, evidence }) =>
    evidence === defaultEvidence ? severity : `${severity}:${evidence}`,
  );
  return entries.join(', ') || 'none';
}
