import { readFirst, type Watch, watchPullRequest } from '../change/pull-request.ts';
import type { Clock } from '../clock.ts';
import type { Outputs } from '../deliver/outputs.ts';
import type { Delivery } from '../deliver/place.ts';
import type { NotScanned, Result } from '../domain/result.ts';
import { createSeal, type Seal } from '../domain/seal.ts';
import { type ScanTarget, scanKindOf } from '../domain/target.ts';
import { type GatePolicy, neverAllowClosed } from '../domain/verdict.ts';
import { hasPullRequest, readTarget } from '../github/event.ts';
import type { TimeSpent } from '../report/report.ts';
import { type InputReading, type Inputs, TIMEOUT_MINUTES } from '../runner/inputs.ts';
import { createWarnings, type Warnings } from '../runner/log.ts';
import type { WritableState } from '../runner/state.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { type LaunchParameters, readLaunchParameters } from '../scan-api/wire-writes.ts';
import { connectGitHub, connectService, type Step } from '../start/step.ts';
import type { StepProcess, Surroundings } from '../start/step-process.ts';

/** Measures how a run spends its time. */
export interface Stopwatch {
  /** Adds time in which the run waited for the service to analyze the repository. @param ms milliseconds */
  readonly waitedForReadiness: (ms: number) => void;
  /** Adds time in which the run followed a scan. Another run may have launched the scan. @param ms milliseconds */
  readonly followedScan: (ms: number) => void;
  /** The times until now. */
  readonly read: () => TimeSpent;
}

/** Starts a stopwatch now. */
export function createStopwatch(clock: Clock): Stopwatch {
  const start = clock.now();
  let waitedForReadinessMs = 0;
  let scanMs = 0;
  return {
    waitedForReadiness: (ms) => {
      waitedForReadinessMs += ms;
    },
    followedScan: (ms) => {
      scanMs += ms;
    },
    read: () => ({
      waitedForReadinessMs: Math.round(waitedForReadinessMs),
      scanMs: Math.round(scanMs),
      totalMs: Math.round(clock.now() - start),
    }),
  };
}

/** What one run of the gate gets from its step. */
export interface RunStep extends StepProcess, Surroundings {
  readonly reading: InputReading;
  /** Absolute path of the job's workspace. */
  readonly workspace: string;
  /** Started when the step started. */
  readonly stopwatch: Stopwatch;
  readonly state: WritableState;
  /** Passes the outputs to the runner. Throws if that fails. */
  readonly writeOutputs: (outputs: Outputs) => void;
  readonly writeSummary: Delivery['writeSummary'];
  /** Keeps the heap small. The run calls this before it reads a long list of findings. */
  readonly preferLittleMemory: () => void;
}

/** One run: what it gets from its step, and what its stages share. */
export interface Gate extends RunStep, Step {
  readonly inputs: Inputs;
  /** The input `launch-parameters`. */
  readonly parameters: LaunchParameters;
  /** The policy of the verdict. */
  readonly policy: GatePolicy;
  readonly seal: Seal;
  readonly warnings: Warnings;
  /** Asks the service what the token may do. All calls return the same answer. */
  readonly token: () => ReturnType<ScanApi['token']>;
  /** The target that the event names. */
  readonly event: Result<ScanTarget, NotScanned>;
  /** The pull request of the run. Undefined if the event has none. */
  readonly watch: Watch | undefined;
  /**
   * Reads the pull request as it is now. Returns an error if it is open with another head than the event, or if neither
   * GitHub nor the event shows its current state. All calls return the same answer.
   */
  readonly current: () => Promise<Result<ScanTarget, NotScanned>>;
}

/** Prepares a run. The limit of the input `timeout-minutes` starts now. */
export function openGate(step: RunStep): Gate {
  const { clock, deadlines, environment, payload, reading, log } = step;
  const { inputs } = reading;
  const { connection, policy, setup, timeoutMinutes } = inputs;
  // Only the log shows these warnings, because they concern the workflow and not the change.
  for (const sentence of reading.warnings) log.warning(sentence);
  const warnings = createWarnings(log);
  const { warn } = warnings;
  const event = readTarget(environment, payload);
  deadlines.startTimeout(timeoutMinutes ?? TIMEOUT_MINUTES[event.ok ? scanKindOf(event.value) : 'diff']);
  const github = connectGitHub(step, connection, environment);
  const signal = deadlines.work;
  const isFirst = environment.runAttempt === 1;
  const watch = event.ok
    ? watchPullRequest({ github, clock, deadlines, warn }, event.value, isFirst)
    : undefined;
  const current: Gate['current'] = once(async () => (watch === undefined ? event : readFirst(watch)));
  const api = connectService(step, connection, {
    // The log of a public repository is public too, so it does not show the service's messages.
    showMessages: async () => {
      if (!event.ok || event.value.repository.isPublic) return false;
      const now = await current();
      return !(now.ok && now.value.repository.isPublic);
    },
    leftMs: deadlines.leftMs,
    onLongList: step.preferLittleMemory,
  });
  return {
    ...step,
    inputs,
    parameters: readLaunchParameters(setup.launchParameters),
    policy: neverAllowClosed(policy, hasPullRequest(payload)),
    seal: createSeal(connection.apiToken, environment.repositoryId),
    warnings,
    warn,
    signal,
    api,
    github,
    token: once(() => api.token({ signal })),
    event,
    watch,
    current,
  };
}

/**
 * Returns a function that calls `ask` only once, and always returns the same promise. If `ask` fails, every caller that
 * awaits the promise sees the failure.
 */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      // If `ask` fails while no caller awaits the promise, this handler keeps Node from ending the process.
      answer.catch(() => {});
    }
    return answer;
  };
}
