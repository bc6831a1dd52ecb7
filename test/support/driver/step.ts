import { inputVariable } from '../../../sandbox/runner/inputs.ts';
import { CANCEL_WAITS } from '../../../sandbox/runner/step-process.ts';
import { runDoctor } from '../../../src/doctor/run.ts';
import { cleanUp } from '../../../src/gate/clean-up.ts';
import { run } from '../../../src/gate/run.ts';
import { readEnvironment } from '../../../src/github/environment.ts';
import { isPublicRepository } from '../../../src/github/event.ts';
import { createDeadlines } from '../../../src/runner/deadlines.ts';
import { readInputs } from '../../../src/runner/inputs.ts';
import type { Log } from '../../../src/runner/log.ts';
import { createRunState } from '../../../src/runner/state.ts';
import { readTriageInputs } from '../../../src/runner/triage-inputs.ts';
import { runTriage } from '../../../src/triage/run.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface StepSetting {
  /** The process that runs only this step. It is dead after the step. */
  readonly process: { alive: boolean };
  readonly time: VirtualTime;
  readonly fetch: typeof globalThis.fetch;
  readonly random: () => number;
  /** The environment variables of the step. They include the inputs. */
  readonly environment: Readonly<Record<string, string>>;
  /** The payload of the event. */
  readonly payload: unknown;
  readonly workspace: string;
  /** The log. It must drop the lines of a dead process. */
  readonly log: Log;
  readonly setSecret: (secret: string) => void;
  /** The state that `main` leaves for `post`. It stays even if `main` is killed. */
  readonly state: Map<string, string>;
}

/** How a step ended. */
export interface StepEnd {
  /** Undefined if the step was killed. */
  readonly exitCode: 0 | 1 | undefined;
  readonly outputs: Readonly<Record<string, string>> | undefined;
  readonly summary: string;
}

export interface RunningStep {
  /** Sends SIGINT or SIGTERM. */
  signal(): void;
  /**
   * Sends SIGINT, SIGTERM and SIGKILL, as a cancelled workflow does. Only the first call has an effect, and only while
   * the step runs.
   */
  cancel(): void;
  /** Sends SIGKILL. */
  kill(): void;
  /** Resolves when the step has ended. Rejects with what the action throws. */
  readonly over: Promise<StepEnd>;
}

/** Runs `main` in this process, as its entry does. The caller provides everything that `main` reads and writes. */
export function startMain(setting: StepSetting): RunningStep {
  const { process, time } = setting;
  const clock = time.clockOf(process);
  const deadlines = createDeadlines(clock);
  const written = createWritten(process);
  const main = async () => {
    const { environment, reading } = readSetting(setting);
    return run({
      clock,
      fetch: setting.fetch,
      random: setting.random,
      deadlines,
      log: setting.log,
      environment,
      reading,
      payload: setting.payload,
      workspace: setting.workspace,
      startedAt: clock.now(),
      state: stateOf(setting),
      writeOutputs: written.writeOutputs,
      writeSummary: written.writeSummary,
      preferLittleMemory: () => {},
    });
  };
  const step = startProcess(setting, main, () => deadlines.stop('signal'));
  return { ...step, over: step.over.then(written.end) };
}

/** Runs the doctor in this process, as its entry does, but without a proxy. */
export function startDoctor(setting: StepSetting): RunningStep {
  const { process, time, fetch, random, log } = setting;
  const clock = time.clockOf(process);
  const deadlines = createDeadlines(clock);
  const written = createWritten(process);
  const doctor = async () => {
    const { environment, reading } = readSetting(setting);
    return runDoctor({
      clock,
      fetch,
      random,
      signal: deadlines.work,
      log,
      environment,
      isPublic: isPublicRepository(setting.payload),
      reading,
      proxy: { variable: undefined, fault: undefined },
      writeOutputs: ({ ready, problems }) =>
        written.writeOutputs({ ready: String(ready), problems: String(problems) }),
      isCommandLine: false,
      writeSummary: written.writeSummary,
    });
  };
  const step = startProcess(setting, doctor, () => deadlines.stop('signal'));
  return { ...step, over: step.over.then(written.end) };
}

