import * as v from 'valibot';
import { ok } from '../domain/result.ts';
import type { RequiredWorkflow } from './branch-rules.ts';
import { type GitHubClient, read } from './octokit.ts';
import { Content } from './schemas.ts';

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

/**
 * Reads at most 30 workflows at a commit. Workflows with likely names come first. Returns none if the folder does not
 * exist.
 */
export async function readWorkflowFiles(github: GitHubClient, ref: string) {
  const common = {
    operation: 'read the workflows',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/contents/{path}',
  } as const;
  const folder = { ...common, parameters: { path: FOLDER, ref }, answer: Listing };
  const listing = await read(github, { ...folder, absent: ok([]) });
  if (!listing.ok) return listing;
  const paths = listing.value
    .filter(({ type, path }) => type === 'file' && /\.ya?ml$/.test(path))
    .map(({ path }) => path)
    .sort((a, b) => Number(LIKELY.test(b)) - Number(LIKELY.test(a)));
  const files: WorkflowFile[] = [];
  const found = await Promise.all(
    paths
      .slice(0, MOST_FILES)
      .map((path) => read(github, { ...common, parameters: { path, ref }, answer: textOf(path) })),
  );
  for (const file of found) {
    if (!file.ok) return file;
    files.push(file.value);
  }
  return ok({ files, complete: files.length === paths.length });
}

/**
 * Reads a workflow of any repository that the token may read.
 * @param ref a commit, a branch or a tag; undefined: the default branch
 */
export function readForeignWorkflow(github: GitHubClient, { repositoryId, path, ref }: RequiredWorkflow) {
  return read(github, {
    operation: 'read the required workflow',
    permission: 'contents: read',
    route: 'GET /repositories/{id}/contents/{path}',
    parameters: { id: repositoryId, path, ...(ref === undefined ? {} : { ref }) },
    answer: textOf(path),
  });
}

function textOf(path: string) {
  return v.pipe(
    Content,
    v.transform((bytes): WorkflowFile => ({ path, text: bytes.toString('utf8') })),
  );
}

const permission = 'actions: read';
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
export async function hasRunSince(github: GitHubClient, run: PastRun) {
  const runs = await newestRuns(github, run, MOST_RUNS);
  if (!runs.ok) return runs;
  for (const { id } of runs.value) {
    const jobs = await read(github, {
      operation: 'list the jobs of the workflow run',
      permission,
      route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
      parameters: { run_id: id, per_page: 100 },
      answer: Jobs,
    });
    if (!jobs.ok) return jobs;
    if (jobs.value.jobs.some(({ steps }) => steps !== null && steps.length > 0)) return ok(true);
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
) {
  const runs = await newestRuns(github, run, 1);
  if (!runs.ok) return runs;
  const [newest] = runs.value;
  if (newest === undefined) return ok(undefined);
  const checks = await read(github, {
    operation: 'list the check runs',
    permission: 'checks: read',
    route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    parameters: { ref: newest.head_sha, check_name: name, per_page: 100 },
    answer: CheckRuns,
  });
  return checks.ok ? ok(checks.value.check_runs.toSorted((a, b) => b.id - a.id)[0]?.app?.id) : checks;
}

async function newestRuns(github: GitHubClient, { path, event, since }: PastRun, most: number) {
  const answer = await read(github, {
    operation: 'list the workflow runs',
    permission,
    route: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
    parameters: {
      // GitHub accepts a file name in place of the id.
      workflow_id: path.split('/').at(-1) ?? path,
      event,
      per_page: most,
      ...(since === undefined ? {} : { created: `>=${since}` }),
    },
    answer: Runs,
    absent: ok({ workflow_runs: [] }),
  });
  return answer.ok ? ok(answer.value.workflow_runs) : answer;
}
