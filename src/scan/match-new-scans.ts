import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { ListedScan, Scan, ScanList } from '../domain/scan.ts';
import { matchCommit, matchScan } from '../domain/scan-subject.ts';

/** The result if it is not proven which scan comes from this launch. */
export interface NoMatch {
  readonly kind: 'no-match';
  /**
   * - `unreadable`: the list could not be read.
   * - `unknown-before`: the list before the launch is not known.
   * - `claimed`: a mark of another job names the scan.
   */
  readonly why:
    | 'none'
    | 'several'
    | 'cannot-tell'
    | 'unreadable'
    | 'unknown-before'
    | 'claimed'
    | 'marks-unreadable';
  /** The ids of the scans that the launch may have created. */
  readonly ids: readonly string[];
}

/**
 * The only new scan that can come from the launch, because its details match. If no mark of another job names it, the
 * run may use or cancel it.
 */
export interface Found {
  readonly kind: 'found';
  readonly scanId: string;
  /** The time that the scan shows. Undefined if it shows none. */
  readonly createdAt: string | undefined;
  /** False if the service does not show the scope of the scan. Its result then proves nothing. */
  readonly scopeShown: boolean;
}

/**
 * Returns the ids of the listed scans. Undefined if a scan has no readable id. After the launch, this scan would look
 * like a new scan.
 */
export function scanIdsOf({ scans }: ScanList): readonly string[] | undefined {
  const ids = scans.flatMap(({ id }) => id ?? []);
  return ids.length === scans.length ? ids : undefined;
}

/**
 * Returns the new scans that the launch may have created: they were not in the list before the launch, and no value
 * that the list shows differs from the launch.
 */
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
 * Finds the one new scan of a launch. The proof needs the details of the scan, because the entries of the list may lack
 * values. Pure.
 * @param details the details of the candidates, as far as they could be read
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
  // If the list before the launch is not known, no scan is certainly new. A message then names the candidates.
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
      ? [{ scanId: scan.id, createdAt: scan.createdAt, scopeShown: match === 'same' }]
      : [];
  });
  // If the list is cut off and shows no known scan, there may be further new scans after its end.
  const known = new Set<string | undefined>(knownScanIds);
  const wholeView = list.complete || list.scans.some(({ id }) => known.has(id));
  if (candidates.length === 0) return noMatch(wholeView ? 'none' : 'cannot-tell', candidates);
  if (proven.length > 1) return noMatch('several', candidates);
  const [only] = proven;
  return only !== undefined && candidates.length === 1 && wholeView
    ? { kind: 'found', ...only }
    : noMatch('cannot-tell', candidates);
}
