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
