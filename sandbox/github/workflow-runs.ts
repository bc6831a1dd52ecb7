import type { Answer } from '../faults/interception.ts';
import { inSeconds, type ServerClock } from '../faults/server-clock.ts';
import { found, NOT_FOUND, refuse } from './answer.ts';
import { type ListRequest, paged } from './paging.ts';
import type { Urls } from './pull-requests.ts';

export interface JobRecord {
  readonly id: number;
  readonly attempt: number;
  readonly name: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: string | null;
  readonly completedAt: Date | null;
}

export interface WorkflowActor {
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

const PERSON: WorkflowActor = { login: 'ada', type: 'User' };

/** A workflow run as the caller describes it. */
export interface WorkflowRunSeed {
  readonly id: number;
  readonly headSha: string;
  /** Default: `pull_request`. */
  readonly event?: string;
  /** Default: 1. */
  readonly workflowId?: number;
  /** Default: 1. */
  readonly attempt?: number;
  /** Default: `completed`. */
  readonly status?: 'queued' | 'in_progress' | 'completed';
  /** Default: now. */
  readonly createdAt?: Date;
  /** When the newest attempt started. Default: now. */
  readonly startedAt?: Date;
  /** The account that asked for the newest attempt. Default: the user `ada`. */
  readonly triggeringActor?: WorkflowActor;
  /** The jobs of the newest attempt. Default: one failed job, `scangate`. */
  readonly jobs?: readonly (readonly [name: string, conclusion: string])[];
}

export interface WorkflowRunRecord extends Required<Omit<WorkflowRunSeed, 'jobs'>> {
  /** The jobs of all attempts, the oldest first. */
  readonly jobs: readonly JobRecord[];
}

export type WorkflowRunStore = ReturnType<typeof createWorkflowRunStore>;

const FIRST_JOB_ID = 700_001;
const MOST_ATTEMPTS = 51;
const MONTH_MS = 30 * 24 * 60 * 60_000;

export function createWorkflowRunStore(urls: Urls, clock: ServerClock) {
  const all: WorkflowRunRecord[] = [];
  let nextJobId = FIRST_JOB_ID;
  const jobId = () => nextJobId++;
  const replace = (record: WorkflowRunRecord) => {
    const index = all.findIndex(({ id }) => id === record.id);
    if (index < 0) all.push(record);
    else all[index] = record;
    return record;
  };
  const render = (run: WorkflowRunRecord) => ({
    id: run.id,
    name: 'Scangate',
    workflow_id: run.workflowId,
    run_attempt: run.attempt,
    head_sha: run.headSha,
    event: run.event,
    status: run.status,
    conclusion: run.status === 'completed' ? (run.jobs.at(-1)?.conclusion ?? null) : null,
    created_at: inSeconds(run.createdAt),
    run_started_at: inSeconds(run.startedAt),
    triggering_actor: run.triggeringActor,
    html_url: `${urls.html}/actions/runs/${run.id}`,
    url: `${urls.api}/actions/runs/${run.id}`,
    pull_requests: [],
  });
  return {
    /** All runs, the oldest first. Requests change this list. */
    all,
    /** Adds a run. Replaces a run with the same id. */
    put: ({ jobs = [['scangate', 'failure']], ...seed }: WorkflowRunSeed): WorkflowRunRecord => {
      const { attempt = 1, status = 'completed' } = seed;
      return replace({
        event: 'pull_request',
        workflowId: 1,
        attempt,
        status,
        createdAt: clock.now(),
        startedAt: clock.now(),
        triggeringActor: PERSON,
        ...seed,
        jobs: jobs.map(([name, conclusion]) => ({
          id: jobId(),
          attempt,
          name,
          status,
          conclusion: status === 'completed' ? conclusion : null,
          completedAt: status === 'completed' ? (seed.startedAt ?? clock.now()) : null,
        })),
      });
    },
    /** Ends the newest attempt of a run. */
    complete: (id: number, conclusion: string) => {
      const run = all.find((one) => one.id === id);
      if (run === undefined) throw new Error(`there is no run ${id}`);
      const jobs = run.jobs.map((job) =>
        job.attempt === run.attempt && job.conclusion === null
          ? { ...job, status: 'completed' as const, conclusion, completedAt: clock.now() }
          : job,
      );
      replace({ ...run, status: 'completed', jobs });
    },
    read: (id: number): Answer => {
      const run = all.find((one) => one.id === id);
      return found(run && render(run));
    },
    list: (workflowId: number, call: ListRequest): Answer => {
      const head = call.query.get('head_sha');
      const wanted = all
        .filter((run) => run.workflowId === workflowId && (head ?? run.headSha) === run.headSha)
        .reverse();
      return paged(call, wanted, (page) => ({
        total_count: wanted.length,
        workflow_runs: page.map(render),
      }));
    },
    listJobs: (id: number, call: ListRequest): Answer => {
      const run = all.find((one) => one.id === id);
      if (run === undefined) return NOT_FOUND;
      // By default, the list has the jobs of the newest attempt. Not every attempt re-runs all jobs. GitHub does not
      // document whether the list also has the jobs that were not re-run.
      const wanted = run.jobs.filter(
        ({ attempt }) => call.query.get('filter') === 'all' || attempt === run.attempt,
      );
      const show = ({ attempt, completedAt, ...job }: JobRecord) => ({
        ...job,
        run_id: run.id,
        run_attempt: attempt,
        head_sha: run.headSha,
        completed_at: completedAt === null ? null : inSeconds(completedAt),
      });
      return paged(call, wanted, (page) => ({ total_count: wanted.length, jobs: page.map(show) }));
    },
    /** Re-runs a job. @param triggeringActor by default: the user `ada` */
    rerun: (wanted: number, triggeringActor = PERSON): Answer => {
      const run = all.find(({ jobs }) => jobs.some(({ id }) => id === wanted));
      const job = run?.jobs.find(({ id }) => id === wanted);
      if (run === undefined || job === undefined) return NOT_FOUND;
      if (run.status !== 'completed') return refuse(403, 'This workflow is already running');
      if (clock.now().getTime() - run.createdAt.getTime() >= MONTH_MS) {
        return refuse(403, 'Unable to retry this workflow run because it was created over a month ago');
      }
      const attempt = run.attempt + 1;
      if (attempt > MOST_ATTEMPTS) return refuse(403, 'This workflow run cannot be retried any more');
      const queued = { attempt, status: 'queued' } as const;
      const again = { ...queued, id: jobId(), name: job.name, conclusion: null, completedAt: null };
      replace({ ...run, ...queued, startedAt: clock.now(), triggeringActor, jobs: [...run.jobs, again] });
      return { status: 201, body: {} };
    },
  };
}
