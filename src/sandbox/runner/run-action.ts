import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ActionManifest, readActionManifest } from './action-manifest.ts';
import { createFileCommands } from './file-commands.ts';
import { stepInputs } from './inputs.ts';
import {
  githubContext,
  type JobDescription,
  runnerContext,
  type StepPlaces,
  stepEnvironment,
} from './job.ts';
import type { LogAnnotation } from './log-annotation.ts';
import { createSecretMasker } from './secret-masker.ts';
import { createStepLog } from './step-log.ts';
import { CANCEL_WAITS, type CancelWaits, runStepProcess, type StepControls } from './step-process.ts';

export interface RunActionOptions extends JobDescription {
  /** Where `action.yml` and what it names lie. */
  readonly actionDirectory: string;
  /** Default: `main`. `post` runs `runs.post` with `state`; whether it would run (`post-if`) is the caller's affair. */
  readonly step?: 'main' | 'post';
  /** The step's `with:`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** What `main` saved, handed to `post` as `STATE_*`. */
  readonly state?: Readonly<Record<string, string>>;
  /** The job's `env:`, over everything that the runner sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Masked from the start, as GitHub does with secrets that a workflow uses. The workflow token always is. */
  readonly secrets?: readonly string[];
  /** Default: a temporary directory, gone afterwards. */
  readonly workspace?: string;
  /** `RUNNER_TEMP`. Default: a temporary directory, gone afterwards. */
  readonly temp?: string;
  /** As if debug logging were on. */
  readonly debug?: boolean;
  /** Cancels the workflow when it resolves or aborts. */
  readonly cancelAfter?: Promise<unknown> | AbortSignal;
  readonly cancelWaits?: CancelWaits;
  /** Every raw line of the step's output, unmasked, as it arrives. */
  readonly onLine?: (line: string, controls: StepControls) => void;
  /** Called once, as soon as the step's process runs. */
  readonly onStart?: (controls: StepControls) => void;
  /** Lets the step's timers run so many times faster; see `fast-clock.ts`. */
  readonly timeScale?: number;
  /** Further arguments of Node. */
  readonly execArgv?: readonly string[];
}

/** What became of the step. */
export interface ActionRun {
  readonly conclusion: 'success' | 'failure' | 'cancelled';
  /** Null where a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Raw, unmasked. */
  readonly stdout: string;
  readonly stderr: string;
  /** What people see in the job's log: masked, commands rendered. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  /** For the steps that follow. */
  readonly env: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  readonly summary: string;
  readonly masks: readonly string[];
  readonly annotations: readonly LogAnnotation[];
  readonly durationMs: number;
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
  const places = await preparePlaces(options, own);
  await writeFile(places.eventPath, JSON.stringify(options.event.payload));
  const files = await createFileCommands(places.temp);
  const github = githubContext(options, places);
  const runner = runnerContext(places, options.debug === true);
  const inputs = stepInputs(manifest.inputs, options.inputs ?? {}, { github, runner });
  const masker = createSecretMasker([...(options.secrets ?? []), github['token'] ?? '']);
  const log = createStepLog({ masker, workspace: places.workspace, debug: options.debug === true });
  for (const warning of inputs.warnings) log.issue('warning', warning);

  const finished = new AbortController();
  const step = await runStepProcess({
    file: process.execPath,
    args: [...clockArguments(options.timeScale), ...(options.execArgv ?? []), scriptOf(manifest, options)],
    cwd: places.workspace,
    env: {
      ...stepEnvironment(github, runner, places.home),
      ...files.environment,
      ...options.env,
      ...stateVariables(options.state ?? {}),
      ...inputs.environment,
    },
    waits: options.cancelWaits ?? CANCEL_WAITS,
    onLine: (line, controls) => {
      log.line(line);
      options.onLine?.(line, controls);
    },
    onStart: (controls) => {
      options.onStart?.(controls);
      cancelWhen(options.cancelAfter, finished.signal, controls);
    },
  });
  finished.abort();

  const results = await files.read(log, masker);
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

async function preparePlaces(options: RunActionOptions, own: string): Promise<StepPlaces> {
  const made = async (path: string) => {
    await mkdir(path, { recursive: true });
    return path;
  };
  return {
    workspace: options.workspace ?? (await made(join(own, 'work'))),
    temp: options.temp ?? (await made(join(own, 'temp'))),
    toolCache: await made(join(own, 'tools')),
    home: await made(join(own, 'home')),
    eventPath: join(await made(join(own, 'workflow')), 'event.json'),
    actionPath: resolve(options.actionDirectory),
  };
}

function scriptOf(manifest: ActionManifest, { step, actionDirectory }: RunActionOptions): string {
  const script = step === 'post' ? manifest.post : manifest.main;
  if (script === undefined) throw new Error(`the action in ${actionDirectory} has no ${step} script`);
  return resolve(actionDirectory, script);
}

function stateVariables(state: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
}

function clockArguments(timeScale: number | undefined): string[] {
  if (timeScale === undefined) return [];
  const preload = new URL('./fast-clock.ts', import.meta.url);
  preload.searchParams.set('scale', String(timeScale));
  return ['--import', preload.href];
}

function cancelWhen(
  cause: Promise<unknown> | AbortSignal | undefined,
  finished: AbortSignal,
  controls: StepControls,
): void {
  const cancel = () => {
    if (!finished.aborted) controls.cancel();
  };
  if (cause instanceof AbortSignal) {
    if (cause.aborted) cancel();
    else cause.addEventListener('abort', cancel, { once: true, signal: finished });
  } else {
    cause?.then(cancel, cancel);
  }
}
