import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read, readPages } from './octokit.ts';
import { CommitId, Id, Timestamp } from './schemas.ts';

const permission = 'actions: write';

/** A workflow run, with the state of its newest attempt. */
export type WorkflowRun = v.InferOutput<typeof Run>;
const Run = v.pipe(
  v.object({
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
  }),
  v.transform((run) => ({
    id: run.id,
    workflowId: run.workflow_id,
    attempt: run.run_attempt,
    headSha: run.head_sha,
    /** The event that started the run, such as `pull_request`. */
    event: run.event,
    /** `completed`, or another status if the run has not ended. */
    status: run.status,
    createdAt: run.created_at,
    /** The start of the newest attempt. */
    startedAt: run.run_started_at,
    /**
     * The account that started the newest attempt. For a re-run, GitHub shows the account that asked for it: the
     * account of the token, such as `github-actions[bot]`. Undefined if GitHub does not show it.
     */
    triggeringActor: run.triggering_actor ?? undefined,
  })),
);
const Runs = v.pipe(
  v.object({ workflow_runs: v.array(Run) }),
  v.transform(({ workflow_runs: runs }) => runs),
);

/** A job of a workflow run in one attempt. The author of a pull request can choose the job's name. */
export type WorkflowJob = v.InferOutput<typeof Job>;
const Job = v.pipe(
  v.object({
    id: Id,
    run_id: Id,
    run_attempt: Id,
    head_sha: CommitId,
    name: v.string(),
    status: v.string(),
    conclusion: v.nullish(v.string(), ''),
    completed_at: v.nullish(Timestamp),
  }),
  v.transform((job) => ({
    id: job.id,
    runId: job.run_id,
    attempt: job.run_attempt,
    headSha: job.head_sha,
    name: job.name,
    status: job.status,
    /** Empty if the job has no conclusion. */
    conclusion: job.conclusion,
    /** Undefined if the job has not ended. */
    completedAt: job.completed_at ?? undefined,
  })),
);
const Jobs = v.pipe(
  v.object({ jobs: v.array(Job) }),
  v.transform(({ jobs }) => jobs),
);
/** The answer to a re-run request. GitHub documents that its body is an empty object. */
const Nothing = v.strictObject({});

/** Our choice: the most jobs of all attempts together. */
const MOST_JOBS = 500;
const MOST_RUNS = 100;

/** Reads the run with this id, if it belongs to this repository. */
export function readWorkflowRun(github: GitHubClient, runId: number) {
  return read(github, {
    operation: 'read the workflow run',
    permission,
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
    parameters: { run_id: runId },
    answer: Run,
  });
}

/** Lists the runs of a workflow for one head. More than 100 runs are an error. */
export async function listRunsOfHead(
  github: GitHubClient,
  { workflowId, headSha }: Pick<WorkflowRun, 'workflowId' | 'headSha'>,
): Promise<Result<readonly WorkflowRun[], GitHubError>> {
  const request = {
    operation: 'list the workflow runs',
    permission,
    route: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
    parameters: { workflow_id: workflowId, head_sha: headSha },
    answer: Runs,
    tooMany: `more than ${MOST_RUNS} runs of one commit`,
  } as const;
  const runs = await readPages(github, request, MOST_RUNS);
  if (!runs.ok) return runs;
  return ok(runs.value.filter((run) => run.headSha === headSha && run.workflowId === workflowId));
}

/** Lists the jobs of all attempts of a run. The newest attempt may show only the jobs that it repeated. */
export function listJobs(github: GitHubClient, runId: number) {
  const request = {
    operation: 'list the jobs of the workflow run',
    permission,
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
    parameters: { run_id: runId, filter: 'all' },
    answer: Jobs,
    tooMany: `more than ${MOST_JOBS} jobs`,
  } as const;
  return readPages(github, request, MOST_JOBS);
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
): Promise<Result<undefined, GitHubError>> {
  for (let sends = 1; ; sends += 1) {
    const answer = await read(github, {
      operation: 're-run the job',
      permission,
      route: 'POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun',
      parameters: { job_id: jobId },
      answer: Nothing,
    });
    if (answer.ok) return ok(undefined);
    const { error } = answer;
    if (error.kind === 'stopped' || (sends === 1 && !error.ambiguous)) return err(error);
    await github.pauseAfterLoss();
    const now = await readWorkflowRun(github, before.id);
    if (now.ok && (now.value.attempt > before.attempt || now.value.status !== 'completed')) {
      return ok(undefined);
    }
    if (!now.ok || sends === 2) return err(error);
  }
}
