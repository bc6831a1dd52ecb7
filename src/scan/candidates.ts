import type { Clock } from '../clock.ts';
import type { CommitRange } from '../domain/target.ts';
import type { SealedAccess } from '../github/access.ts';
import type { Inputs } from '../runner/inputs.ts';
import { type FoundMark, MARKS_SHOWN_MS, MOST_MARK_READS, marksOfCheckRuns } from './find-marks.ts';
import type { DatedScan } from './scan-mark.ts';

/** Chosen: each costs a request at least. After so many failures a new scan serves better. */
const MOST_TRIED = 5;

/** A scan, and the change that the mark that names it is about. */
export interface MarkedScan extends CommitRange, DatedScan {}

/** A scan that can make a launch unnecessary. */
export type Candidate =
  /** Of this very change. It is followed to its end. */
  | { readonly kind: 'exact'; readonly scan: DatedScan }
  /** Of the same files, under other commits or for another pull request. It counts only if it is COMPLETED. */
  | { readonly kind: 'same-files'; readonly scan: MarkedScan };

/** The proven marks that name scans of one change. Empty without `reuse-scan`. */
export interface MarksOfChange {
  /** Those with the exact key, as they were when the run began. The newest launch comes first. */
  readonly exact: readonly FoundMark[];
  /** Those with the content key alone, likewise. */
  readonly sameFiles: readonly FoundMark[];
  /** The scans that are no longer candidates: they were tried, or this run launched them. */
  readonly tried: Set<string>;
  /** Reads those with the exact key again, without the scans that were tried. Empty where they cannot be read. */
  readonly readNew: () => Promise<readonly FoundMark[]>;
  /** One of these marks names the scan, or it was tried. */
  readonly names: (scanId: string) => boolean;
}

export interface MarksDeps extends SealedAccess {
  readonly inputs: Pick<Inputs, 'reuseScan'>;
  readonly clock: Clock;
  /** Called with all marks of the head whenever they were read again. */
  readonly onRead: (marks: readonly FoundMark[]) => void;
}

/** What a mark has to show to be one of the change. */
export interface SoughtMarks {
  readonly headSha: string;
  readonly key: string;
  /** Undefined where the files of base and head are not known. */
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
      // Marks that cannot be read are read again: without them a second scan is launched.
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
 * The scans to try before a launch, in the order of trust: those of this very change; those that other jobs marked while
 * these were tried; those of the same files. What is yielded is no candidate again.
 * @param exact of this very change, the one to try first at the front
 * @param sameFiles the newest launch first
 */
export async function* candidates(
  { tried, readNew }: Pick<MarksOfChange, 'tried' | 'readNew'>,
  exact: readonly DatedScan[],
  sameFiles: readonly MarkedScan[] = [],
): AsyncGenerator<Candidate, void, undefined> {
  for (const { scanId } of exact) tried.add(scanId);
  for (const scan of firstOf(exact)) yield { kind: 'exact', scan };
  // What was followed in vain took its time. Without it the marks were just read.
  while (exact.length > 0) {
    const [newer] = await readNew();
    if (newer === undefined) break;
    tried.add(newer.scanId);
    yield { kind: 'exact', scan: newer };
  }
  for (const scan of firstOf(sameFiles)) yield { kind: 'same-files', scan };
}

/** Each scan once, at its first place; of several marks of one scan the last is that of the run that launched it. */
function firstOf<Named extends DatedScan>(scans: readonly Named[]): readonly Named[] {
  return [...new Map(scans.map((scan) => [scan.scanId, scan])).values()].slice(0, MOST_TRIED);
}
