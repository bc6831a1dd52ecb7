import { type Disclosure, disclosureOf } from '../domain/disclosure.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Preset, Publication } from '../domain/project.ts';
import type { PullRequestCost } from '../domain/pull-request-cost.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import { type GatePolicy, judge, type Verdict } from '../domain/verdict.ts';
import { type WithheldFinding, withholdFindings } from './withheld-finding.ts';

/** The duration of the steps of a run, until its result can be delivered. Whole milliseconds. */
export interface TimeSpent {
  /** 0: the service had already analyzed the repository. */
  readonly waitedForReadinessMs: number;
  /**
   * From the launch to the end of the scan, or the time that the run followed another run's scan. 0: it followed no
   * scan.
   */
  readonly scanMs: number;
  readonly totalMs: number;
}

/** Everything about one run but its findings. Every string may be foreign text. */
export interface RunFacts {
  readonly disclosure: Disclosure;
  readonly policy: GatePolicy;
  readonly checkName: string;
  /** Undefined if the event cannot be scanned. */
  readonly target: ScanTarget | undefined;
  readonly diffBase: DiffBase | undefined;
  readonly projectId: string | undefined;
  readonly preset: Preset | undefined;
  readonly scanId: string | undefined;
  /** Upper case. It may be known even if the scan itself was never read. */
  readonly scanStatus: string | undefined;
  /** Whole credits reserved for the scan. */
  readonly creditsReserved: number | undefined;
  /** The cost of the pull request; undefined for other events, and if its marks were not read. */
  readonly cost?: PullRequestCost | undefined;
  /** False: the service does not show the full head SHA of the scan. */
  readonly commitConfirmed: boolean | undefined;
  /** The same for the base SHA; also undefined for a full scan. */
  readonly baseConfirmed: boolean | undefined;
  /** The file of `guidance-file`; undefined without one. */
  readonly guidance?: GuidanceSource | undefined;
  /** An earlier run paid for the scan. */
  readonly reused: boolean;
  /** The head SHA of the scan if that is another commit with the same files. */
  readonly sameFilesAs?: string | undefined;
  /** Its password appears in no report. */
  readonly publication: Publication | undefined;
  /** The address of GitHub, for example `https://github.com`. */
  readonly serverUrl: string;
  /** The origin of the scanning service, for example `https://scan.example`. */
  readonly serviceOrigin: string;
  /** The page of this workflow run; empty if the run could not begin. */
  readonly runUrl: string;
  /** 1 for the first attempt of the run. */
  readonly runAttempt: number;
  readonly checkRunUrl: string | undefined;
  /** What could not be read or delivered, one sentence of plain text each. */
  readonly warnings: readonly string[];
  readonly date: Date;
  readonly timeSpent: TimeSpent;
}

/** Everything about one run, for the files that it writes. All other outputs use a `Report`. */
export interface WholeReport extends RunFacts {
  readonly verdict: Verdict;
}

/** What may be shown of one run. `toReport` makes it, and removes the rest. */
export type Report = ListedReport | WithheldReport;

/** Includes the texts of the findings. */
export interface ListedReport extends WholeReport {
  readonly disclosure: Exclude<Disclosure, 'labels'>;
}

/** Includes only the labels and the number of the findings. */
export interface WithheldReport extends RunFacts {
  readonly verdict: Verdict<WithheldFinding>;
  readonly disclosure: 'labels';
}

/** Removes what may not be shown. Pure. */
export function toReport(whole: WholeReport): Report {
  const { verdict, disclosure } = whole;
  if (disclosure !== 'labels') return { ...whole, disclosure };
  return { ...whole, disclosure, verdict: { ...verdict, findings: withholdFindings(verdict.findings) } };
}

/** The report of a run that could not begin. It contains only the reason. Pure. */
export function reportOfStop(
  failure: NotScanned,
  known: Pick<RunFacts, 'policy' | 'checkName' | 'date' | 'timeSpent'>,
): WholeReport {
  return {
    ...known,
    verdict: judge({ kind: 'not-scanned', failure }, known.policy),
    disclosure: disclosureOf(undefined),
    target: undefined,
    diffBase: undefined,
    projectId: undefined,
    preset: undefined,
    scanId: undefined,
    scanStatus: undefined,
    creditsReserved: undefined,
    commitConfirmed: undefined,
    baseConfirmed: undefined,
    reused: false,
    publication: undefined,
    serverUrl: '',
    serviceOrigin: '',
    runUrl: '',
    runAttempt: 1,
    checkRunUrl: undefined,
    warnings: [],
  };
}

/** True if a proof of concept may be shown. */
export function showsProof({ disclosure }: Pick<RunFacts, 'disclosure'>): boolean {
  return disclosure === 'everything';
}

/** The commit that was scanned, or would have been. */
export function headShaOf(report: Pick<RunFacts, 'diffBase' | 'target'>): string | undefined {
  return report.diffBase?.headSha ?? report.target?.headSha;
}
