import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';
import { type OwnComment, ownComments, type PostedComment } from './own-comment.ts';
import type { PullRequestState } from './pull-request-state.ts';
import { WebAddress } from './web-address.ts';

const Comments = v.array(
  v.object({
    id: v.number(),
    html_url: v.optional(WebAddress),
    body: v.nullish(v.string()),
    user: v.nullish(v.object({ login: v.string(), type: v.optional(v.string()) })),
  }),
);

/**
 * Our choice: 50 pages of 100 comments. GitHub allows at most 2,500 comments on a pull request, so only a list that
 * never ends has more pages.
 */
const MOST_PAGES = 50;

/** Returns this check's comments. Sends no request if the state of the pull request already shows all comments. */
export async function readOwnComments(
  github: GitHubClient,
  pullRequest: number,
  checkName: string,
  state: Pick<PullRequestState, 'comments' | 'viewer'>,
  signal: AbortSignal,
): Promise<Result<readonly OwnComment[], GitHubError>> {
  const posted = await readComments(github, pullRequest, state, signal);
  return posted.ok ? ok(ownComments(posted.value, checkName, state.viewer)) : posted;
}

/** Returns all comments by any author. Sends no request if the state of the pull request already shows all comments. */
export async function readComments(
  github: GitHubClient,
  pullRequest: number,
  { comments }: Pick<PullRequestState, 'comments'>,
  signal: AbortSignal,
): Promise<Result<readonly PostedComment[], GitHubError>> {
  return comments === undefined ? listComments(github, pullRequest, signal) : ok(comments);
}

/** Reads this check's comments from every page. */
export async function listOwnComments(
  github: GitHubClient,
  pullRequest: number,
  checkName: string,
  author: string,
  signal: AbortSignal,
): Promise<Result<readonly OwnComment[], GitHubError>> {
  const listed = await listComments(github, pullRequest, signal);
  return listed.ok ? ok(ownComments(listed.value, checkName, author)) : listed;
}

/** Reads all comments of the pull request, by any author. */
export async function listComments(
  github: GitHubClient,
  pullRequest: number,
  signal: AbortSignal,
): Promise<Result<readonly PostedComment[], GitHubError>> {
  const posted: PostedComment[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await github.ask({
      operation: 'read the comments of the pull request',
      permission: 'pull-requests: write',
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: pullRequest, per_page: 100, page },
      answer: Comments,
      signal,
    });
    if (!answer.ok) return err(answer.error);
    for (const { id, html_url: url, body, user } of answer.value.data) {
      const author = user == null ? undefined : { login: user.login, type: user.type };
      posted.push({ id, url, body: body ?? '', author });
    }
    if (!answer.value.hasNextPage) break;
  }
  return ok(posted);
}
