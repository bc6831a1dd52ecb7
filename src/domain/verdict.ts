import {
  countSeverities,
  type Finding,
  isAtOrAbove,
  isOpen,
  pathsOf,
  SEVERITY_LEVELS,
  type Severity,
  type SeverityCounts,
  type SeverityLevel,
  severityRank,
  worstFirst,
} from './finding.ts';
import { matchesPath, type PathPatterns } from './path-patterns.ts';
import type { NotScanned, Reason } from './result.ts';
import type { Scan } from './scan.ts';

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

/** The maintainer's decisions in the workflow. */
export interface GatePolicy {
  readonly severityThreshold: SeverityLevel;
  readonly failOn: FailOn;
  readonly allowUnscanned: readonly Reason[];
  /** Files whose findings never block. */
  readonly pathsExempt: PathPatterns;
}

/** The result of the scan, or why there is none. */
export type ScanOutcome =
  | { readonly kind: 'completed'; readonly scan: Scan; readonly findings: readonly Finding[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * The gate's decision. The exit code takes effect after the report is delivered.
 * @typeParam Shown the type of a finding: the whole finding, or only what a report shows
 */
export interface Verdict<Shown = Finding> {
  readonly outcome: 'passed' | 'blocked' | 'unchanged' | 'not-scanned';
  readonly failure: NotScanned | undefined;
  /** True if the change was not scanned, and the maintainer allowed the reason. */
  readonly allowed: boolean;
  readonly exitCode: 0 | 1;
  /** The check run's conclusion. */
  readonly conclusion: 'success' | 'neutral' | 'failure';
  readonly findings: FindingGroups<Shown>;
}

/** Says how bad the result is for the pull request. 0 is the best result. */
export function badnessOf({ outcome, allowed, conclusion }: Verdict<unknown>): 0 | 1 | 2 | 3 | 4 {
  switch (outcome) {
    case 'unchanged':
    case 'passed':
      return conclusion === 'success' ? 0 : 1;
    case 'not-scanned':
      return allowed ? 2 : 3;
    case 'blocked':
      return 4;
  }
}

/**
 * All findings of a completed scan, worst first. Each finding is in exactly one of `reported`, `below`, `exempt` and
 * `triaged`. The remaining lists repeat some of these findings.
 */
export interface FindingGroups<Shown = Finding> {
  /** Open findings that block, or that are at or above the threshold and not exempt. */
  readonly reported: readonly Shown[];
  /** The findings of `reported` that block. */
  readonly blocking: readonly Shown[];
  /** Open findings below the threshold. They neither block nor are exempt. */
  readonly below: readonly Shown[];
  /** Open findings in files of `paths-exempt`. They can have any severity, and never block. */
  readonly exempt: readonly Shown[];
  /** The findings of `exempt` whose severity would block. Their evidence does not matter. */
  readonly exemptAtGate: readonly Shown[];
  /** Findings that triage in the service closed. */
  readonly triaged: readonly Shown[];
  /** Open findings that would block if they had the required evidence. */
  readonly withoutEvidence: readonly Shown[];
  readonly total: number;
  /** The number of open findings for each severity. */
  readonly counts: SeverityCounts;
  /** The worst severity of the open findings, in upper case. Undefined if no finding is open. */
  readonly highest: string | undefined;
}

/**
 * Removes the reason `unsupported-event` from the allowed reasons if the event has a pull request. Otherwise, authors
 * could pass the gate by closing their pull request. Pure.
 * @param hasPullRequest true if the event's payload has a pull request
 */
export function neverAllowClosed(policy: GatePolicy, hasPullRequest: boolean): GatePolicy {
  if (!hasPullRequest) return policy;
  return {
    ...policy,
    allowUnscanned: policy.allowUnscanned.filter((reason) => reason !== 'unsupported-event'),
  };
}

/** Makes the verdict. Pure: the same outcome and policy always give the same verdict. */
export function judge(outcome: ScanOutcome, policy: GatePolicy): Verdict {
  switch (outcome.kind) {
    case 'unchanged':
      return { ...plain('unchanged', 0, 'success'), failure: undefined, allowed: false };
    case 'not-scanned': {
      const { failure } = outcome;
      const allowed = isAllowed(failure, policy);
      return {
        ...plain('not-scanned', allowed ? 0 : 1, allowed ? 'neutral' : 'failure'),
        failure,
        allowed,
      };
    }
    case 'completed': {
      const findings = groupFindings(outcome.findings, policy);
      // Callers pass only COMPLETED scans. After a mistake in a caller, this error fails the gate.
      if (outcome.scan.status !== 'COMPLETED')
        throw new Error('a verdict was asked of a scan that is not COMPLETED');
      const blocked = findings.blocking.length > 0;
      return {
        outcome: blocked ? 'blocked' : 'passed',
        failure: undefined,
        allowed: false,
        exitCode: blocked ? 1 : 0,
        conclusion: blocked ? 'failure' : findings.reported.length > 0 ? 'neutral' : 'success',
        findings,
      };
    }
  }
}

/** True if a COMPLETED scan was judged. Only then are the findings known. */
export function isScanned({ outcome }: Verdict<unknown>): boolean {
  return outcome === 'passed' || outcome === 'blocked';
}

/**
 * True if the maintainer allows this reason. `allow-unscanned` need not list `paths`, because `paths-unscanned` allows
 * it.
 */
function isAllowed({ reason, bySignal, repeated }: NotScanned, { allowUnscanned }: GatePolicy): boolean {
  if (reason === 'configuration' || bySignal === true || repeated === true) return false;
  return reason === 'paths' || allowUnscanned.includes(reason);
}

function plain<O extends Verdict['outcome']>(outcome: O, exitCode: 0 | 1, conclusion: Verdict['conclusion']) {
  return { outcome, exitCode, conclusion, findings: NO_FINDINGS };
}

const NO_FINDINGS: FindingGroups = {
  reported: [],
  blocking: [],
  below: [],
  exempt: [],
  exemptAtGate: [],
  triaged: [],
  withoutEvidence: [],
  total: 0,
  counts: countSeverities([]),
  highest: undefined,
};

/**
 * True if the finding may be among `reported`, so that its details are worth reading. Does not look at its evidence.
 */
export function mayBeReported(finding: Finding, policy: GatePolicy): boolean {
  const isSevere = isAtOrAbove(finding.severity, policy.severityThreshold);
  return isAtGate(finding, policy) || (isSevere && isOpen(finding) && !isExempt(finding, policy));
}

function groupFindings(findings: readonly Finding[], policy: GatePolicy): FindingGroups {
  const sorted = worstFirst(findings);
  const open = sorted.filter(isOpen);
  const exempt = open.filter((finding) => isExempt(finding, policy));
  const isOut = new Set(exempt);
  const judged = open.filter((finding) => !isOut.has(finding));
  const atGate = judged.filter((finding) => blocksBySeverity(finding, policy));
  const blocking = atGate.filter((finding) =>
    hasEvidence(finding, neededEvidence(policy.failOn, finding.severity)),
  );
  const blocks = new Set(blocking);
  const isReported = (finding: Finding) =>
    blocks.has(finding) || isAtOrAbove(finding.severity, policy.severityThreshold);
  return {
    reported: judged.filter(isReported),
    blocking,
    below: judged.filter((finding) => !isReported(finding)),
    exempt,
    exemptAtGate: exempt.filter((finding) => blocksBySeverity(finding, policy)),
    triaged: sorted.filter((finding) => !isOpen(finding)),
    withoutEvidence: atGate.filter((finding) => !blocks.has(finding)),
    total: sorted.length,
    counts: countSeverities(open.map((finding) => finding.severity)),
    highest: open[0]?.severity.level.toUpperCase(),
  };
}

/** True if the finding is open and not exempt, and its severity blocks. Does not look at its evidence. */
export function isAtGate(finding: Finding, policy: GatePolicy): boolean {
  return isOpen(finding) && blocksBySeverity(finding, policy) && !isExempt(finding, policy);
}

/** True if the finding is open and exempt, and its severity blocks. Does not look at its evidence. */
export function isExemptAtGate(finding: Finding, policy: GatePolicy): boolean {
  return isOpen(finding) && blocksBySeverity(finding, policy) && isExempt(finding, policy);
}

function blocksBySeverity({ severity }: Finding, { failOn }: GatePolicy): boolean {
  return neededEvidence(failOn, severity) !== undefined;
}

/** True if all files of the finding match `paths-exempt`. A finding without a location is never exempt. */
function isExempt(finding: Finding, { pathsExempt }: GatePolicy): boolean {
  return finding.location !== undefined && pathsOf(finding).every((path) => matchesPath(pathsExempt, path));
}

/**
 * True if the finding has the evidence `wanted`. For `confirmed` and `poc`, triage must have confirmed the finding. For
 * `poc`, the evidence must also be more than an analysis. An unknown or missing word counts as enough.
 */
function hasEvidence({ triage, evidence }: Finding, wanted: EvidenceLevel | undefined): boolean {
  if (wanted === 'any' || triage?.confirms === undefined) return true;
  return triage.confirms && (wanted === 'confirmed' || evidence !== 'ANALYSIS');
}
