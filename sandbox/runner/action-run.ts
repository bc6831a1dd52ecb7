import type { FileResults } from './file-commands.ts';
import type { LogAnnotation } from './log-annotation.ts';
import type { StepPlan } from './step-plan.ts';
import type { StepProcess } from './step-process.ts';

/** The result of a step. Secrets in `stdout` and `stderr` are not masked. */
export interface ActionRun extends FileResults, Omit<StepProcess, 'cancelled'> {
  readonly conclusion: 'success' | 'failure' | 'cancelled';
  /** The log of the job as users see it. Secrets are masked, and commands are rendered. */
  readonly log: string;
  readonly masks: readonly string[];
  readonly annotations: readonly LogAnnotation[];
}

/** Makes the result of a step. It comes from the process, the log, and the files that the step wrote for the runner. */
export function toActionRun(
  { cancelled, ...step }: StepProcess,
  { log, masker }: Pick<StepPlan, 'log' | 'masker'>,
  results: FileResults,
): ActionRun {
  const failed = step.exitCode !== 0 || log.failed;
  if (cancelled) log.issue('error', 'The operation was canceled.');
  return {
    ...step,
    ...results,
    conclusion: cancelled ? 'cancelled' : failed ? 'failure' : 'success',
    log: log.shown.map((line) => `${line}\n`).join(''),
    outputs: { ...Object.fromEntries(log.outputs), ...results.outputs },
    state: { ...Object.fromEntries(log.state), ...results.state },
    masks: masker.values,
    annotations: log.annotations,
  };
}
