import { SEVERITY_LEVELS, type Severity, type SeverityLevel, severityRank } from './severity.ts';

/** The evidence that a finding needs in order to block. The least evidence comes first. */
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
   * The worst severity comes first. If the list is empty, no finding blocks.
   *
   * A rule also applies to worse severities, unless a rule before it applies to them. Each rule asks for more evidence
   * than the rule before it.
   */
  readonly rules: readonly FailOnRule[];
  /** The value of `fail-on-evidence`, for the reports. The rules already take it into account. */
  readonly defaultEvidence: EvidenceLevel;
}

/** Makes a single rule. A finding at or above the severity blocks if it has this evidence. */
export function failOnAt(severity: SeverityLevel, evidence: EvidenceLevel = 'any'): FailOn {
  return { rules: [{ severity, evidence }], defaultEvidence: evidence };
}

export const FAIL_ON_NONE: FailOn = { rules: [], defaultEvidence: 'any' };

/** Sorts the rules, worst severity first. Drops a rule if the next milder rule asks for the same evidence. */
export function normalRules(rules: readonly FailOnRule[]): FailOnRule[] {
  return rulesWorstFirst(rules).filter(({ evidence }, index, all) => all[index + 1]?.evidence !== evidence);
}

/** Finds two rules that contradict each other: the rule for the worse severity asks for more evidence. */
export function contradiction(
  rules: readonly FailOnRule[],
): { readonly worse: FailOnRule; readonly milder: FailOnRule } | undefined {
  const sorted = rulesWorstFirst(rules);
  for (const [index, milder] of sorted.entries()) {
    const worse = sorted[index - 1];
    if (worse !== undefined && proofOf(worse) > proofOf(milder)) return { worse, milder };
  }
  return undefined;
}

function rulesWorstFirst(rules: readonly FailOnRule[]): FailOnRule[] {
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

/** The mildest severity that can block. Undefined if no severity can block. */
export function mildestOf({ rules }: FailOn): SeverityLevel | undefined {
  return rules.at(-1)?.severity;
}

/**
 * Returns the name and the value of the input that decides which evidence a finding needs. The text is for messages.
 * The input is usually `fail-on-evidence`. It is `fail-on` if an entry of `fail-on` names other evidence than
 * `fail-on-evidence`.
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
