import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import { ObjectId } from './object-id.ts';
import type { GitHubClient } from './octokit.ts';

/**
 * Reads the id of a commit's tree. Two commits with the same tree have the same files, byte for byte. An answer about
 * another commit is an error.
 */
export async function readCommitTree(
  github: GitHubClient,
  sha: string,
  signal: AbortSignal,
): Promise<Result<string, GitHubError>> {
  const answer = await github.ask({
    operation: 'read a commit',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
    parameters: { commit_sha: sha },
    answer: v.object({ sha: v.literal(sha), tree: v.object({ sha: ObjectId }) }),
    signal,
  });
  return answer.ok ? ok(answer.value.data.tree.sha) : answer;
}
