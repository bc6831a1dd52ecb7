import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { TargetPullRequest } from '../domain/target.ts';
import type { GitHubError } from './github-error.ts';
import type { CommentAuthor } from './issue-comment.ts';
import type { GitHubClient } from './octokit.ts';

/** `permission` is a base role: GitHub answers `write` for the role `maintain`, and `read` for `triage`. */
const Answer = v.object({ permission: v.string() });
const AnswerAbout = v.object({ permission: v.string(), user: v.nullish(v.object({ id: v.number() })) });
const MAY_WRITE = new Set(['admin', 'write']);

/**
 * Decides whether a pull request may be scanned with the repository's secrets. Its author needs write permission.
 *
 * A push to this repository already needs write permission. For a pull request from a fork, asks GitHub for the
 * author's permission. Returns false after a 404. All other failures are errors.
 */
export async function authorMayScan(
  github: GitHubClient,
  pullRequest: TargetPullRequest,
  signal: AbortSignal,
): Promise<Result<boolean, GitHubError>> {
  if (!pullRequest.isFork) return ok(true);
  // The login is empty if the author's account was deleted. An empty login in the route would lead to another endpoint.
  if (pullRequest.author === '') return ok(false);
  const answer = await github.ask({
    operation: "read the author's permission",
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    parameters: { username: pullRequest.author },
    answer: Answer,
    signal,
  });
  if (answer.ok) return ok(MAY_WRITE.has(answer.value.data.permission));
  return answer.error.kind === 'not-found' ? ok(false) : err(answer.error);
}

/**
 * Reads whether the user has write permission now. Also compares the id, because another account may have the login
 * now. Returns false after a 404. All other failures are errors.
 */
export async function userMayWrite(
  github: GitHubClient,
  { login, id }: Pick<CommentAuthor, 'login' | 'id'>,
  signal: AbortSignal,
): Promise<Result<boolean, GitHubError>> {
  if (login === '') return ok(false);
  const answer = await github.ask({
    operation: "read the commenter's permission",
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    parameters: { username: login },
    answer: AnswerAbout,
    signal,
  });
  if (!answer.ok) return answer.error.kind === 'not-found' ? ok(false) : err(answer.error);
  const { permission, user } = answer.value.data;
  return ok(MAY_WRITE.has(permission) && user?.id === id);
}
