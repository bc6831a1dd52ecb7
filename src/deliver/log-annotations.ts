import type { CheckAnnotation } from '../domain/annotation.ts';
import { countOf } from '../report/headline.ts';
import type { SummaryCoverage } from '../report/summary-coverage.ts';
import type { Log } from '../runner/log.ts';

/**
 * Writes into the log the annotations that are missing from the check run. The runner silently drops annotations above
 * its limit, so the log says how many findings have no annotation because of a limit.
 * @param leftOutBefore the number of findings that have no annotation because they exceed `MOST_ANNOTATIONS`
 * @param coverage which findings the job summary leaves out; undefined if the summary was not written
 */
export function annotateInLog(
  log: Log,
  annotations: readonly CheckAnnotation[],
  leftOutBefore: number,
  coverage: SummaryCoverage | undefined,
): void {
  const dropped = annotations.filter((annotation) => !log.annotate(annotation)).length;
  const leftOut = dropped + leftOutBefore;
  if (leftOut === 0) return;
  const where = coverage?.leftOut.reported === 0 ? 'The job summary lists' : 'This log lists';
  log.info(
    `${countOf(leftOut, 'more finding')} not annotated: GitHub shows 10 annotations of each level per step. ${where} all reported findings.`,
  );
}
