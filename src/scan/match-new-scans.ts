import type { PendingLaunch } from '../domain/pending-launch.ts';
import type { ListedScan, Scan, ScanList } from '../domain/scan.ts';
import { matchCommit, matchScan } from '../domain/scan-subject.ts';

/** The new scans of the list do not include exactly one that is proven to be this launch's. */
export interface NoMatch {
  readonly kind: 'no-match';
  /** `unreadable`: there is no list. `unknown-before`: which scans are new is unknown. `claimed`: a mark names it. */
  readonly why:
    | 'none'
    | 'several'
    | 'cannot-tell'
    | 'unreadable'
    | 'unknown-before'
    | 'claimed'
    | 'marks-unreadable';
  /** The scans in question. */
  readonly ids: readonly string[];
}

/** The one new scan that is proven to be of this launch: it may be cancelled. */
export interface Found {
  readonly kind: 'found';
  readonly scanId: string;
  /** False: the service does not show what narrows it, so that its result proves nothing. */
  readonly scopeShown: boolean;
}

/** The ids of the newest scans; undefined where one has no readable id: then no scan can be called new later. */
export function scanIdsOf({ scans }: ScanList): readonly string[] | undefined {
  const ids = scans.flatMap(({ id }) => id ?? []);
  return ids.length === scans.length ? ids : undefined;
}

/** The scans that were not listed before the launch and, as far as the list shows, may be of its subject. */
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
 * Is exactly one new scan the one that was launched? Pure. Its details have to prove it: what only the list shows, or
 * what nothing shows, proves nothing.
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
  // No details are read here: the scans are only named.
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
  // A full page of new scans may hide others behind it.
  const known = new Set<string | undefined>(knownScanIds);
  const wholeView = list.complete || list.scans.some(({ id }) => known.has(id));
  if (candidates.length === 0) return noMatch(wholeView ? 'none' : 'cannot-tell', candidates);
  if (proven.length > 1) return noMatch('several', candidates);
  const [only] = proven;
  return only !== undefined && candidates.length === 1 && wholeView
    ? { kind: 'found', ...only }
    : noMatch('cannot-tell', candidates);
}
