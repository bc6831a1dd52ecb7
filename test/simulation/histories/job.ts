import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import { planStep } from '../../../sandbox/runner/step-plan.ts';
import type { Outputs } from '../../../src/deliver/outputs.ts';
import type { Log } from '../../../src/runner/log.ts';
import { startMain, startPost } from '../../support/driver/step.ts';
import type { VirtualTime } from '../../support/driver/virtual-time.ts';
import type { Process } from './network.ts';
import type { Ending } from './plan.ts';
import { ADDRESSES, REPOSITORY } from './town.ts';

/** More than a stranger's scan has. */
export const BUDGET = 40;

export interface JobWorld {
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
  const process: Process = { run: plan.number, phase: 'main', alive: true };
  const state = new Map<string, string>();
  const log: string[] = [];
  let step: ReturnType<typeof startMain> | undefined;
  const cancel = () => {
    if (job.mainEndedAt !== undefined || job.signalledAt !== undefined) return;
    job.signalledAt = time.now();
    step?.cancel();
  };

  async function play(): Promise<void> {
    const { end } = plan;
    step = startMain(settingOf(world, job, process));
    const takeBack = 'at' in end ? time.after(end.at, ending(end.kind)) : () => {};
    await step.over.then(
      ({ exitCode, outputs, summary }) => Object.assign(job, { exitCode, outputs, summary }),
      (crash: unknown) => Object.assign(job, { exitCode: 1, crash }),
    );
    job.mainEndedAt = time.now();
    takeBack();
    job.report = await readFile(reportFile(world, plan), 'utf8').catch(() => undefined);
    if (!job.lost) await runPost(world, job);
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

async function runPost(world: JobWorld, job: Job): Promise<void> {
  const { time } = world;
  if ([...job.state.values()].every((left) => left === '')) return;
  const process: Process = { run: job.plan.number, phase: 'post', alive: true };
  const startedAt = time.now();
  const { exitCode } = await startPost(settingOf(world, job, process)).over;
  job.post = { startedAt, endedAt: time.now(), exitCode: exitCode ?? 1 };
}

function settingOf(world: JobWorld, { plan, state, log }: Job, process: Process) {
  const { time, fetchOf, random, folder, manifest, serverUrl } = world;
  const { payload } = plan;
  const places = {
    workspace: folder,
    temp: folder,
    toolCache: folder,
    home: folder,
    eventPath: path.join(folder, 'event.json'),
    actionPath: folder,
  };
  const step = planStep(
    manifest,
    {
      event: { name: 'pull_request', payload },
      repository: REPOSITORY,
      serverUrl,
      apiUrl: ADDRESSES.github,
      graphqlUrl: ADDRESSES.graphql,
      token: world.githubToken,
      runId: plan.runId,
      runAttempt: plan.attempt,
      inputs: {
        'base-url': ADDRESSES.service,
        'api-token': world.apiToken,
        'timeout-minutes': String(plan.timeoutMinutes),
        'report-file': reportName(plan.number),
        'credit-budget': String(BUDGET),
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

function reportFile({ folder }: JobWorld, { number }: JobPlan): string {
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
