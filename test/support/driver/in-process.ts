import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as core from '@actions/core';
import { type ActionManifest, readActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import { type ActionRun, toActionRun } from '../../../sandbox/runner/action-run.ts';
import { cancelWhen } from '../../../sandbox/runner/cancel-when.ts';
import { summaryOf } from '../../../sandbox/runner/file-commands.ts';
import type { RunActionOptions } from '../../../sandbox/runner/run-action.ts';
import { prepareStepDirectories } from '../../../sandbox/runner/step-directories.ts';
import { planStep } from '../../../sandbox/runner/step-plan.ts';
import type { StepControls } from '../../../sandbox/runner/step-process.ts';
import { createRunnerLog, type Log } from '../../../src/runner/log.ts';
import { capturePrinted } from './capture-printed.ts';
import type { SimulatedProcess } from './network.ts';
import { type RunningStep, startDoctor, startMain, startPost, startTriage } from './step.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Simulation {
  readonly time: VirtualTime;
  readonly fetchOf: (process: SimulatedProcess) => typeof globalThis.fetch;
  readonly random: () => number;
}

/** Environment variables that only a separate process can read. */
const OF_A_PROCESS = /^(?:NODE_|GITHUB_(?:OUTPUT|STATE|ENV|PATH|STEP_SUMMARY|EVENT_PATH)$|.*_proxy$)/i;

/** The entries of the sub-actions, and the functions that run them. */
const STARTS = [
  ['doctor/index.js', startDoctor],
  ['triage/index.js', startTriage],
] as const;

const manifests = new Map<string, Promise<ActionManifest>>();

/** Runs a step of the action as the runner does, but in this process and in virtual time. */
export async function runInProcess(simulation: Simulation, options: RunActionOptions): Promise<ActionRun> {
  return simulation.time.runUntil(runStep(simulation, options, runnersFolder()));
}

let folder: string | undefined;

/** The folder of the runner's own files, outside the folders of a run. Runs in this process write nothing there. */
function runnersFolder(): string {
  folder ??= mkdtempSync(path.join(tmpdir(), 'scangate-in-process-'));
  return folder;
}

async function runStep(
  { time, fetchOf, random }: Simulation,
  options: RunActionOptions,
  own: string,
): Promise<ActionRun> {
  refuseWhatNeedsProcess(options);
  const manifest = manifests.get(options.actionDirectory) ?? readActionManifest(options.actionDirectory);
  manifests.set(options.actionDirectory, manifest);
  const places = prepareStepDirectories(own, options);
  const { main } = await manifest;
  const plan = planStep(await manifest, options, places);
  const process: SimulatedProcess = { alive: true };
  let stdout = '';
  const print = (print: () => void) => {
    if (!process.alive) return;
    const text = capturePrinted(print);
    stdout += text;
    for (const line of text.replace(/\n$/, '').split('\n')) {
      plan.log.line(line);
      options.onLine?.(line, controls);
    }
  };
  const state = new Map(Object.entries(options.state ?? {}));
  const startedAt = time.now();
  const isPost = options.step === 'post';
  const setting = {
    process,
    time,
    fetch: fetchOf(process),
    random,
    environment: { ...plan.context, ...options.env, ...plan.inputs },
    payload: options.event.payload,
    workspace: places.workspace,
    log: printing(createRunnerLog(plan.context['RUNNER_DEBUG'] === '1'), print),
    setSecret: (secret: string) => print(() => core.setSecret(secret)),
    state: isPost ? state : new Map<string, string>(),
  };
  let cancelled = false;
  const controls: StepControls = {
    cancel: () => {
      cancelled ||= process.alive;
      running.cancel();
    },
    kill: (signal) => {
      if (signal === 'SIGKILL') running.kill();
      else if (signal === 'SIGINT' || signal === 'SIGTERM') running.signal();
      else throw new Error(`${signal} needs the bundle`);
    },
    closeOutput: () => {
      throw new Error('closed output needs the bundle');
    },
  };
  const startAction = STARTS.find(([entry]) => main.endsWith(entry))?.[1] ?? startMain;
  const running: RunningStep = isPost ? startPost(setting) : startAction(setting);
  const finished = new AbortController();
  options.onStart?.(controls);
  cancelWhen(options.cancelAfter, finished.signal, controls.cancel);
  const { exitCode, outputs, summary } = await running.over;
  finished.abort();
  return toActionRun(
    {
      exitCode: exitCode ?? null,
      signal: exitCode === undefined ? 'SIGKILL' : null,
      stdout,
      stderr: '',
      cancelled,
      durationMs: time.now() - startedAt,
    },
    plan,
    {
      outputs: { ...outputs },
      state: isPost ? {} : Object.fromEntries(setting.state),
      env: {},
      path: [],
      summary: summaryOf(summary, plan.log, plan.masker),
    },
  );
}

function refuseWhatNeedsProcess({ env = {}, execArgv, actionDirectory }: RunActionOptions): void {
  const variable = Object.keys(env).find((name) => OF_A_PROCESS.test(name));
  if (variable !== undefined) throw new Error(`a run with ${variable} needs the bundle`);
  if (execArgv !== undefined) throw new Error(`a run of ${actionDirectory} with arguments needs the bundle`);
}

/** A log for the step. It prints every line with `print`. */
function printing(log: Log, print: (print: () => void) => void): Log {
  return {
    info: (text) => print(() => log.info(text)),
    warning: (text) => print(() => log.warning(text)),
    error: (text, more) => print(() => log.error(text, more)),
    group: (title, lines) => print(() => log.group(title, lines)),
    annotate: (annotation) => {
      let isShown = false;
      print(() => {
        isShown = log.annotate(annotation);
      });
      return isShown;
    },
    mask: (secret) => print(() => log.mask(secret)),
    debug: log.debug && ((text) => print(() => log.debug?.(text))),
  };
}
