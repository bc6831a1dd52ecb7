import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import { planStep } from '../../../sandbox/runner/step-plan.ts';
import type { Outputs } from '../../../src/deliver/outputs.ts';
import type { Log } from '../../../src/runner/log.ts';
import { startMain, startPost } from '../../support/driver/step.ts';
import type { VirtualTime } from '../../support/driver/virtual-time.ts';
import { ADDRESSES, REPOSITORY } from './environment.ts';
import type { Process, Step } from './network.ts';
import type { Ending } from './plan.ts';

/** The budget of a job's scan. It is larger than the budget of a stranger's scan. */
export const BUDGET = 40;

export interface JobDeps {
  readonly time: VirtualTime;
  readonly fetchOf: (process: Process) => typeof globalThis.fetch;
  readonly random: () => number;
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
  readonly step: Step;
  /** Inputs in addition to those of every job. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** The data of an attempt, filled in as it runs. */
export interface Job {
  readonly plan: JobPlan;
  readonly startedAt: number;
  readonly log: string[];
  readonly state: Map<string, string>;
  summary: string;
  outputs?: Outputs | undefined;
  /** The content of `report-file`. */
  report?: string | undefined;
  /** Undefined if the job was killed. */
  exitCode?: 0 | 1 | undefined;
  /** An unexpected exception. */
  crash?: unknown;
  signalledAt?: number | undefined;
  lost: boolean;
  mainEndedAt?: number | undefined;
  post?: { readonly startedAt: number; endedAt: number; exitCode: 0 | 1 };
  /** Cancels the run of the job. Does nothing if the job has ended. */
  cancel(): void;
  /** Kills the process of the job. Does nothing if the job has ended. */
  kill(): void;
  readonly over: Promise<void>;
}

/** Runs `main` and `post` in this process, as the runner would run them in two processes. */
export function startJob(deps: JobDeps, plan: JobPlan): Job {
  const { time } = deps;
  const process: Process = { run: plan.number, phase: 'main', step: plan.step, alive: true };
  const state = new Map<string, string>();
  const log: string[] = [];
  let step: ReturnType<typeof startMain> | undefined;
  const cancel = () => {
    if (job.mainEndedAt !== undefined || job.signalledAt !== undefined) return;
    job.signalledAt = time.now();
    step?.cancel();
  };

  async function runJob(): Promise<void> {
    const { end } = plan;
    step = startMain(settingOf(deps, job, process));
    const takeBack = 'at' in end ? time.after(end.at, ending(end.kind)) : () => {};
    await step.over.then(
      ({ exitCode, outputs, summary }) => Object.assign(job, { exitCode, outputs, summary }),
      (crash: unknown) => Object.assign(job, { exitCode: 1, crash }),
    );
    job.mainEndedAt = time.now();
    takeBack();
    job.report = await readFile(reportFile(deps, plan), 'utf8').catch(() => undefined);
    if (!job.lost) await runPost(deps, job);
  }

  const ending = (kind: 'cancelled' | 'killed' | 'lost') => () => {
    job.lost = kind === 'lost';
    if (kind === 'cancelled') cancel();
    else step?.kill();
  };

  const job: Job = {
    plan,
    startedAt: time.now(),
    log,
    state,
    summary: '',
    lost: false,
    cancel,
    kill: () => step?.kill(),
    over: Promise.resolve().then(runJob),
  };
  return job;
}

async function runPost(deps: JobDeps, job: Job): Promise<void> {
  const { time } = deps;
  if ([...job.state.values()].every((left) => left === '')) return;
  const process: Process = { run: job.plan.number, phase: 'post', step: job.plan.step, alive: true };
  const startedAt = time.now();
  const { exitCode } = await startPost(settingOf(deps, job, process)).over;
  job.post = { startedAt, endedAt: time.now(), exitCode: exitCode ?? 1 };
}

function settingOf(deps: JobDeps, { plan, state, log }: Job, process: Process) {
  const { time, fetchOf, random, folder, manifest, serverUrl } = deps;
  const { payload } = plan;
  const places = {
    workspace: folder,
    temp: folder,
    home: folder,
    eventPath: path.join(folder, 'event.json'),
  };
  const step = planStep(
    manifest,
    {
      event: { name: 'pull_request', payload },
      repository: REPOSITORY,
      serverUrl,
      apiUrl: ADDRESSES.github,
      graphqlUrl: ADDRESSES.graphql,
      token: deps.githubToken,
      runId: plan.runId,
      runAttempt: plan.attempt,
      inputs: {
        'base-url': ADDRESSES.service,
        'fail-on': 'high',
        'api-token': deps.apiToken,
        'report-file': reportName(plan.number),
        'credit-budget': String(BUDGET),
        'timeout-minutes': String(plan.timeoutMinutes),
        ...plan.inputs,
      },
    },
    places,
  );
  return {
    process,
    time,
    fetch: fetchOf(process),
    random,
    environment: { ...step.context, ...step.inputs },
    payload,
    workspace: folder,
    log: logInto(log),
    setSecret: () => {},
    state,
  };
}

function reportName(number: number): string {
  return `report-${number}.json`;
}

function reportFile({ folder }: JobDeps, { number }: JobPlan): string {
  return path.join(folder, reportName(number));
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
