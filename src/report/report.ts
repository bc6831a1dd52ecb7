import { type Disclosure, disclosureOf } from '../domain/disclosure.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { Preset, Publication } from '../domain/project.ts';
import type { PullRequestCost } from '../domain/pull-request-cost.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import { type GatePolicy, judge, type Verdict } from '../domain/verdict.ts';
import { type WithheldFinding, withholdFindings } from './withheld-finding.ts';

/** Where the time of a run went, until its result was ready to be delivered. Whole milliseconds. */
export interface TimeSpent {
  /** 0: the service had analyzed the repository already. */
  readonly waitedForReadinessMs: number;
  /** From the launch to the end of the scan, or while the run followed the scan of another run. 0: it followed none. */
  readonly scanMs: number;
  readonly totalMs: number;
}

/** What is known of one run besides its findings. Every string in it may be foreign text. */
export interface RunFacts {
  readonly disclosure: Disclosure;
  readonly policy: GatePolicy;
  readonly checkName: string;
  /** Undefined where the event is none that can be scanned. */
  readonly target: ScanTarget | undefined;
  readonly diffBase: DiffBase | undefined;
  readonly projectId: string | undefined;
  readonly preset: Preset | undefined;
  readonly scanId: string | undefined;
  /** Upper case; may be known where the scan itself was never seen. */
  readonly scanStatus: string | undefined;
  /** Whole credits reserved for the scan. */
  readonly creditsReserved: number | undefined;
  /** Of the pull request; undefined for other events, and where nothing was read of it. */
  readonly cost?: PullRequestCost | undefined;
  /** False: the service does not show the full head SHA of what it scanned. */
  readonly commitConfirmed: boolean | undefined;
  /** Likewise of the base SHA; undefined for a full scan too. */
  readonly baseConfirmed: boolean | undefined;
  /** Of `guidance-file`; undefined without one. */
  readonly guidance?: GuidanceSource | undefined;
  /** The scan was paid for by an earlier run. */
  readonly reused: boolean;
  /** The head SHA of the scan, where it is another commit with the same files. */
  readonly sameFilesAs?: string | undefined;
  /** No place shows its password. */
  readonly publication: Publication | undefined;
  /** GitHub's own address, for example `https://github.com`. */
  readonly serverUrl: string;
  /** The scanning service's origin, for example `https://scan.example`. */
  readonly serviceOrigin: string;
  /** This workflow run's page; empty where the run could not begin. */
  readonly runUrl: string;
  /** 1 for the first attempt of the run. */
  readonly runAttempt: number;
  readonly checkRunUrl: string | undefined;
  /** What could not be read or delivered: one plain sentence each. */
  readonly warnings: readonly string[];
  readonly date: Date;
  readonly timeSpent: TimeSpent;
}

/** All that is known of one run, for the files that it writes. Every other place shows a `Report`. */
export interface WholeReport extends RunFacts {
  readonly verdict: Verdict;
}

/** What is shown of one run. It does not hold what must not be shown. `toReport` makes it. */
export type Report = ListedReport | WithheldReport;

/** With the texts of the findings. */
export interface ListedReport extends WholeReport {
  readonly disclosure: Exclude<Disclosure, 'labels'>;
}

/** With the labels of the findings, and their numbers. */
export interface WithheldReport extends RunFacts {
  readonly verdict: Verdict<WithheldFinding>;
  readonly disclosure: 'labels';
}

/** What may be shown of all that is known. Pure. */
export function toReport(whole: WholeReport): Report {
  const { verdict, disclosure } = whole;
  if (disclosure !== 'labels') return { ...whole, disclosure };
  return { ...whole, disclosure, verdict: { ...verdict, findings: withholdFindings(verdict.findings) } };
}

/** The report of a run that could not begin, about which nothing else is known. Pure. */
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

/** May a proof of concept be shown? */
export function showsProof({ disclosure }: Pick<RunFacts, 'disclosure'>): boolean {
  return disclosure === 'everything';
}

/** The commit that was, or would be, scanned. */
export function headShaOf(report: Pick<RunFacts, 'diffBase' | 'target'>): string | undefined {
  return report.diffBase?.headSha ?? report.target?.headSha;
}
