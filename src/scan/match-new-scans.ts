import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { ListedScan, Scan, ScanList } from '../domain/scan.ts';
import { matchCommit, matchScan } from '../domain/scan-subject.ts';

/** The list does not contain exactly one new scan that is proven to come from this launch. */
export interface NoMatch {
  readonly kind: 'no-match';
  /**
   * `unreadable`: the list could not be read. `unknown-before`: it is not known which scans are new. `claimed`: a mark
   * names the scan.
   */
  readonly why:
    | 'none'
    | 'several'
    | 'cannot-tell'
    | 'unreadable'
    | 'unknown-before'
    | 'claimed'
    | 'marks-unreadable';
  /** The scans that it could be. */
  readonly ids: readonly string[];
}

/** The one new scan that is proven to come from this launch. It may be cancelled. */
export interface Found {
  readonly kind: 'found';
  readonly scanId: string;
  /** False: the service does not show whether the scan was narrowed, so its result proves nothing. */
  readonly scopeShown: boolean;
}

/** The ids of the newest scans. Undefined if one has no readable id, because later it could not be excluded as new. */
export function scanIdsOf({ scans }: ScanList): readonly string[] | undefined {
  const ids = scans.flatMap(({ id }) => id ?? []);
  return ids.length === scans.length ? ids : undefined;
}

/** The scans that were not in the list before the launch, and that may match its subject as far as the list shows. */
export function newCandidates(
  { scans }: ScanList,
  { knownScanIds, subject }: PendingLaunch,
): readonly ListedScan[] {
  const known = new Set<string | undefined>(knownScanIds);
  return scans.filter(
    (scan) => !known.has(scan.id) && !(subject !== undefined && matchScan(scan, subject) === 'different'),
  );
}

/**
 * Finds the one new scan that was launched. Only the details of a scan can prove it; the list alone cannot. Pure.
 * @param details of the candidates, as far as they could be read
 */
export function matchNewScans(
  list: ScanList,
  details: ReadonlyMap<string | undefined, Scan>,
  pending: PendingLaunch,
): NoMatch | Found {
  const noMatch = (why: NoMatch['why'], scans: readonly ListedScan[]): NoMatch => {
    return { kind: 'no-match', why, ids: scans.flatMap(({ id }) => id ?? []) };
  };
  const { knownScanIds, subject } = pending;
  const candidates = newCandidates(list, pending).filter(({ id }) => {
    const detail = details.get(id);
    return detail === undefined || subject === undefined || matchScan(detail, subject) !== 'different';
  });
  // The scans are only named in a message, so no details are needed.
  if (knownScanIds === undefined)
    return noMatch(
      'unknown-before',
      candidates.filter(
        ({ headSha }) => subject !== undefined && matchCommit(headSha, subject.headSha) === 'same',
      ),
    );
  const ids = new Set(candidates.map(({ id }) => id));
  const proven = [...details.values()].flatMap((scan) => {
    const match = ids.has(scan.id) && subject !== undefined ? matchScan(scan, subject) : undefined;
    return match === 'same' || match === 'scope-hidden'
      ? [{ scanId: scan.id, scopeShown: match === 'same' }]
      : [];
  });
  // If all scans on the page are new, older new scans may be on the next page.
  const known = new Set<string | undefined>(knownScanIds);
  const wholeView = list.complete || list.scans.some(({ id }) => known.has(id));
  if (candidates.length === 0) return noMatch(wholeView ? 'none' : 'cannot-tell', candidates);
  if (proven.length > 1) return noMatch('several', candidates);
  const [only] = proven;
  return only !== undefined && candidates.length === 1 && wholeView
    ? { kind: 'found', ...only }
    : noMatch('cannot-tell', candidates);
}
