import type { Clock } from '../clock.ts';
import type { CommitRange } from '../domain/target.ts';
import type { SealedAccess } from '../github/access.ts';
import type { Inputs } from '../runner/inputs.ts';
import { type FoundMark, MARKS_SHOWN_MS, MOST_MARK_READS, marksOfCheckRuns } from './find-marks.ts';
import type { DatedScan } from './scan-mark.ts';

/** Our choice: each one costs at least one request. After so many failures a new scan is better. */
const MOST_TRIED = 5;

/** A scan that a mark names, and the change that the mark is about. */
export interface MarkedScan extends CommitRange, DatedScan {}

/** A scan that can make a launch unnecessary. */
export type Candidate =
  /** A scan of this very change. It is followed to its end. */
  | { readonly kind: 'exact'; readonly scan: DatedScan }
  /** A scan of the same files, under other commits or for another pull request. It counts only if it is COMPLETED. */
  | { readonly kind: 'same-files'; readonly scan: MarkedScan };

/** The proven marks that name scans of one change. Empty without `reuse-scan`. */
export interface MarksOfChange {
  /** The marks with the exact key at the start of the run, the newest launch first. */
  readonly exact: readonly FoundMark[];
  /** The marks with only the content key, in the same order. */
  readonly sameFiles: readonly FoundMark[];
  /** The scans that are no longer candidates, because they were tried or this run launched them. */
  readonly tried: Set<string>;
  /** Reads the marks with the exact key again, without the scans that were tried. Empty if they cannot be read. */
  readonly readNew: () => Promise<readonly FoundMark[]>;
  /** True if one of these marks names the scan, or the scan was tried. */
  readonly names: (scanId: string) => boolean;
}

export interface MarksDeps extends SealedAccess {
  readonly inputs: Pick<Inputs, 'reuseScan'>;
  readonly clock: Clock;
  /** Called with all marks of the head each time they are read again. */
  readonly onRead: (marks: readonly FoundMark[]) => void;
}

/** What the marks of a change have in common. */
export interface SoughtMarks {
  readonly headSha: string;
  readonly key: string;
  /** Undefined if the files of base and head are not known. */
  readonly contentKey: string | undefined;
}

/** @param earlier all marks that were found when the run began, the newest launch first */
export function createMarksOfChange(
  { github, inputs, seal, clock, signal, onRead }: MarksDeps,
  { headSha, key, contentKey }: SoughtMarks,
  earlier: readonly FoundMark[],
): MarksOfChange {
  const tried = new Set<string>();
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
    readNew: async () => {
      if (!inputs.reuseScan) return [];
      // Retries if marks cannot be read, because without them a second scan is launched.
      for (let read = 1; read <= MOST_MARK_READS && !signal.aborted; read += 1) {
        if (read > 1) await clock.sleep(MARKS_SHOWN_MS, signal);
        const marks = await marksOfCheckRuns({ github, seal, signal }, headSha);
        if (!marks.ok) continue;
        onRead(marks.value);
        return exactOf(marks.value);
      }
      return [];
    },
    names: (scanId) => tried.has(scanId) || sameFiles.some((mark) => mark.scanId === scanId),
  };
}

/**
 * Returns the scans to try before a launch. First come scans of this very change, then those that other jobs have
 * marked meanwhile, then those of the same files. Each scan is returned once.
 * @param exact scans of this very change; the first one is tried first
 * @param sameFiles the newest launch first
 */
export async function* candidates(
  { tried, readNew }: Pick<MarksOfChange, 'tried' | 'readNew'>,
  exact: readonly DatedScan[],
  sameFiles: readonly MarkedScan[] = [],
): AsyncGenerator<Candidate, void, undefined> {
  for (const { scanId } of exact) tried.add(scanId);
  for (const scan of firstOf(exact)) yield { kind: 'exact', scan };
  // Trying scans takes time, so other jobs may have added marks. Without a try, the marks were read just before.
  while (exact.length > 0) {
    const [newer] = await readNew();
    if (newer === undefined) break;
    tried.add(newer.scanId);
    yield { kind: 'exact', scan: newer };
  }
  for (const scan of firstOf(sameFiles)) yield { kind: 'same-files', scan };
}

/**
 * Returns each scan once, at its first place. If several marks name a scan, the last one is by the run that launched
 * it.
 */
function firstOf<Named extends DatedScan>(scans: readonly Named[]): readonly Named[] {
  return [...new Map(scans.map((scan) => [scan.scanId, scan])).values()].slice(0, MOST_TRIED);
}
