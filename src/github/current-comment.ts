import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/** A comment as GitHub shows it now. Its text is foreign text. */
export interface CurrentComment {
  readonly body: string;
  /** Undefined if the account was deleted. */
  readonly authorId: number | undefined;
}

const Comment = v.object({
  body: v.nullable(v.string()),
  user: v.nullable(v.object({ id: v.number() })),
});

/** Reads one comment on a pull request. Returns undefined if the comment was deleted. */
export async function readCurrentComment(
  github: GitHubClient,
  commentId: number,
  signal: AbortSignal,
): Promise<Result<CurrentComment | undefined, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the comment again',
    permission: 'pull-requests: read',
    route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { comment_id: commentId },
    answer: Comment,
    signal,
  });
  if (!answer.ok) return answer.error.kind === 'not-found' ? ok(undefined) : err(answer.error);
  const { body, user } = answer.value.data;
  return ok({ body: body ?? '', authorId: user?.id });
}
