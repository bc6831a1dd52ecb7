import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { RequiredWorkflow } from './branch-rules.ts';
import type { GitHubError } from './github-error.ts';
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
