import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import { CommitId } from './object-id.ts';
import type { GitHubClient } from './octokit.ts';

/** The newest commit of a branch. `gone` means that no branch has this name. */
export type BranchTip = { readonly kind: 'commit'; readonly sha: string } | { readonly kind: 'gone' };

/** Reads the newest commit of a branch. Uses the full name of the ref, because a tag can have the same short name. */
export async function readBranchTip(
  github: GitHubClient,
  branch: string,
  signal: AbortSignal,
): Promise<Result<BranchTip, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the base branch',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
    parameters: { ref: `heads/${branch}` },
    answer: v.object({
      ref: v.literal(`refs/heads/${branch}`),
      object: v.object({ type: v.literal('commit'), sha: CommitId }),
    }),
    signal,
  });
  if (answer.ok) return ok({ kind: 'commit', sha: answer.value.data.object.sha });
  return answer.error.kind === 'not-found' ? ok({ kind: 'gone' }) : answer;
}
