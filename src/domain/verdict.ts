import { type EvidenceLevel, type FailOn, neededEvidence } from './fail-on.ts';
import { type Finding, isOpen, pathsOf, worstFirst } from './finding.ts';
import type { NotScanned, Reason } from './not-scanned.ts';
import { matchesPath, type PathPatterns } from './path-patterns.ts';
import type { Scan } from './scan.ts';
import { countSeverities, isAtOrAbove, type SeverityCounts, type SeverityLevel } from './severity.ts';

/** What the maintainer decided in the workflow. */
export interface GatePolicy {
  readonly severityThreshold: SeverityLevel;
  readonly failOn: FailOn;
  readonly allowUnscanned: readonly Reason[];
  /** Where findings never block. */
  readonly pathsExempt: PathPatterns;
}

/** What became of the change. */
export type ScanOutcome =
  | { readonly kind: 'completed'; readonly scan: Scan; readonly findings: readonly Finding[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * The gate's decision, computed before anything is rendered and applied after everything is delivered.
 * @typeParam Shown what is left of a finding where it is shown
 */
export interface Verdict<Shown = Finding> {
  readonly outcome: 'passed' | 'blocked' | 'unchanged' | 'not-scanned';
  readonly failure: NotScanned | undefined;
  /** Not scanned, and the maintainer allowed this reason. */
  readonly allowed: boolean;
  readonly exitCode: 0 | 1;
  /** The check run's conclusion. */
  readonly conclusion: 'success' | 'neutral' | 'failure';
  readonly findings: FindingGroups<Shown>;
}

/** All findings of a completed scan, each in exactly one of `reported`, `below`, `exempt` and `triaged`. Worst first. */
export interface FindingGroups<Shown = Finding> {
  /** Open, and at or above the threshold or blocking. */
  readonly reported: readonly Shown[];
  /** Those of `reported` that block. */
  readonly blocking: readonly Shown[];
  /** Open, below the threshold. */
  readonly below: readonly Shown[];
  /** Open, in files of `paths-exempt`: of any severity, and none blocks. */
  readonly exempt: readonly Shown[];
  /** Those of `exempt` that are of a severity that blocks elsewhere, with evidence or without. */
  readonly exemptAtGate: readonly Shown[];
  /** Closed by triage in the service. */
  readonly triaged: readonly Shown[];
  /** Open and at the gate, but without the evidence that it asks for. */
  readonly withoutEvidence: readonly Shown[];
  readonly total: number;
  /** Of the open ones. */
  readonly counts: SeverityCounts;
  /** Upper case; undefined when none is open. */
  readonly highest: string | undefined;
}

/**
 * The policy for one event. The author of a pull request brings about `unsupported-event` by closing it, so that
 * reason cannot be allowed there. Pure.
 * @param hasPullRequest the event's payload has a pull request
 */
export function neverAllowClosed(policy: GatePolicy, hasPullRequest: boolean): GatePolicy {
  if (!hasPullRequest) return policy;
  return {
    ...policy,
    allowUnscanned: policy.allowUnscanned.filter((reason) => reason !== 'unsupported-event'),
  };
}

/** Decides. Pure: the same outcome and policy always give the same verdict. */
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
      // The caller promises a COMPLETED scan; a gate that opens on anything else would be green by accident.
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

/** A COMPLETED scan was judged, so the findings are known. */
export function isScanned({ outcome }: Pick<Verdict, 'outcome'>): boolean {
  return outcome === 'passed' || outcome === 'blocked';
}

/** With the reason `paths`, the input `paths-unscanned` is the permission. */
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

/** Could this finding be reported or block under the policy, whatever its evidence? Its details are worth reading. */
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

/** Is it open, not exempt, and of a severity that blocks, with evidence or without? */
export function isAtGate(finding: Finding, policy: GatePolicy): boolean {
  return isOpen(finding) && blocksBySeverity(finding, policy) && !isExempt(finding, policy);
}

/** Would it be at the gate if its files were not exempt? */
export function isExemptAtGate(finding: Finding, policy: GatePolicy): boolean {
  return isOpen(finding) && blocksBySeverity(finding, policy) && isExempt(finding, policy);
}

function blocksBySeverity({ severity }: Finding, { failOn }: GatePolicy): boolean {
  return neededEvidence(failOn, severity) !== undefined;
}

/** Does it lie in files of `paths-exempt`, and in no other file? Without a location it does not. */
function isExempt(finding: Finding, { pathsExempt }: GatePolicy): boolean {
  return finding.location !== undefined && pathsOf(finding).every((path) => matchesPath(pathsExempt, path));
}

/** Evidence is absent only where a known word says so: triage did not confirm the finding, or analysis alone did. */
function hasEvidence({ triage, evidence }: Finding, wanted: EvidenceLevel | undefined): boolean {
  if (wanted === 'any' || triage?.confirms === undefined) return true;
  return triage.confirms && (wanted === 'confirmed' || evidence !== 'ANALYSIS');
}
