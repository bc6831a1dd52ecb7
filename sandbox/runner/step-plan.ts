import type { ActionManifest } from './action-manifest.ts';
import { stepInputs } from './inputs.ts';
import { githubContext, type JobDescription, runnerContext, stepEnvironment } from './job.ts';
import { createSecretMasker } from './secret-masker.ts';
import type { StepDirectories } from './step-directories.ts';
import { createStepLog } from './step-log.ts';

export interface StepDescription extends JobDescription {
  /** The `with:` of the step. */
  readonly inputs?: Readonly<Record<string, string>>;
  /**
   * Secrets that are masked from the start, like the secrets of a workflow. The token of the workflow is always masked.
   */
  readonly secrets?: readonly string[];
  readonly debug?: boolean;
}

export type StepPlan = ReturnType<typeof planStep>;

/** Computes what the runner needs before the step starts. */
export function planStep(
  manifest: Pick<ActionManifest, 'inputs'>,
  { secrets = [], debug = false, ...step }: StepDescription,
  places: StepDirectories,
) {
  const github = githubContext(step, places);
  const runner = runnerContext(places, debug);
  const inputs = stepInputs(manifest.inputs, step.inputs ?? {}, github);
  const masker = createSecretMasker([...secrets, github['token'] ?? '']);
  const log = createStepLog({ masker, workspace: places.workspace, debug });
  for (const warning of inputs.warnings) log.issue('warning', warning);
  return {
    /** The variables of the contexts. */
    context: stepEnvironment(github, runner, places.home),
    /** The variables of the inputs. */
    inputs: inputs.environment,
    masker,
    log,
  };
}
