import type { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cleanUp, createCleanUpWorld } from '../../../src/clean-up.ts';
import { readEnvironment } from '../../../src/github/environment.ts';
import { readInputs } from '../../../src/inputs.ts';
import { createLimits } from '../../../src/limits.ts';
import type { Log } from '../../../src/log.ts';
import type { Outputs } from '../../../src/outputs.ts';
import { run } from '../../../src/run.ts';
import type { ActionManifest } from '../../../src/sandbox/runner/action-manifest.ts';
import { inputVariable, stepInputs } from '../../../src/sandbox/runner/inputs.ts';
import { githubContext, runnerContext, stepEnvironment } from '../../../src/sandbox/runner/job.ts';
import { createRunState } from '../../../src/state.ts';
import type { Process } from './network.ts';
import type { Ending } from './plan.ts';
import { ADDRESSES, REPOSITORY } from './town.ts';
import type { VirtualTime } from './virtual-time.ts';

/** GitHub's own: SIGTERM 7.5 s after SIGINT, SIGKILL 2.5 s after that. */
const SIGTERM_AFTER_MS = 7_500;
const SIGKILL_AFTER_MS = 10_000;

export interface JobWorld {
  readonly time: VirtualTime;
  readonly processes: AsyncLocalStorage<Process>;
  readonly manifest: ActionManifest;
  readonly folder: string;
  readonly serverUrl: string;
  readonly githubToken: string;
  readonly apiToken: string;
}

/** One attempt of one workflow run. */
export interface JobPlan {
  readonly number: number;
  readonly runId: number;
  readonly attempt: number;
  readonly headSha: string;
  readonly payload: unknown;
  readonly timeoutMinutes: number;
  readonly end: Ending;
}

/** What is known of an attempt; filled in as it goes on. */
export interface Job {
  readonly plan: JobPlan;
  readonly startedAt: number;
  readonly log: string[];
  readonly state: Map<string, string>;
  summary: string;
  outputs: Outputs | undefined;
  /** What `report-file` holds. */
  report: string | undefined;
  /** Undefined where it was killed. */
  exitCode: 0 | 1 | undefined;
  /** Something was thrown that nobody expected. */
  crash: unknown;
  signalledAt: number | undefined;
  lost: boolean;
  mainEndedAt: number | undefined;
  post: { readonly startedAt: number; endedAt: number; exitCode: 0 | 1 } | undefined;
  /** Somebody cancels the run; nothing happens where it is over. */
  cancel(): void;
  readonly over: Promise<void>;
}

/** Runs `main` and `post` in this process, as the runner would run them in two of their own. */
export function startJob(world: JobWorld, plan: JobPlan): Job {
  const { time } = world;
  const main: Process = { run: plan.number, phase: 'main', alive: true };
  const clock = time.clockOf(main);
  const limits = createLimits(clock);
  const timers: (() => void)[] = [];
  let die = () => {};
  const killed = new Promise<undefined>((resolve) => {
    die = () => {
      main.alive = false;
      resolve(undefined);
    };
  });
  const at = (ms: number, what: () => void) => void timers.push(time.after(ms, what));
  const cancel = () => {
    if (job.mainEndedAt !== undefined || job.signalledAt !== undefined) return;
    job.signalledAt = time.now();
    limits.stop('signal');
    at(SIGTERM_AFTER_MS, () => limits.stop('signal'));
    at(SIGKILL_AFTER_MS, die);
  };

  async function play(): Promise<void> {
    const { end } = plan;
    if (end.kind === 'cancelled') at(end.at, cancel);
    if (end.kind === 'killed') at(end.at, die);
    if (end.kind === 'lost')
      at(end.at, () => {
        job.lost = true;
        die();
      });
    const ended = world.processes.run(main, () => runMain(world, job, main, clock, limits));
    job.exitCode = await Promise.race([ended, killed]);
    job.mainEndedAt = time.now();
    main.alive = false;
    for (const takeBack of timers) takeBack();
    job.report = await readFile(reportFile(world, plan), 'utf8').catch(() => undefined);
    if (!job.lost) await runPost(world, job);
  }

  const job: Job = {
    plan,
    startedAt: time.now(),
    log: [],
    state: new Map(),
    summary: '',
    outputs: undefined,
    report: undefined,
    exitCode: undefined,
    crash: undefined,
    signalledAt: undefined,
    lost: false,
    mainEndedAt: undefined,
    post: undefined,
    cancel,
    over: Promise.resolve().then(play),
  };
  return job;
}

