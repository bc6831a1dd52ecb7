import { SEVERITY_LEVELS, type Severity, type SeverityLevel, severityRank } from './severity.ts';

/** How well a finding must be proven in order to block. The weakest demand comes first. */
export const EVIDENCE_LEVELS = ['any', 'confirmed', 'poc'] as const;
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

/** One entry of `fail-on`: a severity, and the evidence that findings need in order to block. */
export interface FailOnRule {
  readonly severity: SeverityLevel;
  readonly evidence: EvidenceLevel;
}

/** Which findings block, as the inputs `fail-on` and `fail-on-evidence` say. */
export interface FailOn {
  /**
   * Worst severity first. Without rules, nothing blocks.
   *
   * A rule applies to its own severity, and to the worse severities that no earlier rule applies to. Each rule asks for
   * more evidence than the rule before it.
   */
  readonly rules: readonly FailOnRule[];
  /** The value of `fail-on-evidence`, for the reports. The rules already take it into account. */
  readonly defaultEvidence: EvidenceLevel;
}

/** Makes the rules for a single severity: a finding at or above it blocks if the finding has this evidence. */
export function failOnAt(severity: SeverityLevel, evidence: EvidenceLevel = 'any'): FailOn {
  return { rules: [{ severity, evidence }], defaultEvidence: evidence };
}

export const FAIL_ON_NONE: FailOn = { rules: [], defaultEvidence: 'any' };

/** Sorts the rules, worst severity first. Drops a rule that asks for the same evidence as the next milder rule. */
export function normalRules(rules: readonly FailOnRule[]): FailOnRule[] {
  return worstFirst(rules).filter(({ evidence }, index, all) => all[index + 1]?.evidence !== evidence);
}

/** Finds a rule that asks for more evidence than the next milder rule does. Such rules contradict each other. */
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
 * The evidence that a finding of this severity needs in order to block. Undefined if the severity never blocks. An
 * unknown severity ranks above all others and needs no evidence.
 */
export function neededEvidence({ rules }: FailOn, { level }: Severity): EvidenceLevel | undefined {
  if (level === 'unknown') return rules.length === 0 ? undefined : 'any';
  return rules.find(({ severity }) => severityRank(severity) >= severityRank(level))?.evidence;
}

/** The mildest severity that can block; undefined if no severity can. */
export function mildestOf({ rules }: FailOn): SeverityLevel | undefined {
  return rules.at(-1)?.severity;
}

/**
 * Returns the input that decides which evidence a finding needs, and the value of that input, for messages. The input
 * is `fail-on-evidence`, or `fail-on` if one of its rules asks for other evidence.
 */
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
