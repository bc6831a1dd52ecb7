import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

const permission = 'pull-requests: write';
const Id = v.object({ id: v.number() });

/** Adds a reaction to a comment. GitHub keeps one reaction of each kind per user. */
export async function reactToComment(
  github: GitHubClient,
  commentId: number,
  content: '+1' | 'confused',
  signal: AbortSignal,
): Promise<Result<undefined, GitHubError>> {
  const answer = await github.ask({
    operation: 'react to the comment',
    permission,
    route: 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    parameters: { comment_id: commentId, content },
    answer: Id,
    repeatable: true,
    signal,
  });
  return answer.ok ? ok(undefined) : err(answer.error);
}
