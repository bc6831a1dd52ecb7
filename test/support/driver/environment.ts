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
 * How a test runs the action. `in process`: in virtual time and without sockets. `bundle`: in a process of its own, as
 * the runner does.
 */
export type Driver = 'in process' | 'bundle';

/** The default driver. `SCANGATE_DRIVER=bundle` chooses the bundle. */
export const DRIVER: Driver = process.env['SCANGATE_DRIVER'] === 'bundle' ? 'bundle' : 'in process';

/**
 * How many times faster than real time the timers of the bundle run while the bundle only waits. A minute takes a
 * second.
 */
const TIME_SCALE = 60;
/** The only variable of this process that reaches the action: the folder where Node keeps compiled code. */
const { NODE_COMPILE_CACHE } = process.env;
const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
/** The pause between two checks of a condition, in real milliseconds. */
const LOOK_MS = 5;

export interface TestEnvironmentOptions extends EnvironmentOptions {
  /** `bundle`: the test needs a real process. */
  readonly driver?: Driver;
  /** How many times faster than real time the timers of the bundle run. */
  readonly timeScale?: number;
}

/**
 * An environment in which either driver runs the action. After each run, a check looks for secrets in everything that
 * the run wrote.
 */
export interface TestEnvironment extends Environment {
  readonly driver: Driver;
  /** The action's time in milliseconds: exact in process, and an estimate for the bundle. */
  now(): number;
  /** The action's wall clock. */
  date(): Date;
  /** Waits this many milliseconds of the action's time. */
  pause(ms: number): Promise<void>;
  /** Resolves when the condition holds. A simulation checks the condition after each request. */
  when(condition: () => boolean): Promise<void>;
  /** Stops the time of a simulation during the work. Interceptors need this for work over real sockets. */
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

/**
 * Returns the path of a file with the ports of some connections. On these connections, a fake server has stopped
 * sending.
 */
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

/** Gives a run its own folders. Afterwards, checks that the run wrote no secret anywhere. */
async function searched(
  environment: Environment,
  given: EnvironmentRunOptions = {},
  run: (options: EnvironmentRunOptions) => Promise<ActionRun>,
): Promise<ActionRun> {
  return withRunFolders(async (own) => {
    const { temp = own.temp, workspace = own.workspace } = given;
    const before = lookBefore(environment);
    const ended = await run({ ...given, temp, workspace });
    expectKnownInputs(ended);
    if (given.action === 'triage') expectOnlyReruns(environment, before, given.event?.payload);
    const inputs = ['api-token', 'triage-token'].map((name) => given.inputs?.[name] ?? '');
    const tokens = [environment.github.token, environment.service.token, ...inputs];
    const secrets = tokens.filter((token) => token !== '');
    expectNothingLeaked(environment, ended, { secrets, folders: [temp, workspace], before });
    return ended;
  });
}

/** Tests may give this input, although action.yml does not declare it. The runner warns about it. */
const UNDECLARED = 'invalid';

/**
 * Checks that a test gives only known inputs. If a test used an old name, the input would keep its default, and the
 * test could still pass.
 */
function expectKnownInputs({ log }: ActionRun): void {
  const [, names = ''] = /Unexpected input\(s\) '(.*?)', valid inputs are/.exec(log) ?? [];
  const unknown = names.split("', '").filter((name) => name !== '' && name !== UNDECLARED);
  if (unknown.length > 0) throw new Error(`action.yml does not declare the inputs ${unknown.join(', ')}`);
}
