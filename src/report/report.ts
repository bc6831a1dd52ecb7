import type { GuidanceSource } from '../domain/guidance.ts';
import type { Preset, Publication } from '../domain/project.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { GatePolicy, Verdict } from '../domain/verdict.ts';

/** All that any place shows of one run. Every string in it may be foreign text. */
export interface Report {
  readonly verdict: Verdict;
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
  /** False: the service does not show the full head SHA of what it scanned. */
  readonly commitConfirmed: boolean | undefined;
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
  /** This workflow run's page. */
  readonly runUrl: string;
  /** 1 for the first attempt of the run. */
  readonly runAttempt: number;
  readonly checkRunUrl: string | undefined;
  /** What could not be read or delivered: one plain sentence each. */
  readonly notices: readonly string[];
  readonly date: Date;
}

/**
 * May a proof of concept be shown? Not where everyone can read it, and not where that is unknown.
 */
export function showsProof(report: Report): boolean {
  return report.target?.repository.isPublic === false;
}

/** The commit that was, or would be, scanned. */
export function headShaOf(report: Report): string | undefined {
  return report.diffBase?.headSha ?? report.target?.headSha;
}
