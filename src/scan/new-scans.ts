import {
  type ListedScan,
  matchLaunch,
  type SavedLaunch,
  type Scan,
  type ScanList,
  type ScansBefore,
} from '../domain/scan.ts';

/**
 * Returns what a run knows about the scans before its launch. Pure.
 * @param known the ids of scans that the run knows from marks
 */
export function scansBefore({ scans, complete, readAt }: ScanList, known: Iterable<string>): ScansBefore {
  const listed = idsOf(scans);
  return {
    ids: [...new Set([...listed, ...known])],
    complete: complete && listed.length === scans.length,
    ...(readAt && { readAt: readAt.getTime() }),
  };
}

/** Returns the ids of listed scans. Leaves out a scan whose id the list does not show. */
export function idsOf(scans: readonly ListedScan[]): readonly string[] {
  return scans.flatMap(({ id }) => id ?? []);
}

/** Our choice: the answers of several servers of the service may differ by this time. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * True if the scan did not exist before the launch. Undefined if neither its time nor the list before proves that. Pure.
 * @param createdAt the time that the scan shows
 */
export function isNew(
  before: ScansBefore,
  scanId: string,
  createdAt: string | undefined,
): boolean | undefined {
  if (before.ids.includes(scanId)) return false;
  const created = Date.parse(String(createdAt));
  if (!Number.isNaN(created) && before.readAt !== undefined)
    return created >= before.readAt - CLOCKS_DIFFER_MS;
  return before.complete ? true : undefined;
}

/**
 * True if the list shows the scan above a scan from before the launch, and false if below one. The list begins with the
 * newest. Undefined if it does not show the scan, or no scan from before. Pure.
 */
export function standsAbove({ scans }: ScanList, scanId: string, before: ScansBefore): boolean | undefined {
  const place = scans.findIndex(({ id }) => id === scanId);
  if (place < 0) return undefined;
  const known = new Set<string | undefined>(before.ids);
  const isKnown = ({ id }: ListedScan) => known.has(id);
  if (scans.slice(0, place).some((scan) => scan.id === undefined || isKnown(scan))) return false;
  return scans.some(isKnown) || undefined;
}

/** The only new scan that can come from a lost launch. */
export interface Found {
  readonly kind: 'found';
  readonly scanId: string;
}

/** The result if it is not proven which scan comes from a lost launch. */
export interface NoMatch {
  readonly kind: 'no-match';
  /**
   * - `unreadable`: the list could not be read.
   * - `claimed`: a mark of a job names the scan. A lost launch has no mark.
   * - `not-sought`: a full scan, or a launch that was not saved in full.
   */
  readonly why:
    | 'none'
    | 'several'
    | 'cannot-tell'
    | 'unreadable'
    | 'claimed'
    | 'marks-unreadable'
    | 'not-sought';
  /** The ids of the scans that the launch may have created. */
  readonly ids: readonly string[];
}

export function noMatch(why: NoMatch['why'], ids: readonly string[] = []): NoMatch {
  return { kind: 'no-match', why, ids };
}

/** Returns the new scans of the list that show nothing that differs from the launch. Pure. */
export function newCandidates({ scans }: ScanList, { before, subject }: SavedLaunch): readonly ListedScan[] {
  const known = new Set<string | undefined>(before.ids);
  return scans.filter((scan) => !known.has(scan.id) && matchLaunch(scan, subject) !== 'different');
}

/**
 * Finds the one new scan of a lost launch. The scan must show base and commit in full. Pure.
 * @param details the details of the candidates, as far as they could be read
 * @param claimed the ids of the scans that marks name
 */
export function matchNewScans(
  list: ScanList,
  details: ReadonlyMap<string | undefined, Scan>,
  claimed: ReadonlySet<string | undefined>,
  launch: SavedLaunch,
): NoMatch | Found {
  const { before, subject } = launch;
  const all = newCandidates(list, launch).filter(({ id }) => {
    const detail = details.get(id);
    return detail === undefined || matchLaunch(detail, subject) !== 'different';
  });
  const candidates = all.filter(({ id }) => !claimed.has(id));
  const ids = idsOf(candidates);
  // If the list is cut off and shows no known scan, there may be further new scans after its end.
  const known = new Set<string | undefined>(before.ids);
  const isWhole = list.complete || list.scans.some(({ id }) => known.has(id));
  if (all.length > 0 && candidates.length === 0) return noMatch('claimed', idsOf(all));
  if (candidates.length === 0) return noMatch(isWhole ? 'none' : 'cannot-tell');
  const proven = candidates.flatMap(({ id }) => {
    const detail = details.get(id);
    return detail && matchLaunch(detail, subject) === 'same' ? [detail.id] : [];
  });
  if (proven.length > 1) return noMatch('several', ids);
  const [only] = proven;
  return only !== undefined && candidates.length === 1 && isWhole
    ? { kind: 'found', scanId: only }
    : noMatch('cannot-tell', ids);
}
