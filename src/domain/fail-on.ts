import { SEVERITY_LEVELS, type Severity, type SeverityLevel, severityRank } from './severity.ts';

/** From the least to the most proof. */
export const EVIDENCE_LEVELS = ['any', 'confirmed', 'poc'] as const;
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];

/** One severity that `fail-on` names. */
export interface FailOnRule {
  readonly severity: SeverityLevel;
  readonly evidence: EvidenceLevel;
}

/** What blocks. */
export interface FailOn {
  /**
   * Worst first; each holds for its severity and for the worse ones up to the rule before it, and asks for more proof
   * than that. Empty: nothing blocks.
   */
  readonly rules: readonly FailOnRule[];
  /** `fail-on-evidence`, which the rules hold already. Reports name it. */
  readonly defaultEvidence: EvidenceLevel;
}

/** Everything at or above one severity. */
export function failOnAt(severity: SeverityLevel, evidence: EvidenceLevel = 'any'): FailOn {
  return { rules: [{ severity, evidence }], defaultEvidence: evidence };
}

export const FAIL_ON_NONE: FailOn = { rules: [], defaultEvidence: 'any' };

/** The same rules, worst first, without those that repeat the next milder one. */
export function normalRules(rules: readonly FailOnRule[]): FailOnRule[] {
  return worstFirst(rules).filter(({ evidence }, index, all) => all[index + 1]?.evidence !== evidence);
}

/** Two neighbours, worst first, of which the worse severity needs more proof than the milder one. */
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
 * The evidence that a finding of this severity needs to block; undefined: it never blocks. An unknown severity ranks
 * above all, and needs none.
 */
export function neededEvidence({ rules }: FailOn, { level }: Severity): EvidenceLevel | undefined {
  if (level === 'unknown') return rules.length === 0 ? undefined : 'any';
  return rules.find(({ severity }) => severityRank(severity) >= severityRank(level))?.evidence;
}

/** The mildest severity that can block; undefined where nothing can. */
export function mildestOf({ rules }: FailOn): SeverityLevel | undefined {
  return rules.at(-1)?.severity;
}

/** The input that asks for evidence, with its value: `fail-on-evidence` where that alone does. */
export function evidenceInput(failOn: FailOn): string {
  const { rules, defaultEvidence } = failOn;
  const isDefault = rules.every(({ evidence }) => evidence === defaultEvidence);
  return isDefault ? `fail-on-evidence: ${defaultEvidence}` : `fail-on: ${failOnText(failOn)}`;
}

/** As in the workflow, for example `critical, high:confirmed`. */
export function failOnText({ rules, defaultEvidence }: FailOn): string {
  const entries = rules.map(({ severity, evidence }) =>
    evidence === defaultEvidence ? severity : `${severity}:${evidence}`,
  );
  return entries.join(', ') || 'none';
}
