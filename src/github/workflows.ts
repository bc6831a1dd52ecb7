import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { RequiredWorkflow } from './branch-rules.ts';
import type { GitHubError } from './errors.ts';
import type { GitHubClient } from './octokit.ts';

/** A workflow file at one commit. */
export interface WorkflowFile {
  readonly path: string;
  readonly text: string;
}

export interface WorkflowFiles {
  readonly files: readonly WorkflowFile[];
  /** False if some files were not read. */
  readonly complete: boolean;
}

/** Our choice: the most workflows that are read. Few repositories have more, and each file takes a request. */
const MOST_FILES = 30;
const FOLDER = '.github/workflows';
const LIKELY = /scangate|secur|scan/i;

const Listing = v.array(v.object({ type: v.string(), path: v.string() }));
const Content = v.object({ encoding: v.literal('base64'), content: v.string() });
const operation = 'read the workflows';
const contentsRead = 'contents: read';
const route = 'GET /repos/{owner}/{repo}/contents/{path}';

/**
 * Reads at most 30 workflows at a commit. Workflows with likely names come first. Returns none if the folder does not
 * exist.
 */
export async function readWorkflowFiles(
  github: GitHubClient,
  ref: string,
  signal: AbortSignal,
): Promise<Result<WorkflowFiles, GitHubError>> {
  const common = { operation, permission: contentsRead, route, signal } as const;
  const listing = await github.ask({ ...common, parameters: { path: FOLDER, ref }, answer: Listing });
  if (!listing.ok) {
    return listing.error.kind === 'not-found' ? ok({ files: [], complete: true }) : listing;
  }
  const paths = listing.value.data
    .filter(({ type, path }) => type === 'file' && /\.ya?ml$/.test(path))
    .map(({ path }) => path)
    .sort((a, b) => Number(LIKELY.test(b)) - Number(LIKELY.test(a)));
  const read = await Promise.all(
    paths.slice(0, MOST_FILES).map(async (path) => {
      const file = await github.ask({ ...common, parameters: { path, ref }, answer: Content });
      if (!file.ok) return file;
      return ok({ path, text: textOf(file.value.data) });
    }),
  );
  const failed = read.find((file) => !file.ok);
  if (failed !== undefined && !failed.ok) return failed;
  const files = read.flatMap((file) => (file.ok ? [file.value] : []));
  return ok({ files, complete: files.length === paths.length });
}

/**
 * Reads a workflow of any repository that the token may read.
 * @param ref a commit, a branch or a tag; undefined: the default branch
 */
export async function readForeignWorkflow(
  github: GitHubClient,
  { repositoryId, path, ref }: RequiredWorkflow,
  signal: AbortSignal,
): Promise<Result<WorkflowFile, GitHubError>> {
  const file = await github.ask({
    operation: 'read the required workflow',
    permission: contentsRead,
    route: 'GET /repositories/{id}/contents/{path}',
    parameters: { id: repositoryId, path, ...(ref === undefined ? {} : { ref }) },
    answer: Content,
    signal,
  });
  return file.ok ? ok({ path, text: textOf(file.value.data) }) : file;
}

function textOf({ content }: v.InferOutput<typeof Content>): string {
  return Buffer.from(content, 'base64').toString('utf8');
}

const actionsRead = 'actions: read';
const Runs = v.object({
  workflow_runs: v.array(
    v.object({ id: v.number(), head_sha: v.string(), conclusion: v.nullish(v.string()) }),
  ),
});
const Jobs = v.object({ jobs: v.array(v.object({ steps: v.nullish(v.array(v.unknown()), []) })) });
const CheckRuns = v.object({
  check_runs: v.array(v.object({ id: v.number(), app: v.nullish(v.object({ id: v.number() })) })),
});
/**
 * Our choice: the number of newest runs that are read. If a policy blocked all of them, it probably blocks the next run
 * too.
 */
const MOST_RUNS = 5;

/** Selects past runs of one workflow. */
interface PastRun {
  readonly path: string;
  readonly event: string;
  /** Selects the runs since this day, as `YYYY-MM-DD`. If undefined, selects runs of any age. */
  readonly since?: string;
}

/**
 * True if a job began in one of the newest runs of the workflow on this event. In a run that a policy blocks, no job
 * begins.
 */
export async function hasRunSince(
  github: GitHubClient,
  run: PastRun,
  signal: AbortSignal,
): Promise<Result<boolean, GitHubError>> {
  const runs = await newestRuns(github, run, MOST_RUNS, signal);
  if (!runs.ok) return runs;
  for (const { id } of runs.value) {
    const jobs = await github.ask({
      operation: 'list the jobs of the workflow run',
      permission: actionsRead,
      route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
      parameters: { run_id: id, per_page: 100 },
      answer: Jobs,
      signal,
    });
    if (!jobs.ok) return jobs;
    if (jobs.value.data.jobs.some(({ steps }) => steps !== null && steps.length > 0)) return ok(true);
  }
  return ok(false);
}

/**
 * Finds the newest check run of this name on the head of the newest run. Returns the id of the app that reported it;
 * undefined if there is none.
 */
export async function appOfCheck(
  github: GitHubClient,
  { name, ...run }: PastRun & { readonly name: string },
  signal: AbortSignal,
): Promise<Result<number | undefined, GitHubError>> {
  const runs = await newestRuns(github, run, 1, signal);
  if (!runs.ok) return runs;
  const [newest] = runs.value;
  if (newest === undefined) return ok(undefined);
  const checks = await github.ask({
    operation: 'list the check runs',
    permission: 'checks: read',
    route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    parameters: { ref: newest.head_sha, check_name: name, per_page: 100 },
    answer: CheckRuns,
    signal,
  });
  if (!checks.ok) return err(checks.error);
  return ok(checks.value.data.check_runs.toSorted((a, b) => b.id - a.id)[0]?.app?.id);
}

async function newestRuns(
  github: GitHubClient,
  { path, event, since }: PastRun,
  most: number,
  signal: AbortSignal,
): Promise<Result<readonly v.InferOutput<typeof Runs>['workflow_runs'][number][], GitHubError>> {
  const answer = await github.ask({
    operation: 'list the workflow runs',
    permission: actionsRead,
    route: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
    parameters: {
      // GitHub accepts a file name in place of the id.
      workflow_id: path.split('/').at(-1) ?? path,
      event,
      per_page: most,
      ...(since === undefined ? {} : { created: `>=${since}` }),
    },
    answer: Runs,
    signal,
  });
  if (!answer.ok) return answer.error.kind === 'not-found' ? ok([]) : answer;
  return ok(answer.value.data.workflow_runs);
}
