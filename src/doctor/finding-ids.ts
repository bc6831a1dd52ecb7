import type { Finding } from '../domain/finding.ts';
import type { ListedScan, ScanList } from '../domain/scan.ts';
import { ruleIdOf } from '../report/sarif-rules.ts';

/** What a comparison of scans shows about the ids of findings. */
export interface IdFacts {
  /** How many findings occur in two or more scans. A finding is recognized by its rule, title and file. */
  readonly seenTwice: number;
  /** True if at least one finding has the same id in two scans. */
  readonly areKept: boolean;
}

/**
 * The most scans to compare. Our choice. Four scans usually include several pushes to one pull request. Each scan takes
 * a request.
 */
const MOST_SCANS = 4;

/**
 * Returns the ids of the newest completed scans of one repository. Scans of different repositories are not comparable.
 * Pure.
 */
export function comparableScans({ scans }: ScanList): readonly string[] {
  const completed = scans.filter(({ status, id }) => status === 'COMPLETED' && id !== undefined);
  const repositoryId = completed[0]?.repositoryId;
  // If the list shows no repository, the scans may be of different repositories.
  if (repositoryId === undefined) return [];
  const same = completed.filter((scan: ListedScan) => scan.repositoryId === repositoryId);
  return same.slice(0, MOST_SCANS).flatMap(({ id }) => id ?? []);
}

/** Compares the ids of findings between scans. Pure. @param scans the findings of each scan */
export function compareIds(scans: readonly (readonly Finding[])[]): IdFacts {
  /** The key is a rule, a title and a file. The value has a set of ids for each scan. */
  const seen = new Map<string, ReadonlySet<string>[]>();
  for (const findings of scans) {
    const ofScan = new Map<string, Set<string>>();
    for (const finding of findings) {
      const { id, title, location } = finding;
      if (id === undefined || location === undefined) continue;
      const key = JSON.stringify([ruleIdOf(finding), title, location.path]);
      ofScan.set(key, (ofScan.get(key) ?? new Set()).add(id));
    }
    for (const [key, ids] of ofScan) seen.set(key, [...(seen.get(key) ?? []), ids]);
  }
  const twice = [...seen.values()].filter(({ length }) => length > 1);
  const isKept = (sets: readonly ReadonlySet<string>[]) =>
    sets.some((ids, index) => sets.slice(index + 1).some((others) => [...ids].some((id) => others.has(id))));
  return { seenTwice: twice.length, areKept: twice.some(isKept) };
}
