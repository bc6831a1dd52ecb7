import { type Finding, type Severity, severityRank } from '../domain/finding.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import type { Preset, Publication } from '../domain/project.ts';
import type { NotScanned } from '../domain/result.ts';
import type { ScanFacts } from '../domain/scan.ts';
import { type DiffBase, type Disclosure, disclosureOf, type ScanTarget } from '../domain/target.ts';
import { FAIL_ON_NONE, type FindingGroups, type GatePolicy, judge, type Verdict } from '../domain/verdict.ts';

/** What a public report may show of a withheld finding. */
export interface WithheldFinding {
  readonly label: string;
  readonly level: Severity['level'];
}

/**
 * Removes the texts of the findings. Sorts each group worst first, then by label. The usual order, by path, would
 * reveal something about the paths. Pure.
 *
 * If a finding is in two groups, both groups get the same object for it.
 */
export function withholdFindings(groups: FindingGroups): FindingGroups<WithheldFinding> {
  const known = new Map<Finding, WithheldFinding>();
  const withhold = (finding: Finding): WithheldFinding => {
    const withheld = known.get(finding) ?? { label: finding.label, level: finding.severity.level };
    known.set(finding, withheld);
    return withheld;
  };
  const all = (findings: readonly Finding[]) => findings.map(withhold).sort(bySeverityAndLabel);
  return {
    reported: all(groups.reported),
    blocking: all(groups.blocking),
    below: all(groups.below),
    exempt: all(groups.exempt),
    exemptAtGate: all(groups.exemptAtGate),
    triaged: all(groups.triaged),
    withoutEvidence: all(groups.withoutEvidence),
    total: groups.total,
    counts: groups.counts,
    highest: groups.highest,
  };
}

function bySeverityAndLabel(a: WithheldFinding, b: WithheldFinding): number {
  const byLabel = a.label < b.label ? -1 : Number(a.label > b.label);
  return severityRank(a.level) - severityRank(b.level) || byLabel;
}

/** How long the run and its stages took, in whole milliseconds. Does not include the delivery of the result. */
export interface TimeSpent {
  /** 0 if the service had already analyzed the repository. */
  readonly waitedForReadinessMs: number;
  /** How long the run waited for scans to end. Includes waits for scans of other runs. 0 if it waited for none. */
  readonly scanMs: number;
  readonly totalMs: number;
}

/** What a run knows about its change and its scan. Every string may be foreign text. */
export interface RunFacts extends ScanFacts {
  /** Undefined if the event cannot be scanned. */
  readonly target?: ScanTarget | undefined;
  readonly diffBase?: DiffBase | undefined;
  readonly preflight?: { readonly preset: Preset } | undefined;
  /** The source of the guidance from `guidance-file`; undefined without this input. */
  readonly guidance?: GuidanceSource | undefined;
}

/**
 * Everything about one run, for the files that the run writes. All other outputs use a `Report`. Every string may be
 * foreign text.
 * @typeParam Shown the type of a finding: the whole finding, or only what a report shows
 */
export interface WholeReport<Shown = Finding> extends RunFacts {
  readonly verdict: Verdict<Shown>;
  readonly disclosure: Disclosure;
  readonly policy: GatePolicy;
  readonly checkName: string;
  /** A line of Markdown from the workflow, which stands below the report. Empty or undefined without `comment-note`. */
  readonly note?: string;
  /** The published page. No report shows its password. */
  readonly publication?: Publication | undefined;
  /** The address of GitHub, for example `https://github.com`. */
  readonly serverUrl: string;
  /** The origin of the scanning service, for example `https://scan.example`. */
  readonly serviceOrigin: string;
  /** The page of this workflow run; empty if the run could not begin. */
  readonly runUrl: string;
  /** 1 for the first attempt of the run. */
  readonly runAttempt: number;
  readonly checkRunUrl?: string | undefined;
  /** The warnings as plain text. Most of them say what could not be read or delivered. */
  readonly warnings: readonly string[];
  readonly date: Date;
  readonly timeSpent: TimeSpent;
}

/** What a run may show outside of the files that it writes. `toReport` leaves out everything else. */
export type Report = ListedReport | WithheldReport;

/** A report with the texts of the findings. */
export type ListedReport = WholeReport & { readonly disclosure: Exclude<Disclosure, 'labels'> };

/** A report with only the labels and the number of the findings. */
export type WithheldReport = WholeReport<WithheldFinding> & { readonly disclosure: 'labels' };

/** Leaves out what only the files of a run may contain. Pure. */
export function toReport(whole: WholeReport): Report {
  const { verdict, disclosure } = whole;
  if (disclosure !== 'labels') return { ...whole, disclosure };
  return { ...whole, disclosure, verdict: { ...verdict, findings: withholdFindings(verdict.findings) } };
}

/** The report of a run that could not begin. Its only content is the reason, and what is known by then. Pure. */
export function reportOfStop(failure: NotScanned, known: Partial<WholeReport> = {}): WholeReport {
  const { policy = NO_POLICY } = known;
  return {
    policy,
    verdict: judge({ kind: 'not-scanned', failure }, policy),
    disclosure: disclosureOf(undefined),
    checkName: '',
    date: new Date(0),
    timeSpent: { waitedForReadinessMs: 0, scanMs: 0, totalMs: 0 },
    serverUrl: '',
    serviceOrigin: '',
    runUrl: '',
    runAttempt: 1,
    warnings: [],
    ...known,
  };
}

/** The policy of a run whose inputs are not known. */
const NO_POLICY: GatePolicy = {
  severityThreshold: 'medium',
  failOn: FAIL_ON_NONE,
  allowUnscanned: [],
  pathsExempt: [],
};

/** True if the report may show a proof of concept. */
export function showsProof({ disclosure }: WholeReport<unknown>): boolean {
  return disclosure === 'everything';
}
