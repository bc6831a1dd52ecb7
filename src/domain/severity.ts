/** The levels a maintainer can name, worst first. The one home of their order. */
export const SEVERITY_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type SeverityLevel = (typeof SEVERITY_LEVELS)[number];

/**
 * A severity as the service wrote it. The word is owned by the service and the set is open:
 * a word we do not know is `unknown`, and ranks above every level, so that it can never slip below a gate.
 */
export interface Severity {
  readonly level: SeverityLevel | 'unknown';
  /** The service's own word: foreign text. */
  readonly word: string;
}

/** Counts of open findings by upper-case level; `UNKNOWN` only where there are some. */
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

/** Reads the service's word, in any case. An absent or unknown word is `unknown`. */
export function severityOf(word: string | undefined): Severity {
  const level = word === undefined ? undefined : LEVEL_OF_WORD.get(word.trim().toUpperCase());
  return { level: level ?? 'unknown', word: word ?? '' };
}

const WORST_FIRST: readonly string[] = SEVERITY_LEVELS;

/** 0 is worst; an unknown word, which the list does not have, ranks before every level. */
export function severityRank(level: Severity['level']): number {
  return WORST_FIRST.indexOf(level) + 1;
}

/** Is this severity at or above the threshold? An unknown word always is. */
export function isAtOrAbove(severity: Severity, threshold: SeverityLevel): boolean {
  return severityRank(severity.level) <= severityRank(threshold);
}

/** Counts by upper-case level, every known level present. */
export function countSeverities(severities: Iterable<Severity>): SeverityCounts {
  const counts: Record<string, number> = {};
  for (const level of SEVERITY_LEVELS) counts[level.toUpperCase()] = 0;
  for (const { level } of severities) {
    const key = level.toUpperCase();
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
