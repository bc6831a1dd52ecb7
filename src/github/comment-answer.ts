import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

const permission = 'pull-requests: write';
const Id = v.object({ id: v.number() });

/** Adds a reaction to a comment; GitHub keeps one of each kind. */
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

/** Comments on a pull request. After an ambiguous answer it is not sent again: a second reply is worse than none. */
export async function replyOnPullRequest(
  github: GitHubClient,
  pullRequest: number,
  body: string,
  signal: AbortSignal,
): Promise<Result<undefined, GitHubError>> {
  const answer = await github.ask({
    operation: 'comment on the pull request',
    permission,
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { issue_number: pullRequest, body },
    answer: Id,
    signal,
  });
  return answer.ok ? ok(undefined) : err(answer.error);
}
