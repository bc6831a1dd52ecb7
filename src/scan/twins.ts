import type { Clock } from '../clock.ts';
import { isTerminal } from '../domain/scan.ts';
import { showsOtherChange } from '../domain/scan-subject.ts';
import type { CommitRange } from '../domain/target.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { cancelScan } from './cancel.ts';
import { MARKS_SHOWN_MS, MOST_MARK_READS } from './find-marks.ts';
import type { DatedScan } from './scan-mark.ts';

/** A proven mark in a check run. The id of the check run is its rank: GitHub gives them out in one order for all. */
export interface RankedMark extends DatedScan {
  readonly key: string;
  /** Check run id. */
  readonly rank: number;
}

export interface OwnScan extends RankedMark {
  readonly projectId: string;
  readonly expected: CommitRange;
}

export interface TwinDeps {
  readonly api: Pick<ScanApi, 'readScan' | 'cancel'>;
  readonly clock: Clock;
  /** Ends the looking, because the own scan has ended or the work was stopped. */
  readonly signal: AbortSignal;
  /** For cancelling the own scan. */
  readonly cancelSignal: AbortSignal;
  /** The marks of the head as they are now; undefined: they cannot be read. */
  readonly readMarks: () => Promise<readonly RankedMark[] | undefined>;
}

/** The job whose scan comes first, and what became of the own one: `unknown` where the cancellation failed. */
export interface Yielded {
  readonly elder: RankedMark;
  readonly own: 'ended' | 'unknown';
}

/**
 * The marks of other jobs for the same scan key that come first, the first of all first. Where a creation was lost,
 * a second check run can name the own scan: others see the smaller id too, so it is the one that counts. Pure.
 */
export function elderTwins(marks: readonly RankedMark[], own: RankedMark): readonly RankedMark[] {
  const sameKey = marks.filter(({ key }) => key === own.key);
  const ofOwn = sameKey.filter(({ scanId }) => scanId === own.scanId);
  const ownRank = Math.min(own.rank, ...ofOwn.map(({ rank }) => rank));
  return sameKey.filter(({ rank }) => rank < ownRank).toSorted((a, b) => a.rank - b.rank);
}

/**
 * Jobs that start together do not see each other, and both launch. After its check run is created, each looks for the
 * marks of the others, at once and once more 5 s later. The one with the larger check run id cancels its own scan and
 * follows the other, as long as that one was just read as running or COMPLETED, and shows no other change.
 * @returns undefined: the own scan stays. It stays also where the cancellation failed, unless it turns out to be CANCELLED.
 */
export async function yieldToTwin(deps: TwinDeps, own: OwnScan): Promise<Yielded | undefined> {
  const { clock, signal, readMarks } = deps;
  const first = await readMarks();
  const yielded = first && (await yieldToFirst(deps, own, first));
  if (yielded !== undefined) return yielded === 'own' ? undefined : yielded;
  for (let read = 1; read <= MOST_MARK_READS; read += 1) {
    await clock.sleep(MARKS_SHOWN_MS, signal);
    if (signal.aborted) return undefined;
    const marks = await readMarks();
    if (marks === undefined) continue;
    const found = await yieldToFirst(deps, own, marks);
    return found === 'own' ? undefined : found;
  }
  return undefined;
}

/** @returns `own`: the question is settled, and the own scan stays; undefined: no twin leads to a result */
async function yieldToFirst(
  { api, signal, cancelSignal }: TwinDeps,
  own: OwnScan,
  marks: readonly RankedMark[],
): Promise<Yielded | 'own' | undefined> {
  for (const elder of elderTwins(marks, own)) {
    const read = await api.readScan(own.projectId, elder.scanId, { signal });
    if (signal.aborted) return 'own';
    if (!read.ok || showsOtherChange(read.value, own.expected)) continue;
    const leads = !isTerminal(read.value.status) || read.value.status === 'COMPLETED';
    if (!leads) continue;
    const cancellation = await cancelScan(api, own.projectId, own.scanId, cancelSignal);
    if (!('status' in cancellation)) {
      return { elder, own: cancellation.kind === 'cancelled' ? 'ended' : 'unknown' };
    }
    if (cancellation.status === undefined) return { elder, own: 'unknown' };
    return cancellation.status === 'COMPLETED' ? 'own' : { elder, own: 'ended' };
  }
  return undefined;
}
