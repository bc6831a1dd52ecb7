import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './errors.ts';
import type { GitHubClient } from './octokit.ts';
import { readPages } from './octokit.ts';
import { CommitId, Timestamp } from './schemas.ts';

/** A workflow run, with the state of its newest attempt. */
export interface WorkflowRun {
  readonly id: number;
  readonly workflowId: number;
  readonly attempt: number;
  readonly headSha: string;
  /** The event that started the run, such as `pull_request`. */
  readonly event: string;
  /** `completed`, or another status if the run has not ended. */
  readonly status: string;
  readonly createdAt: Date;
  /** The start of the newest attempt. */
  readonly startedAt: Date;
  /**
   * The account that started the newest attempt. For a re-run, GitHub shows the account that asked for it: the account
   * of the token, such as `github-actions[bot]`. Undefined if GitHub does not show it.
   */
  readonly triggeringActor: { readonly login: string; readonly type: string } | undefined;
}

/** A job of a workflow run in one attempt. The author of a pull request can choose the job's name. */
export interface WorkflowJob {
  readonly id: number;
  readonly runId: number;
  readonly attempt: number;
  readonly headSha: string;
  readonly name: string;
  readonly status: string;
  /** Empty if the job has no conclusion. */
  readonly conclusion: string;
  /** Undefined if the job has not ended. */
  readonly completedAt: Date | undefined;
}

const permission = 'actions: write';
const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Run = v.object({
  id: Id,
  workflow_id: Id,
  run_attempt: Id,
  head_sha: CommitId,
  event: v.string(),
  status: v.nullish(v.string(), 'unknown'),
  created_at: Timestamp,
  run_started_at: Timestamp,
  // GitHub Enterprise Server shows it since 3.7.
  triggering_actor: v.nullish(v.object({ login: v.string(), type: v.string() })),
});
const Job = v.object({
  id: Id,
  run_id: Id,
  run_attempt: Id,
  head_sha: CommitId,
  name: v.string(),
  status: v.string(),
  conclusion: v.nullish(v.string(), ''),
  completed_at: v.nullish(Timestamp),
});
const Runs = v.object({ workflow_runs: v.array(Run) });
const Jobs = v.object({ jobs: v.array(Job) });
/** The answer to a re-run request. GitHub documents that its body is an empty object. */
const Nothing = v.strictObject({});

/** Our choice: the most jobs of all attempts together. */
const MOST_JOBS = 500;
const MOST_RUNS = 100;

/** Reads the run with this id, if it belongs to this repository. */
export async function readWorkflowRun(
  github: GitHubClient,
  runId: number,
  signal: AbortSignal,
): Promise<Result<WorkflowRun, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the workflow run',
    permission,
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
    parameters: { run_id: runId },
    answer: Run,
    signal,
  });
  return answer.ok ? ok(runOf(answer.value.data)) : err(answer.error);
}

/** Lists the runs of a workflow for one head. More than 100 runs are an error. */
export async function listRunsOfHead(
  github: GitHubClient,
  { workflowId, headSha }: Pick<WorkflowRun, 'workflowId' | 'headSha'>,
  signal: AbortSignal,
): Promise<Result<readonly WorkflowRun[], GitHubError>> {
  const operation = 'list the workflow runs';
  const listed = await readPages(
    github,
    {
      operation,
      permission,
      route: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
      parameters: { workflow_id: workflowId, head_sha: headSha },
      answer: Runs,
      signal,
    },
    MOST_RUNS,
    (data) => data.workflow_runs.map(runOf),
  );
  if (!listed.ok) return listed;
  const { items: runs, complete } = listed.value;
  if (!complete) return err(endless(operation, `more than ${MOST_RUNS} runs of one commit`));
  return ok(runs.filter((run) => run.headSha === headSha && run.workflowId === workflowId));
}

/** Lists the jobs of all attempts of a run. The newest attempt may show only the jobs that it repeated. */
export async function listJobs(
  github: GitHubClient,
  runId: number,
  signal: AbortSignal,
): Promise<Result<readonly WorkflowJob[], GitHubError>> {
  const operation = 'list the jobs of the workflow run';
  const listed = await readPages(
    github,
    {
      operation,
      permission,
      route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
      parameters: { run_id: runId, filter: 'all' },
      answer: Jobs,
      signal,
    },
    MOST_JOBS,
    (data) => data.jobs.map(jobOf),
  );
  if (!listed.ok) return listed;
  return listed.value.complete
    ? ok(listed.value.items)
    : err(endless(operation, `more than ${MOST_JOBS} jobs`));
}

/**
 * Re-runs a job, and the jobs that need it. After an ambiguous answer, reads the run. If the run shows no re-run, sends
 * the request once more.
 * @param before shows the run as it was before the request
 */
export async function rerunJob(
  github: GitHubClient,
  jobId: number,
  before: WorkflowRun,
  signal: AbortSignal,
): Promise<Result<undefined, GitHubError>> {
  for (let sends = 1; ; sends += 1) {
    const answer = await github.ask({
      operation: 're-run the job',
      permission,
      route: 'POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun',
      parameters: { job_id: jobId },
      answer: Nothing,
      signal,
    });
    if (answer.ok) return ok(undefined);
    const { error } = answer;
    if (error.kind === 'stopped' || (sends === 1 && !error.ambiguous)) return err(error);
    await github.pauseAfterLoss(signal);
    const now = await readWorkflowRun(github, before.id, signal);
    if (now.ok && (now.value.attempt > before.attempt || now.value.status !== 'completed')) {
      return ok(undefined);
    }
    if (!now.ok || sends === 2) return err(error);
  }
}

function runOf(run: v.InferOutput<typeof Run>): WorkflowRun {
  return {
    id: run.id,
    workflowId: run.workflow_id,
    attempt: run.run_attempt,
    headSha: run.head_sha,
    event: run.event,
    status: run.status,
    createdAt: run.created_at,
    startedAt: run.run_started_at,
    triggeringActor: run.triggering_actor ?? undefined,
  };
}

function jobOf(job: v.InferOutput<typeof Job>): WorkflowJob {
  return {
    id: job.id,
    runId: job.run_id,
    attempt: job.run_attempt,
    headSha: job.head_sha,
    name: job.name,
    status: job.status,
    conclusion: job.conclusion,
    completedAt: job.completed_at ?? undefined,
  };
}

function endless(operation: string, message: string): GitHubError {
  return { kind: 'invalid', operation, permission, status: 200, message, ambiguous: false };
}
