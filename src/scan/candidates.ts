import { isTerminal, type ListedScan, matchCommit, showsOtherChange } from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import { listed } from '../text/visible-text.ts';
import type { DatedScan } from './scan-mark.ts';

/**
 * Returns the ids of the listed scans of this head that may be of this change. Leaves out scans that failed or were
 * cancelled. The log names the returned scans. The run does not use them, because no proven mark shows the inputs of
 * their launches. Pure.
 * @param isUsed says whether a scan was tried already
 */
export function unprovenScans(
  scans: readonly ListedScan[],
  expected: CommitRange,
  isUsed: (scanId: string) => boolean,
): readonly string[] {
  return scans.flatMap((scan) => {
    const { id, status } = scan;
    const isAlike =
      matchCommit(scan.headSha, expected.headSha) === 'same' && !showsOtherChange(scan, expected);
    const hasResult = status === undefined || !isTerminal(status) || status === 'COMPLETED';
    return id !== undefined && isAlike && hasResult && !isUsed(id) ? [id] : [];
  });
}

/** Makes a line for the log that names these scans. */
export function describeUnproven(scanIds: readonly string[]): string {
  const ids = listed(scanIds.map((id) => `\`${id}\``));
  return scanIds.length === 1
    ? `Scan ${ids} is of the same commit. No mark proves that its launch used these inputs, so Scangate does not use it.`
    : `Scans ${ids} are of the same commit. No mark proves that their launches used these inputs, so Scangate does not use them.`;
}

/**
 * Our choice: a run tries at most this many candidates of one list. Each candidate takes at least one request. After
 * this many candidates, a launch is better than more requests.
 */
const MOST_TRIED = 5;

/** A scan that a mark names, and the commits that the mark names. */
export interface MarkedScan extends CommitRange, DatedScan {}

/** A scan that can make a launch unnecessary. */
export type Candidate =
  /** A scan of this change. The run follows it to its end. */
  | { readonly kind: 'exact'; readonly scan: DatedScan }
  /** A scan of the same files, for other commits or another pull request. It is used only if it is COMPLETED. */
  | { readonly kind: 'same-files'; readonly scan: MarkedScan };

/**
 * Returns the scans to try before a launch, the newest launch first. Of two launches in the same second, the scan of
 * this change comes first. Of each list, returns at most `MOST_TRIED` different scans. Pure.
 * @param exact scans of this change, the newest launch first
 * @param sameFiles scans of the same files, the newest launch first
 */
export function candidates(
  exact: readonly DatedScan[],
  sameFiles: readonly MarkedScan[] = [],
): readonly Candidate[] {
  return [
    ...firstOf(exact).map((scan): Candidate => ({ kind: 'exact', scan })),
    ...firstOf(sameFiles).map((scan): Candidate => ({ kind: 'same-files', scan })),
  ].toSorted((a, b) => b.scan.launchedAt - a.scan.launchedAt);
}

/**
 * Returns each scan once, and at most `MOST_TRIED` scans. If several marks name a scan, the scan has the place of the
 * first mark and the data of the last mark. The last mark is from the earliest run, which usually launched the scan.
 */
function firstOf<Named extends DatedScan>(scans: readonly Named[]): readonly Named[] {
  return [...new Map(scans.map((scan) => [scan.scanId, scan])).values()].slice(0, MOST_TRIED);
}
