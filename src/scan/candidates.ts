import type { Clock } from '../clock.ts';
import { isTerminal, type ListedScan, matchCommit, showsOtherChange } from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import type { SealedAccess } from '../github/octokit.ts';
import type { Inputs } from '../runner/inputs.ts';
import { listed } from '../text/visible-text.ts';
import { type FoundMark, MARKS_SHOWN_MS, MOST_MARK_READS, marksOfCheckRuns } from './marks.ts';
import { type DatedScan, inLaunchOrder } from './scan-mark.ts';

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

export interface ReadNewOptions {
  /** Marks in comments. They count even if the check runs cannot be read. Default: none. */
  readonly ofComments?: readonly FoundMark[];
  /** The maximum number of attempts to read the check runs. Default: `MOST_MARK_READS`. */
  readonly mostReads?: number;
}

/**
 * The proven marks that can make a launch for one change unnecessary. If `reuse-scan` is `false`, the lists of marks
 * are empty.
 */
export interface MarksOfChange {
  /** Marks of scans of exactly this change. The run read them at its start. The newest launch comes first. */
  readonly exact: readonly FoundMark[];
  /** Marks of scans of the same files, but of other commits or another pull request. The newest launch comes first. */
  readonly sameFiles: readonly FoundMark[];
  /** The ids of scans that are no longer candidates: the run has tried them, or launched them itself. */
  readonly tried: Set<string>;
  /**
   * Reads the marks in the head's check runs again. Returns those of exactly this change, but not of scans that were
   * tried. The newest launch comes first.
   */
  readonly readNew: (options?: ReadNewOptions) => Promise<readonly FoundMark[]>;
  /** True if a mark of `sameFiles` names the scan, or if the scan was tried. */
  readonly names: (scanId: string) => boolean;
  /** Receives marks of the head that were read elsewhere. */
  readonly saw: (marks: readonly FoundMark[]) => void;
  /** True if any mark names the scan, of this change or another one, or if the scan was tried. */
  readonly hasSeen: (scanId: string) => boolean;
}

export interface MarksDeps extends SealedAccess {
  readonly inputs: Pick<Inputs, 'reuseScan'>;
  readonly clock: Clock;
  /** Called with all marks of the head each time they are read again. */
  readonly onRead: (marks: readonly FoundMark[]) => void;
}

/** The values by which the marks of a change are found. */
export interface SoughtMarks {
  readonly headSha: string;
  readonly key: string;
  /** Undefined if the trees of base and head are not known, or if the base was not computed. */
  readonly contentKey: string | undefined;
}

/** @param earlier all marks that the run found at its start, the newest launch first */
export function createMarksOfChange(
  { github, inputs, seal, clock, signal, onRead }: MarksDeps,
  { headSha, key, contentKey }: SoughtMarks,
  earlier: readonly FoundMark[],
): MarksOfChange {
  const tried = new Set<string>();
  const seen = new Set<string>();
  const see = (marks: readonly FoundMark[]) => {
    for (const { scanId } of marks) seen.add(scanId);
  };
  see(earlier);
  const saw = (marks: readonly FoundMark[]) => {
    see(marks);
    onRead(marks);
  };
  const exactOf = (marks: readonly FoundMark[]) =>
    marks.filter((mark) => mark.headSha === headSha && mark.key === key && !tried.has(mark.scanId));
  const usable = earlier.filter(() => inputs.reuseScan);
  const sameFiles = usable.filter(
    (mark) => contentKey !== undefined && mark.contentKey === contentKey && mark.key !== key,
  );
  return {
    exact: exactOf(usable),
    sameFiles,
    tried,
    readNew: async ({ ofComments = [], mostReads = MOST_MARK_READS } = {}) => {
      see(ofComments);
      if (!inputs.reuseScan) return [];
      // A failed read is repeated, because a run that sees no marks would launch a second scan.
      for (let read = 1; read <= mostReads && !signal.aborted; read += 1) {
        if (read > 1) await clock.sleep(MARKS_SHOWN_MS, signal);
        const marks = await marksOfCheckRuns({ github, seal, signal }, headSha);
        if (!marks.ok) continue;
        saw(marks.value);
        return exactOf(inLaunchOrder([...marks.value, ...ofComments]));
      }
      return exactOf(inLaunchOrder(ofComments));
    },
    names: (scanId) => tried.has(scanId) || sameFiles.some((mark) => mark.scanId === scanId),
    saw,
    hasSeen: (scanId) => tried.has(scanId) || seen.has(scanId),
  };
}

/**
 * Yields the scans to try before a launch, the newest launch first. Of two launches in the same second, the scan of
 * this change comes first. After scans of this change, yields those that other jobs have marked meanwhile. Of each list,
 * yields at most `MOST_TRIED` different scans.
 * @param exact scans of this change, in the order in which they are tried
 * @param sameFiles the newest launch first
 */
export async function* candidates(
  { tried, readNew }: Pick<MarksOfChange, 'tried' | 'readNew'>,
  exact: readonly DatedScan[],
  sameFiles: readonly MarkedScan[] = [],
): AsyncGenerator<Candidate, void, undefined> {
  for (const { scanId } of exact) tried.add(scanId);
  let others = firstOf(sameFiles);
  for (const scan of firstOf(exact)) {
    const newer = others.filter(({ launchedAt }) => launchedAt > scan.launchedAt);
    others = others.slice(newer.length);
    for (const other of newer) yield { kind: 'same-files', scan: other };
    yield { kind: 'exact', scan };
  }
  // Trying a scan takes time, so other jobs may have added marks. If no scan was tried, the marks are new enough.
  while (exact.length > 0) {
    const [newer] = await readNew();
    if (newer === undefined) break;
    tried.add(newer.scanId);
    yield { kind: 'exact', scan: newer };
  }
  for (const scan of others) yield { kind: 'same-files', scan };
}

/**
 * Returns each scan once, and at most `MOST_TRIED` scans. If several marks name a scan, the scan has the place of the
 * first mark and the data of the last mark. The last mark is from the earliest run, which usually launched the scan.
 */
function firstOf<Named extends DatedScan>(scans: readonly Named[]): readonly Named[] {
  return [...new Map(scans.map((scan) => [scan.scanId, scan])).values()].slice(0, MOST_TRIED);
}
