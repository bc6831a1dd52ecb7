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
  /** Where `action.yml` and what it names lie. */
  readonly actionDirectory: string;
  /** Default: `main`. `post` runs `runs.post` with `state`. The caller evaluates `post-if`. */
  readonly step?: 'main' | 'post';
  /** What `main` saved, handed to `post` as `STATE_*`. */
  readonly state?: Readonly<Record<string, string>>;
  /** The job's `env:`, over everything that the runner sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a temporary directory, gone afterwards. */
  readonly workspace?: string;
  /** `RUNNER_TEMP`. Default: a temporary directory, gone afterwards. */
  readonly temp?: string;
  /** Cancels the workflow when it resolves or aborts. */
  readonly cancelAfter?: Promise<unknown> | AbortSignal;
  readonly cancelWaits?: CancelWaits;
  /** Every raw line of the step's output, unmasked, as it arrives. */
  readonly onLine?: (line: string, controls: StepControls) => void;
  /** Called once, as soon as the step's process runs. */
  readonly onStart?: (controls: StepControls) => void;
  /** Lets the step's timers run so many times faster while it only waits; see `fast-clock.ts`. */
  readonly timeScale?: number;
  /** For that: a file with the client's ports of all connections that hang. */
  readonly hungFile?: string;
  /** Further arguments of Node. */
  readonly execArgv?: readonly string[];
}

/** Runs one step of a JavaScript action as GitHub's runner does, on the Node that runs this. */
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
  // At the scale of 1 a clock of our own changes nothing.
  if (timeScale === undefined || timeScale === 1) return [];
  const preload = new URL('./fast-clock.ts', import.meta.url);
  preload.searchParams.set('scale', String(timeScale));
  if (hungFile !== undefined) preload.searchParams.set('hung', hungFile);
  return ['--import', preload.href];
}
