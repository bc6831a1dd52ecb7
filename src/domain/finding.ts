import { type Severity, severityRank } from './severity.ts';

/** Where a finding points in the repository, as the service wrote it: the path is foreign text, not yet checked. */
export interface FindingLocation {
  readonly path: string;
  /** 1-based; undefined where the service names only the file. */
  readonly startLine: number | undefined;
  /** 1-based, at or after `startLine`. */
  readonly endLine: number | undefined;
}

/** The verdict of triage on a finding. */
export interface Triage {
  /** The service's word, upper case; foreign text. */
  readonly word: string;
  /** Does it confirm the finding? Undefined: the word is unknown. */
  readonly confirms: boolean | undefined;
}

/** One finding of a scan. Every string is foreign text. */
export interface Finding {
  /** The service's opaque id; undefined where it is missing or unusable: then it is listed, never asked for. */
  readonly id: string | undefined;
  /** `ZK-` and the last eight characters of the id, as the service labels it. */
  readonly label: string;
  /** The effective severity: the user's override if set, otherwise the service's. */
  readonly severity: Severity;
  /** Undefined when it was not shown. */
  readonly triage: Triage | undefined;
  /** `POC`, `ANALYSIS`, another word, null when the service says there is none; undefined when it was not shown. */
  readonly evidence: string | null | undefined;
  /** Resolution status, upper case; undefined when it was not shown. */
  readonly resolution: string | undefined;
  readonly title: string;
  /** Number of the weakness in the Common Weakness Enumeration, where the service names one. */
  readonly cwe: number | undefined;
  readonly location: FindingLocation | undefined;
  /** Other files that the service names for it, as it wrote them; empty where it shows a place without a file. */
  readonly otherPaths?: readonly string[] | undefined;
  /** The service's page of this finding, where it names one. Not yet checked. */
  readonly url: string | undefined;
  readonly description: string | undefined;
  readonly recommendedFix: string | undefined;
  readonly proofOfConcept: string | undefined;
}

/** Every file that the service names for the finding. */
export function pathsOf({ location, otherPaths = [] }: Finding): readonly string[] {
  return location === undefined ? otherPaths : [location.path, ...otherPaths];
}

/** The resolution statuses that close a finding, and what each of them says of it. Every other word leaves it open. */
export const CLOSING_STATUSES: ReadonlyMap<string, string> = new Map([
  ['FALSE_POSITIVE', 'false positive'],
  ['WONT_FIX', 'will not be fixed'],
  ['MITIGATED', 'mitigated'],
  ['DUPLICATE', 'duplicate'],
]);

/**
 * Open unless triage in the service closed it. An unknown word, or none, is open. `RESOLVED` is open too: it says that
 * the code was fixed, and the scan of this commit reports the finding.
 */
export function isOpen({ resolution }: Pick<Finding, 'resolution'>): boolean {
  return ![...CLOSING_STATUSES.keys()].some((status) => status === resolution);
}

/** Marked as fixed in the service, and reported by the scan of this commit. */
export function isStillFound(finding: Finding): boolean {
  return finding.resolution === 'RESOLVED';
}

/** Worst first; among equals those with better evidence, then by path, line and label, so that the order is stable. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      severityRank(a.severity.level) - severityRank(b.severity.level) ||
      evidenceRank(a) - evidenceRank(b) ||
      compare(a.location?.path ?? '\uffff', b.location?.path ?? '\uffff') ||
      (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0) ||
      compare(a.label, b.label),
  );
}

function evidenceRank(finding: Finding): number {
  if (finding.triage?.confirms !== true) return 2;
  return finding.evidence === 'POC' ? 0 : 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
