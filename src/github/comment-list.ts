import * as v from 'valibot';
import { type NotScanned, ok, type Result } from '../domain/result.ts';
import { type OwnComment, ownComments, type PostedComment } from './comment-marker.ts';
import type { GitHubError } from './errors.ts';
import { malformed } from './event.ts';
import { type GitHubClient, readPages } from './octokit.ts';
import type { PullRequestState } from './pull-request-state.ts';
import { Id, Timestamp, WebAddress } from './schemas.ts';

const Comments = v.array(
  v.pipe(
    v.object({
      id: v.number(),
      html_url: v.optional(WebAddress),
      body: v.nullish(v.string()),
      user: v.nullish(v.object({ login: v.string(), type: v.optional(v.string()) })),
    }),
    v.transform(({ id, html_url: url, body, user }): PostedComment => {
      const author = user == null ? undefined : { login: user.login, type: user.type };
      return { id, url, body: body ?? '', author };
    }),
  ),
);

/** Our choice. GitHub allows at most 2,500 comments on a pull request, so only a list that never ends has more. */
const MOST_COMMENTS = 5_000;

/** Returns this check's comments. Sends no request if the state of the pull request already shows all comments. */
export async function readOwnComments(
  github: GitHubClient,
  pullRequest: number,
  checkName: string,
  state: PullRequestState,
): Promise<Result<readonly OwnComment[], GitHubError>> {
  const posted = await readComments(github, pullRequest, state);
  return posted.ok ? ok(ownComments(posted.value, checkName, state.viewer)) : posted;
}

/** Returns all comments by any author. Sends no request if the state of the pull request already shows all comments. */
export async function readComments(
  github: GitHubClient,
  pullRequest: number,
  { comments }: PullRequestState,
): Promise<Result<readonly PostedComment[], GitHubError>> {
  return comments === undefined ? listComments(github, pullRequest) : ok(comments);
}

/** Reads this check's comments from every page. */
export async function listOwnComments(
  github: GitHubClient,
  pullRequest: number,
  checkName: string,
  author: string,
): Promise<Result<readonly OwnComment[], GitHubError>> {
  const listed = await listComments(github, pullRequest);
  return listed.ok ? ok(ownComments(listed.value, checkName, author)) : listed;
}

/** Reads all comments of the pull request, by any author. */
export function listComments(github: GitHubClient, pullRequest: number) {
  const request = {
    operation: 'read the comments of the pull request',
    permission: 'pull-requests: write',
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { issue_number: pullRequest },
    answer: Comments,
  } as const;
  return readPages(github, request, MOST_COMMENTS);
}

/** The author of a comment, from the event. */
export interface CommentAuthor {
  readonly login: string;
  /** The id of the account. It stays the same if the user changes the login. */
  readonly id: number;
  /** `User`, `Bot` or another type of account on GitHub. */
  readonly type: string;
}

/** The comment of an `issue_comment` event. Its text is foreign text. */
export interface IssueComment {
  readonly action: string;
  /** Undefined if the comment is on an issue. */
  readonly pullRequest: number | undefined;
  readonly id: number;
  readonly body: string;
  /** Undefined if the account was deleted. */
  readonly author: CommentAuthor | undefined;
  /** The user or app that caused the event; undefined if GitHub does not show it. */
  readonly senderId: number | undefined;
  /** True if an app wrote the comment in the name of a user. */
  readonly byApp: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const Payload = v.object({
  action: v.string(),
  issue: v.object({ number: Id, pull_request: v.nullish(v.unknown()) }),
  comment: v.object({
    id: Id,
    body: v.nullish(v.string(), ''),
    user: v.nullish(v.object({ login: v.string(), id: Id, type: v.string() })),
    created_at: Timestamp,
    updated_at: Timestamp,
    performed_via_github_app: v.nullish(v.unknown()),
  }),
  sender: v.nullish(v.object({ id: Id })),
});

/** Reads the payload. The error is `configuration` if the payload does not match GitHub's documentation. */
export function readIssueComment(payload: unknown): Result<IssueComment, NotScanned> {
  const parsed = v.safeParse(Payload, payload);
  if (!parsed.success) return malformed('issue_comment', parsed.issues);
  const { action, issue, comment, sender } = parsed.output;
  return ok({
    action,
    pullRequest: issue.pull_request == null ? undefined : issue.number,
    id: comment.id,
    body: comment.body,
    author: comment.user ?? undefined,
    senderId: sender?.id,
    byApp: comment.performed_via_github_app != null,
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
  });
}
