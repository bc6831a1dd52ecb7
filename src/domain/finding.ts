/** The levels that a maintainer can name, worst first. Only this list defines their order. */
export const SEVERITY_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type SeverityLevel = (typeof SEVERITY_LEVELS)[number];

/**
 * A severity as the service wrote it. The service can add words. A word that we do not know gets the level `unknown`.
 * This level ranks above all known levels, because the word could mean a worse severity.
 */
export interface Severity {
  readonly level: SeverityLevel | 'unknown';
  /** The service's word; foreign text. */
  readonly word: string;
}

/**
 * The number of open findings of each level. The keys are the levels in upper case. The key `UNKNOWN` is missing if the
 * number is 0.
 */
export type SeverityCounts = Readonly<Record<string, number>>;

const LEVEL_OF_WORD: ReadonlyMap<string, SeverityLevel> = new Map([
  ['CRITICAL', 'critical'],
  ['HIGH', 'high'],
  ['MEDIUM', 'medium'],
  ['LOW', 'low'],
  ['INFO', 'info'],
  ['INFORMATIONAL', 'info'],
  ['NONE', 'info'],
]);

/** Reads the service's word, in upper or lower case. A missing or unknown word gets the level `unknown`. */
export function severityOf(word: string | undefined): Severity {
  const level = word === undefined ? undefined : LEVEL_OF_WORD.get(word.trim().toUpperCase());
  return { level: level ?? 'unknown', word: word ?? '' };
}

const WORST_FIRST: readonly string[] = SEVERITY_LEVELS;

/** Returns the rank of a level. The worst level has the lowest rank: 0 is `unknown`, 1 is `critical`. */
export function severityRank(level: Severity['level']): number {
  return WORST_FIRST.indexOf(level) + 1;
}

/** True if the severity is at or above the threshold. An unknown severity always is. */
export function isAtOrAbove(severity: Severity, threshold: SeverityLevel): boolean {
  return severityRank(severity.level) <= severityRank(threshold);
}

/** Counts the severities of each level. Every level of `SEVERITY_LEVELS` has a key, even if the number is 0. */
export function countSeverities(severities: Iterable<Severity>): SeverityCounts {
  const counts: Record<string, number> = {};
  for (const level of SEVERITY_LEVELS) counts[level.toUpperCase()] = 0;
  for (const { level } of severities) {
    const key = level.toUpperCase();
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** The place of a finding in the repository. The path is foreign text. It is not checked yet. */
export interface FindingLocation {
  readonly path: string;
  /** 1-based; undefined if the service names only the file. */
  readonly startLine: number | undefined;
  /** 1-based, at or after `startLine`. */
  readonly endLine: number | undefined;
}

/** The triage of a finding in the service. */
export interface Triage {
  /** The service's word in upper case; foreign text. */
  readonly word: string;
  /** True if the word confirms the finding, false if it does not. Undefined if Scangate does not know the word. */
  readonly confirms: boolean | undefined;
}

/** The title of a finding that has none in the service. */
export const UNTITLED = 'Untitled finding';

/** One finding of a scan. Every string is foreign text. */
export interface Finding {
  /**
   * The service's opaque id. Undefined if it is missing or unusable. Reports list such a finding without its details.
   */
  readonly id: string | undefined;
  /** The service's label: `ZK-` and the last eight characters of the id. */
  readonly label: string;
  /** The severity that a user set, otherwise the severity that the service found. */
  readonly severity: Severity;
  /** Undefined if the service did not show the triage. */
  readonly triage: Triage | undefined;
  /**
   * `POC`, `ANALYSIS` or another word, in upper case. Null if the service says that the finding has no evidence.
   * Undefined if the service did not show the evidence.
   */
  readonly evidence: string | null | undefined;
  /** The resolution status, as the service wrote it. Undefined if the service did not show it. */
  readonly resolution: string | undefined;
  readonly title: string;
  /** The number in the Common Weakness Enumeration, if the service names one. */
  readonly cwe: number | undefined;
  readonly location: FindingLocation | undefined;
  /** More files of the finding, as the service wrote them. An empty path stands for an unknown file. */
  readonly otherPaths?: readonly string[] | undefined;
  /** The service's page about this finding, if the service names one. The address is not checked yet. */
  readonly url: string | undefined;
  readonly description: string | undefined;
  readonly recommendedFix: string | undefined;
  readonly proofOfConcept: string | undefined;
  /** True if the run did not try to read the details, and the list does not show all texts. */
  readonly detailsUnread?: boolean;
}

/** Every file that the service names for the finding. */
export function pathsOf({ location, otherPaths = [] }: Finding): readonly string[] {
  return location === undefined ? otherPaths : [location.path, ...otherPaths];
}

/**
 * The resolution statuses that close a finding. Each value is the phrase for reports. Every other status leaves the
 * finding open.
 */
export const CLOSING_STATUSES: ReadonlyMap<string, string> = new Map([
  ['FALSE_POSITIVE', 'false positive'],
  ['WONT_FIX', 'will not be fixed'],
  ['MITIGATED', 'mitigated'],
  ['DUPLICATE', 'duplicate'],
]);

/**
 * False if triage in the service closed the finding. A missing or unknown status leaves the finding open. `RESOLVED`
 * leaves it open too, because the scan of this commit still reports the finding.
 */
export function isOpen({ resolution }: Finding): boolean {
  return ![...CLOSING_STATUSES.keys()].some((status) => status === resolution);
}

/** True if triage marks the finding as fixed, but the scan of this commit still reports it. */
export function isStillFound(finding: Finding): boolean {
  return finding.resolution === 'RESOLVED';
}

/** Sorts by severity, worst first. Findings of the same severity are sorted by evidence, path, line and label. */
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

/** The resolutions that a user can set by a command in a comment. They are the service's words. */
export type ResolutionStatus = 'FALSE_POSITIVE' | 'WONT_FIX' | 'MITIGATED' | 'DUPLICATE' | 'NOT_STARTED';

/**
 * The reason codes that each status accepts, from the service's contract. The service ignores a code for `NOT_STARTED`.
 */
export const REASON_CODES: Readonly<Record<ResolutionStatus, readonly string[]>> = {
  FALSE_POSITIVE: [
    'not_reachable',
    'guarded_elsewhere',
    'intended_behavior',
    'misread_code',
    'bad_assumption',
  ],
  WONT_FIX: ['risk_accepted', 'out_of_scope', 'not_worth_fixing', 'code_being_removed'],
  MITIGATED: ['compensating_control', 'limited_exposure', 'monitored'],
  DUPLICATE: ['duplicate_of_finding', 'same_root_cause'],
  NOT_STARTED: [],
};
