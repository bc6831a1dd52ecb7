import type { CheckAnnotation } from '../domain/annotation.ts';
import type { Log } from '../runner/log.ts';

/**
 * The next best place for annotations: log commands. What the runner would drop in silence is counted.
 * @param leftOutBefore findings that got no annotation anyway
 */
export function annotateInLog(
  log: Log,
  annotations: readonly CheckAnnotation[],
  leftOutBefore: number,
): void {
  const dropped = annotations.filter((annotation) => !log.annotate(annotation)).length;
  const leftOut = dropped + leftOutBefore;
  if (leftOut === 0) return;
  const findings = leftOut === 1 ? '1 more finding is' : `${leftOut} more findings are`;
  log.info(`${findings} not annotated, because there is a limit; the job summary lists all of them.`);
}
