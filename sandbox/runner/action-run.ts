import type { FileResults } from './file-commands.ts';
import type { LogAnnotation } from './log-annotation.ts';
import type { StepPlan } from './step-plan.ts';
import type { StepProcess } from './step-process.ts';

/** The result of a step. */
export interface ActionRun {
  readonly conclusion: 'success' | 'failure' | 'cancelled';
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The output of the process. Secrets in it are not masked. */
  readonly stdout: string;
  readonly stderr: string;
  /** The log of the job as users see it. Secrets are masked, and commands are rendered. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  /** The environment variables for later steps of the job. */
  readonly env: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  readonly summary: string;
  readonly masks: readonly string[];
  readonly annotations: readonly LogAnnotation[];
  readonly durationMs: number;
}

/** Makes the result of a step. It comes from the process, the log, and the files that the step wrote for the runner. */
export function toActionRun(
  step: StepProcess,
  { log, masker }: Pick<StepPlan, 'log' | 'masker'>,
  results: FileResults,
): ActionRun {
  const failed = step.exitCode !== 0 || log.failed;
  if (step.cancelled) log.issue('error', 'The operation was canceled.');
  return {
    conclusion: step.cancelled ? 'cancelled' : failed ? 'failure' : 'success',
    exitCode: step.exitCode,
    signal: step.signal,
    stdout: step.stdout,
    stderr: step.stderr,
    log: log.shown.map((line) => `${line}\n`).join(''),
    outputs: { ...Object.fromEntries(log.outputs), ...results.outputs },
    state: { ...Object.fromEntries(log.state), ...results.state },
    env: results.env,
    path: results.path,
    summary: results.summary,
    masks: masker.values,
    annotations: log.annotations,
    durationMs: step.durationMs,
  };
}