/** Runs the triage action in this process, as its entry does. */
export function startTriage(setting: StepSetting): RunningStep {
  const { process, time, fetch, random, log, payload } = setting;
  const clock = time.clockOf(process);
  const deadlines = createDeadlines(clock);
  const written = createWritten(process);
  const main = async () => {
    const { environment, source } = readVariables(setting);
    const reading = readTriageInputs(source);
    const given = { clock, fetch, random, deadlines, log, environment, payload, reading };
    return runTriage({
      ...given,
      writeOutputs: ({ rerun }) => written.writeOutputs({ rerun }),
      writeSummary: written.writeSummary,
    });
  };
  const step = startProcess(setting, main, () => deadlines.stop('signal'));
  return { ...step, over: step.over.then(written.end) };
}

/** Collects what a step passes to the runner. Ignores what a dead process passes. */
function createWritten(process: { readonly alive: boolean }) {
  let outputs: Readonly<Record<string, string>> | undefined;
  let summary = '';
  return {
    writeOutputs: (given: Readonly<Record<string, string>>): void => {
      if (process.alive) outputs = given;
    },
    writeSummary: async (markdown: string): Promise<void> => {
      if (process.alive) summary += markdown;
    },
    end: (exitCode: StepEnd['exitCode']): StepEnd => ({ exitCode, outputs, summary }),
  };
}

/** Runs `post` in this process. */
export function startPost(setting: StepSetting): RunningStep {
  const post = async (): Promise<0 | 1> => {
    const saved = stateOf(setting).saved();
    if (saved === undefined) return 0;
    const { environment, reading } = readSetting(setting);
    const { process, time, fetch, random, log } = setting;
    const clock = time.clockOf(process);
    return cleanUp({ clock, fetch, random, log }, reading.inputs, environment, saved);
  };
  const step = startProcess(setting, post, () => {
    throw new Error('a signal to post needs the bundle');
  });
  return { ...step, over: step.over.then((exitCode) => ({ exitCode, outputs: undefined, summary: '' })) };
}

function startProcess(
  { process, time }: StepSetting,
  work: () => Promise<0 | 1>,
  signal: () => void,
): Omit<RunningStep, 'over'> & { readonly over: Promise<0 | 1 | undefined> } {
  const timers: (() => void)[] = [];
  let kill = () => {};
  const killed = new Promise<undefined>((resolve) => {
    kill = () => {
      process.alive = false;
      resolve(undefined);
    };
  });
  let isCancelled = false;
  const end = () => {
    process.alive = false;
    for (const takeBack of timers) takeBack();
  };
  return {
    signal: () => {
      if (process.alive) signal();
    },
    cancel: () => {
      if (isCancelled || !process.alive) return;
      isCancelled = true;
      signal();
      timers.push(time.after(CANCEL_WAITS.sigintMs, signal));
      timers.push(time.after(CANCEL_WAITS.sigintMs + CANCEL_WAITS.sigtermMs, kill));
    },
    kill: () => {
      if (process.alive) kill();
    },
    // As for a new process, the work starts only after the code that starts it has returned.
    over: Promise.race([Promise.resolve().then(work), killed]).finally(end),
  };
}

function readSetting(setting: StepSetting) {
  const { environment, source } = readVariables(setting);
  return { environment, reading: readInputs(setting.workspace, source) };
}

function readVariables({ environment: variables, setSecret }: StepSetting) {
  const environment = readEnvironment(variables);
  if (!environment.ok) throw new Error(`such an environment needs the bundle: ${environment.error.cause}`);
  const getInput = (name: string) => (variables[inputVariable(name)] ?? '').trim();
  return { environment: environment.value, source: { getInput, setSecret } };
}

function stateOf({ state, process }: StepSetting) {
  return createRunState({
    saveState: (name, value) => {
      if (process.alive) state.set(name, value);
    },
    getState: (name) => state.get(name) ?? '',
  });
}
