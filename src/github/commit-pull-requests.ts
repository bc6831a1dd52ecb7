import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import { CommitId } from './object-id.ts';
import type { GitHubClient } from './octokit.ts';

const PullRequests = v.array(
  v.object({
    head: v.object({ sha: CommitId }),
    /** The commit of the merge. For an open pull request, this is GitHub's test merge. */
    merge_commit_sha: v.nullish(v.string()),
  }),
);

/**
 * Reads the head SHAs of the pull requests that contain a commit. A pull request that was merged by this
 * commit comes first.
 */
export async function readHeadsMergedBy(
  github: GitHubClient,
  sha: string,
  signal: AbortSignal,
): Promise<Result<readonly string[], GitHubError>> {
  const answer = await github.ask({
    operation: 'read the pull requests of a commit',
    permission: 'pull-requests: read',
    route: 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    parameters: { commit_sha: sha, per_page: 10 },
    answer: PullRequests,
    signal,
  });
  if (!answer.ok) return answer;
  const rank = (merge: string | null | undefined) => (merge === sha ? 0 : 1);
  const sorted = answer.value.data.toSorted((a, b) => rank(a.merge_commit_sha) - rank(b.merge_commit_sha));
  return ok([...new Set(sorted.map(({ head }) => head.sha))]);
}
