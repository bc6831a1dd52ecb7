import { pullRequestEvent } from '../../../sandbox/events.ts';
import { objectAt } from '../../../sandbox/json.ts';
import { PULL_REQUEST, REPOSITORY } from './environment.ts';
import { UNSCANNED } from './fixture-repository.ts';
import { type Job, type JobDeps, startJob } from './job.ts';
import type { Step } from './network.ts';
import type { History, Trouble } from './plan.ts';
import type { PullRequests } from './pull-requests.ts';
import { SMALL_AREA } from './stranger.ts';

/** What makes GitHub run the workflow. */
export interface WorkflowEvent {
  readonly pull: number;
  /** The action in the payload. */
  readonly action: string;
  /** The head before a push. */
  readonly before?: string;
  readonly changes?: Readonly<Record<string, unknown>>;
}

/** The setup of the gate's step in the workflow. */
export interface StepOptions {
  readonly step: Step;
  readonly reuseScan: boolean;
}

/** The usual setup of the gate's step. */
export const GATE: StepOptions = { step: 'whole', reuseScan: true };

/** One run of the workflow. It can be repeated. */
export interface WorkflowRun extends StepOptions {
  readonly runId: number;
  readonly pull: number;
  readonly headSha: string;
  readonly action: string;
  /** How many states the pull request had until the time of the payload. */
  readonly moments: number;
  readonly payload: unknown;
  /** True if the event reports that the pull request got another base branch. */
  readonly changesBase: boolean;
}

/** A job: one attempt of a run. */
export interface WorkflowJob extends Job {
  readonly run: WorkflowRun;
}

export interface WorkflowDeps extends JobDeps {
  readonly pulls: PullRequests;
  readonly history: History;
  /** Called before a job starts. */
  readonly onJob: (number: number, trouble: Trouble) => void;
}

const FIRST_RUN_ID = 9_000_000_001;
const NARROW_INPUTS = {
  'check-name': 'Narrow scan',
  'launch-parameters': JSON.stringify({ auditAreaKeys: [SMALL_AREA] }),
};

/** Starts a run of the workflow for each event, and further attempts of earlier runs. */
export class Workflow {
  readonly runs: WorkflowRun[] = [];
  readonly jobs: WorkflowJob[] = [];
  readonly #deps: WorkflowDeps;

  constructor(deps: WorkflowDeps) {
    this.#deps = deps;
  }

  /** @param patientMinutes the timeout of the step; default: the timeout of the history */
  on(event: WorkflowEvent, trouble: Trouble, options: StepOptions = GATE, patientMinutes?: number): void {
    const { headSha } = this.#deps.pulls.now(event.pull);
    const moments = this.#deps.pulls.momentsOf(event.pull).length;
    const payload = this.#payload(event);
    const changesBase = event.changes !== undefined && 'base' in event.changes;
    const run = {
      ...options,
      pull: event.pull,
      action: event.action,
      headSha,
      moments,
      payload,
      changesBase,
    };
    this.#begin(run, trouble, patientMinutes);
  }

  /**
   * Starts a new run with the payload of the newest run for this head of the pull request. If there was no such run,
   * starts one for the event `labeled`.
   */
  onLastEvent(pull: number, trouble: Trouble): void {
    const { headSha } = this.#deps.pulls.now(pull);
    const last = this.runs.findLast((run) => run.pull === pull && run.headSha === headSha);
    if (last === undefined) this.on({ pull, action: 'labeled' }, trouble);
    else this.#begin({ ...last, ...GATE }, trouble);
  }

  /** Repeats a run, once it is over. */
  async again(of: number, trouble: Trouble): Promise<void> {
    const run = this.runs[of % this.runs.length];
    if (run === undefined) return;
    const before = this.jobs.filter((job) => job.plan.runId === run.runId);
    await Promise.all(before.map(({ over }) => over));
    this.#start(run, before.length + 1, trouble);
  }

  async allOver(): Promise<void> {
    await Promise.all(this.jobs.map(({ over }) => over));
  }

  #begin(run: Omit<WorkflowRun, 'runId'>, trouble: Trouble, patientMinutes?: number): void {
    const begun = { ...run, runId: FIRST_RUN_ID + this.runs.length };
    this.runs.push(begun);
    this.#start(begun, 1, trouble, patientMinutes);
  }

  #start(run: WorkflowRun, attempt: number, { faults, end }: Trouble, patientMinutes?: number): void {
    const { history, onJob } = this.#deps;
    const number = this.jobs.length;
    onJob(number, { faults, end });
    const inputs = {
      'reuse-scan': String(run.reuseScan),
      ...(history.allows ? { 'allow-unscanned': 'unsupported-event' } : {}),
      ...(history.paths ? { 'paths-unscanned': `${UNSCANNED}**` } : {}),
      ...(run.step === 'narrow' ? NARROW_INPUTS : {}),
    };
    const { runId, headSha, payload, step } = run;
    const timeoutMinutes = patientMinutes ?? history.timeoutMinutes;
    const plan = { number, runId, attempt, headSha, payload, timeoutMinutes, end, step, inputs };
    const job = startJob(this.#deps, plan);
    this.jobs.push(Object.assign(job, { run }));
  }

  #payload({ pull, action, before, changes }: WorkflowEvent): unknown {
    const { serverUrl, pulls } = this.#deps;
    const { headSha, baseRef, state, updatedAt } = pulls.now(pull);
    const payload = pullRequestEvent({
      action,
      repository: REPOSITORY,
      visibility: 'private',
      serverUrl,
      number: pull,
      headSha,
      baseRef,
      updatedAt,
      ...(changes === undefined ? {} : { changes }),
    });
    return {
      ...payload,
      ...(before === undefined ? {} : { before }),
      pull_request: { ...objectAt(payload, 'pull_request'), state: state === 'open' ? 'open' : 'closed' },
    };
  }
}

/** True if the run belongs to the first pull request and scans the whole change. */
export function isOfGate({ pull, step }: Pick<WorkflowRun, 'pull' | 'step'>): boolean {
  return pull === PULL_REQUEST && step === 'whole';
}