async function runMain(
  world: JobWorld,
  job: Job,
  process: Process,
  clock: ReturnType<VirtualTime['clockOf']>,
  limits: ReturnType<typeof createLimits>,
): Promise<0 | 1> {
  const { plan } = job;
  const ifAlive = (what: () => void) => {
    if (process.alive) what();
  };
  try {
    return await run({
      clock,
      limits,
      log: logInto(job.log),
      ...settingOf(world, plan),
      payload: plan.payload,
      workspace: world.folder,
      state: createRunState(storeOf(job, process)),
      writeOutputs: (outputs) =>
        ifAlive(() => {
          job.outputs = outputs;
        }),
      writeSummary: async (markdown) =>
        ifAlive(() => {
          job.summary += markdown;
        }),
    });
  } catch (error) {
    ifAlive(() => {
      job.crash = error;
    });
    return 1;
  }
}

async function runPost(world: JobWorld, job: Job): Promise<void> {
  const { time } = world;
  const process: Process = { run: job.plan.number, phase: 'post', alive: true };
  const saved = createRunState(storeOf(job, process)).saved();
  if (saved === undefined) return;
  if (saved === 'unreadable') throw new Error('the state that main left cannot be read');
  const startedAt = time.now();
  const clock = time.clockOf(process);
  const { reading, environment } = settingOf(world, job.plan);
  const exitCode = await world.processes.run(process, () =>
    cleanUp(createCleanUpWorld({ clock, log: logInto(job.log), inputs: reading.inputs, environment }), saved),
  );
  process.alive = false;
  job.post = { startedAt, endedAt: time.now(), exitCode };
}

function settingOf(world: JobWorld, { number, runId, attempt, payload, timeoutMinutes }: JobPlan) {
  const { folder, manifest, serverUrl } = world;
  const places = {
    workspace: folder,
    temp: folder,
    toolCache: folder,
    home: folder,
    eventPath: path.join(folder, 'event.json'),
    actionPath: folder,
  };
  const github = githubContext(
    {
      event: { name: 'pull_request', payload },
      repository: REPOSITORY,
      serverUrl,
      apiUrl: ADDRESSES.github,
      graphqlUrl: ADDRESSES.graphql,
      token: world.githubToken,
      runId,
      runAttempt: attempt,
    },
    places,
  );
  const runner = runnerContext(places, false);
  const given = {
    'base-url': ADDRESSES.service,
    'api-token': world.apiToken,
    'timeout-minutes': String(timeoutMinutes),
    'report-file': reportName(number),
  };
  const inputs = stepInputs(manifest.inputs, given, { github, runner }).environment;
  const environment = readEnvironment(stepEnvironment(github, runner, folder));
  if (!environment.ok) throw new Error(environment.error.cause);
  const getInput = (name: string) => (inputs[inputVariable(name)] ?? '').trim();
  return { environment: environment.value, reading: readInputs(folder, { getInput, setSecret: () => {} }) };
}

function reportName(number: number): string {
  return `report-${number}.json`;
}

function reportFile({ folder }: JobWorld, { number }: JobPlan): string {
  return path.join(folder, reportName(number));
}

function storeOf({ state }: Job, process: Process) {
  return {
    saveState: (name: string, value: string) => {
      if (process.alive) state.set(name, value);
    },
    getState: (name: string) => state.get(name) ?? '',
  };
}

function logInto(lines: string[]): Log {
  const add = (kind: string) => (text: string) => void lines.push(`${kind}${text}`);
  return {
    info: add(''),
    warning: add('warning: '),
    error: add('error: '),
    group: (title, more) => void lines.push(title, ...more),
    annotate: () => true,
    mask: () => {},
  };
}
