import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { Compared } from './compare.ts';
import type { GitHubError } from './github-error.ts';
import { CommitId } from './object-id.ts';
import type { GitHubClient } from './octokit.ts';

export interface ListedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** The number of commits on a page of GitHub's comparison. */
export const MOST_COMMITS = 100;

const CommitsAnswer = v.object({
  total_commits: v.number(),
  commits: v.array(v.object({ sha: CommitId, parents: v.array(v.object({ sha: CommitId })) })),
});

/** Lists the commits that the head contains and the base does not. Returns undefined if there are more than 100. */
export async function listComparedCommits(
  github: GitHubClient,
  { base, head }: Compared,
  signal: AbortSignal,
): Promise<Result<readonly ListedCommit[] | undefined, GitHubError>> {
  const answer = await github.ask({
    operation: 'list the commits of the change',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    parameters: { basehead: `${base}...${head}`, per_page: MOST_COMMITS, page: 1 },
    answer: CommitsAnswer,
    signal,
  });
  if (!answer.ok) return answer;
  const { total_commits: total, commits } = answer.value.data;
  if (commits.length !== total) return ok(undefined);
  return ok(commits.map(({ sha, parents }) => ({ sha, parents: parents.map((parent) => parent.sha) })));
}
