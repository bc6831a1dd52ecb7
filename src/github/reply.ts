import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import { editComment, postComment } from './comment.ts';
import { listComments, readComments } from './comment-list.ts';
import { hashOf, isBy, type PostedComment, saysTheSame } from './comment-marker.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read } from './octokit.ts';
import { readPullRequestState, WORKFLOW_AUTHOR } from './pull-request-state.ts';

/**
 * Makes the hidden line above a reply to a command. Replies and the gate's comment have different markers, so that they
 * are not confused.
 */
export function replyLine(checkName: string): string {
  return `<!-- scangate-reply:v1 check=${hashOf(checkName)} -->`;
}

/** Returns every reply for this check that we wrote. The oldest comes first. */
export function ownReplies(
  posted: readonly PostedComment[],
  checkName: string,
  author: string,
): readonly PostedComment[] {
  return posted
    .filter(
      ({ author: by, body }) => by && isBy(by, author) && body.split(/\r?\n/, 1)[0] === replyLine(checkName),
    )
    .toSorted((a, b) => a.id - b.id);
}

/**
 * Writes the answer to a command into our newest reply. The history of this comment on GitHub shows the earlier answers.
 * Posts a new reply if there is none, or if our reply cannot be read or edited. Two replies are better than none.
 * @param checkName checks with different names have different replies
 * @param body Markdown. GitHub's limit is 65,536 characters, including the hidden line
 */
export async function syncReply(
  github: GitHubClient,
  pullRequest: number,
  checkName: string,
  body: string,
): Promise<Result<undefined, GitHubError>> {
  const state = await readPullRequestState(github, pullRequest);
  const viewer = state.ok ? state.value.viewer : WORKFLOW_AUTHOR;
  const posted = state.ok ? await readComments(github, pullRequest, state.value) : state;
  const newest = posted.ok ? ownReplies(posted.value, checkName, viewer).at(-1) : undefined;
  const text = `${replyLine(checkName)}\n${body}`;
  const find = async () => {
    const now = await listComments(github, pullRequest);
    if (!now.ok) return now;
    return ok(ownReplies(now.value, checkName, viewer).find((reply) => saysTheSame(reply.body, body)));
  };
  const edited = newest && (await editComment(github, newest.id, text));
  if (edited?.ok) return ok(undefined);
  if (edited?.error.kind === 'stopped') return edited;
  if (edited?.error.ambiguous) {
    await github.pauseAfterLoss();
    const found = await find();
    if (found.ok && found.value !== undefined) return ok(undefined);
  }
  const sent = await postComment(github, pullRequest, text, find);
  return sent.ok ? ok(undefined) : sent;
}

const permission = 'pull-requests: write';
const Reaction = v.pipe(
  v.object({ id: v.number() }),
  v.transform(() => undefined),
);

/** Adds a reaction to a comment. GitHub keeps one reaction of each kind per user. */
export function reactToComment(github: GitHubClient, commentId: number, content: '+1' | 'confused') {
  return read(github, {
    operation: 'react to the comment',
    permission,
    route: 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    parameters: { comment_id: commentId, content },
    answer: Reaction,
    repeatable: true,
  });
}

/** A comment as GitHub shows it now. Its text is foreign text. `authorId` is undefined if the account was deleted. */
export type CurrentComment = v.InferOutput<typeof Comment>;
const Comment = v.pipe(
  v.object({ body: v.nullable(v.string()), user: v.nullable(v.object({ id: v.number() })) }),
  v.transform(({ body, user }) => ({ body: body ?? '', authorId: user?.id })),
);

/** Reads one comment on a pull request. Returns undefined if the comment was deleted. */
export function readCurrentComment(github: GitHubClient, commentId: number) {
  return read(github, {
    operation: 'read the comment again',
    permission: 'pull-requests: read',
    route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { comment_id: commentId },
    answer: Comment,
    absent: ok(undefined),
  });
}
