import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ActionManifest, readActionManifest } from './action-manifest.ts';
import { type ActionRun, toActionRun } from './action-run.ts';
import { cancelWhen } from './cancel-when.ts';
import { createFileCommands } from './file-commands.ts';
import { prepareStepDirectories } from './step-directories.ts';
import { planStep, type StepDescription } from './step-plan.ts';
import { CANCEL_WAITS, type CancelWaits, runStepProcess, type StepControls } from './step-process.ts';

export interface RunActionOptions extends StepDescription {
  /** The folder with the `action.yml` and the files that it names. */
  readonly actionDirectory: string;
  /** Default: `main`. `post` runs `runs.post`, and ignores `post-if`. */
  readonly step?: 'main' | 'post';
  /** The state that `main` saved. `post` gets it as variables `STATE_*`. */
  readonly state?: Readonly<Record<string, string>>;
  /**
   * The `env:` of the job. It can override every variable that the runner sets, except `INPUT_*` and `STATE_*`.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a temporary folder, which is deleted afterwards. */
  readonly workspace?: string;
  /** The folder of `RUNNER_TEMP`. Default: a temporary folder, which is deleted afterwards. */
  readonly temp?: string;
  /** The workflow is cancelled when this promise settles. */
  readonly cancelAfter?: Promise<unknown>;
  readonly cancelWaits?: CancelWaits;
  /** Called with each line of the step's output as soon as it arrives. Secrets in the line are not masked. */
  readonly onLine?: (line: string, controls: StepControls) => void;
  /** Called once, when the process of the step has started. */
  readonly onStart?: (controls: StepControls) => void;
  /** The timers of the step run faster by this factor while the step only waits. See `fast-clock.ts`. */
  readonly timeScale?: number;
  /** A file for `fast-clock.ts`. It lists the client's port of each connection that hangs. */
  readonly hungFile?: string;
  /** More arguments for Node. */
  readonly execArgv?: readonly string[];
}

/** Runs one step of a JavaScript action, as GitHub's runner does. The step uses the Node version of this process. */
export async function runAction(options: RunActionOptions): Promise<ActionRun> {
  const own = await mkdtemp(join(tmpdir(), 'scangate-runner-'));
  try {
    return await runStep(options, own);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function runStep(options: RunActionOptions, own: string): Promise<ActionRun> {
  const manifest = await readActionManifest(options.actionDirectory);
  const places = prepareStepDirectories(own, options);
  await writeFile(places.eventPath, JSON.stringify(options.event.payload));
  const files = await createFileCommands(places.temp);
  const plan = planStep(manifest, options, places);

  const finished = new AbortController();
  const step = await runStepProcess({
    file: process.execPath,
    args: [...clockArguments(options), ...(options.execArgv ?? []), scriptOf(manifest, options)],
    cwd: places.workspace,
    env: {
      ...plan.context,
      ...files.environment,
      ...options.env,
      ...stateVariables(options.state ?? {}),
      ...plan.inputs,
    },
    waits: options.cancelWaits ?? CANCEL_WAITS,
    onLine: (line, controls) => {
      plan.log.line(line);
      options.onLine?.(line, controls);
    },
    onStart: (controls) => {
      options.onStart?.(controls);
      cancelWhen(options.cancelAfter, finished.signal, controls.cancel);
    },
  });
  finished.abort();
  return toActionRun(step, plan, await files.read(plan.log, plan.masker));
}

function scriptOf(manifest: ActionManifest, { step, actionDirectory }: RunActionOptions): string {
  const script = step === 'post' ? manifest.post : manifest.main;
  if (script === undefined) throw new Error(`the action in ${actionDirectory} has no ${step} script`);
  return resolve(actionDirectory, script);
}

function stateVariables(state: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
}

function clockArguments({ timeScale, hungFile }: RunActionOptions): string[] {
  // At scale 1, the real clock is enough.
  if (timeScale === undefined || timeScale === 1) return [];
  const preload = new URL('./fast-clock.ts', import.meta.url);
  preload.searchParams.set('scale', String(timeScale));
  if (hungFile !== undefined) preload.searchParams.set('hung', hungFile);
  return ['--import', preload.href];
}
