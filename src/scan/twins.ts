import { isTerminal, showsOtherChange } from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import type { ServiceStep } from '../start/step.ts';
import { cancelScan } from './cancel.ts';
import { MARKS_SHOWN_MS, MOST_MARK_READS } from './marks.ts';
import type { DatedScan } from './scan-mark.ts';

/** A proven mark in a check run. A later check run has a larger id, so the ids rank the jobs. */
export interface RankedMark extends DatedScan {
  readonly key: string;
  /** The id of the check run. */
  readonly rank: number;
}

export interface OwnScan extends RankedMark {
  readonly projectId: string;
  readonly expected: CommitRange;
}

/** The run follows the scan of another job instead of its own scan. */
export interface Yielded {
  /** The mark of the other job's scan. */
  readonly elder: RankedMark;
  /**
   * The state of the run's own scan. `ended`: it failed or was cancelled. `unknown`: it may still be running, or its
   * status cannot be read.
   */
  readonly own: 'ended' | 'unknown';
}

/**
 * Returns the marks of other jobs that have the same scan key and a smaller rank than our own mark, the smallest first.
 * Several jobs can use the same scan. Only the mark with the smallest rank then counts for this scan. Pure.
 *
 * If the answer to the creation of our check run was lost, two check runs may name our scan. The smaller of their ids
 * then counts as our rank, because other jobs see both check runs.
 */
export function elderTwins(marks: readonly RankedMark[], own: RankedMark): readonly RankedMark[] {
  const sameKey = marks.filter(({ key }) => key === own.key);
  const ofOwn = sameKey.filter(({ scanId }) => scanId === own.scanId);
  const ownRank = Math.min(own.rank, ...ofOwn.map(({ rank }) => rank));
  const elders = sameKey.filter(({ rank }) => rank < ownRank).toSorted((a, b) => a.rank - b.rank);
  return elders.filter(({ scanId }, index) => elders.findIndex((one) => one.scanId === scanId) === index);
}

/**
 * Jobs that start at the same time do not see each other, so each launches a scan. To leave only one of these scans,
 * each job calls this function after it has created its check run.
 *
 * The job looks for the marks of other jobs twice, 5 s apart. If the second look fails, it is repeated. If another job
 * has a check run with a smaller id, this job cancels its own scan and follows the scan of the other job. That scan has
 * to be running or COMPLETED, and must not show another change.
 * @param step its signal aborts when the run's own scan has ended, or when the run was stopped
 * @param cancelling the deadline for cancelling the run's own scan
 * @param readMarks reads the current marks of the head; undefined if they cannot be read
 * @returns undefined if the run keeps its own scan, for example because that scan completed before it could be
 * cancelled
 */
export async function yieldToTwin(
  step: ServiceStep,
  own: OwnScan,
  cancelling: AbortSignal,
  readMarks: () => Promise<readonly RankedMark[] | undefined>,
): Promise<Yielded | undefined> {
  const { clock, signal } = step;
  const first = await readMarks();
  const yielded = first && (await yieldToFirst(step, own, cancelling, first));
  if (yielded !== undefined) return yielded === 'own' ? undefined : yielded;
  for (let read = 1; read <= MOST_MARK_READS; read += 1) {
    await clock.sleep(MARKS_SHOWN_MS, signal);
    if (signal.aborted) return undefined;
    const marks = await readMarks();
    if (marks === undefined) continue;
    const found = await yieldToFirst(step, own, cancelling, marks);
    return found === 'own' ? undefined : found;
  }
  return undefined;
}

/** @returns `own` if the run certainly keeps its own scan; undefined if no scan of another job can be used */
async function yieldToFirst(
  step: ServiceStep,
  own: OwnScan,
  cancelling: AbortSignal,
  marks: readonly RankedMark[],
): Promise<Yielded | 'own' | undefined> {
  const { api, signal } = step;
  for (const elder of elderTwins(marks, own)) {
    const read = await api.readScan(own.projectId, elder.scanId, { signal });
    if (signal.aborted) return 'own';
    if (!read.ok || showsOtherChange(read.value, own.expected)) continue;
    const leads = !isTerminal(read.value.status) || read.value.status === 'COMPLETED';
    if (!leads) continue;
    const cancellation = await cancelScan({ ...step, signal: cancelling }, own.projectId, own.scanId);
    if (!('status' in cancellation)) {
      return { elder, own: cancellation.kind === 'cancelled' ? 'ended' : 'unknown' };
    }
    if (cancellation.status === undefined) return { elder, own: 'unknown' };
    return cancellation.status === 'COMPLETED' ? 'own' : { elder, own: 'ended' };
  }
  return undefined;
}
