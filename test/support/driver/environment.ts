import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
  type EnvironmentRunOptions,
} from '../../../sandbox/environment.ts';
import { observeHangs } from '../../../sandbox/faults/hangs.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import { runAction } from '../../../sandbox/runner/run-action.ts';
import { closeAtEndOfFile } from '../end-of-file.ts';
import { runInProcess } from './in-process.ts';
import { expectOnlyReruns, lookBefore } from './only-reruns.ts';
import { withRunFolders } from './run-folders.ts';
import { expectNothingLeaked } from './secrecy.ts';
import { simulate } from './simulate.ts';

/**
 * How a run of the action is run: `in process`, in virtual time and without sockets, or by the `bundle`, spawned as
 * the runner does.
 */
export type Driver = 'in process' | 'bundle';

/** `SCANGATE_DRIVER=bundle` runs every run by the bundle. */
export const DRIVER: Driver = process.env['SCANGATE_DRIVER'] === 'bundle' ? 'bundle' : 'in process';

/** So many times faster run the timers of the bundle while it only waits: a minute takes a second. */
const TIME_SCALE = 60;
/** Nothing else of this process's environment reaches the action: where Node keeps what it has compiled. */
const { NODE_COMPILE_CACHE } = process.env;
const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
/** Between two looks at what is waited for, in real milliseconds. */
const LOOK_MS = 5;

export interface TestEnvironmentOptions extends EnvironmentOptions {
  /** `bundle`: what the test is about needs a process of its own. */
  readonly driver?: Driver;
  /** Of the bundle. */
  readonly timeScale?: number;
}

/** An environment for runs by either driver. After each run, all that it wrote is searched for secrets. */
export interface TestEnvironment extends Environment {
  readonly driver: Driver;
  /** Milliseconds of the action's time, as far as it is known. */
  now(): number;
  /** The action's wall clock. */
  date(): Date;
  /** Waits so many milliseconds of the action's time. */
  pause(ms: number): Promise<void>;
  /** Resolves as soon as the condition is seen to hold: it is looked at when a request was handled. */
  when(condition: () => boolean): Promise<void>;
  /** The time of a simulation stands still meanwhile: for what an interceptor does over real sockets. */
  hold<T>(work: () => Promise<T>): Promise<T>;
}

export async function openEnvironment({
  driver = DRIVER,
  timeScale,
  ...options
}: TestEnvironmentOptions): Promise<TestEnvironment> {
  return driver === 'bundle' ? bundleEnvironment(options, timeScale) : simulatedEnvironment(options);
}

async function simulatedEnvironment(options: EnvironmentOptions): Promise<TestEnvironment> {
  const simulation = await simulate(options);
  const { environment, time } = simulation;
  return {
    ...environment,
    driver: 'in process',
    run: (given) =>
      searched(environment, given, (all) => runInProcess(simulation, environment.describeRun(all))),
    now: time.now,
    date: time.date,
    pause: (ms) => time.runUntil(time.wait(ms)),
    when: simulation.when,
    hold: time.during,
  };
}

async function bundleEnvironment(
  options: EnvironmentOptions,
  timeScale = TIME_SCALE,
): Promise<TestEnvironment> {
  const environment = await createEnvironment(options);
  const hungFile = await recordHangs();
  return {
    ...environment,
    driver: 'bundle',
    run: (given) =>
      searched(environment, given, (all) => {
        const env = { ...COMPILED, ...all.env };
        return runAction(environment.describeRun({ timeScale, hungFile, ...all, env }));
      }),
    now: () => performance.now() * timeScale,
    date: () => new Date(),
    pause: (ms) => sleep(ms / timeScale),
    when: async (condition) => {
      while (!condition()) await sleep(LOOK_MS);
    },
    hold: (work) => work(),
  };
}

let hangs: Promise<string> | undefined;

/** The file in which every connection stands on which a fake server sends nothing any more. */
function recordHangs(): Promise<string> {
  hangs ??= mkdtemp(path.join(tmpdir(), 'scangate-hangs-')).then((folder) => {
    const file = path.join(folder, 'ports');
    writeFileSync(file, '');
    const ignoreHangs = observeHangs((port) => appendFileSync(file, `${port}\n`));
    closeAtEndOfFile(async () => {
      hangs = undefined;
      ignoreHangs();
      await rm(folder, { recursive: true, force: true });
    });
    return file;
  });
  return hangs;
}

/** Gives the run folders of its own, and searches all that it wrote for every secret that it was given or made. */
async function searched(
  environment: Environment,
  given: EnvironmentRunOptions = {},
  run: (options: EnvironmentRunOptions) => Promise<ActionRun>,
): Promise<ActionRun> {
  return withRunFolders(async (own) => {
    const { temp = own.temp, workspace = own.workspace } = given;
    const before = lookBefore(environment);
    const ended = await run({ ...given, temp, workspace });
    if (given.action === 'triage') expectOnlyReruns(environment, before, given.event?.payload);
    const inputs = ['api-token', 'triage-token'].map((name) => given.inputs?.[name] ?? '');
    const tokens = [environment.github.token, environment.service.token, ...inputs];
    const secrets = tokens.filter((token) => token !== '');
    expectNothingLeaked(environment, ended, { secrets, folders: [temp, workspace] });
    return ended;
  });
}
