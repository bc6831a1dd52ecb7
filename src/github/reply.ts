import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import { editComment, postComment, removeAll } from './comment.ts';
import { listComments, readComments } from './comment-list.ts';
import { hashOf, isBy, type PostedComment, readState, withState } from './comment-marker.ts';
import type { GitHubError } from './errors.ts';
import type { GitHubClient } from './octokit.ts';
import { readPullRequestState, WORKFLOW_AUTHOR } from './pull-request-state.ts';

const MARKER = /^<!-- scangate-reply:v1 check=([0-9a-f]{16}) -->$/;

/**
 * Makes the hidden lines above a reply to commands. Replies and the gate's comment have different markers, so that they
 * are not confused.
 * @param state hidden text for later commands: visible ASCII without spaces or `>`; any other text is left out
 */
export function replyLines(checkName: string, state: string | undefined): string {
  return withState(`<!-- scangate-reply:v1 check=${hashOf(checkName)} -->`, state);
}

/** True if a comment begins with the marker of a reply for this check. */
export function isReply(comment: string, checkName: string): boolean {
  return MARKER.exec(comment.split(/\r?\n/, 1)[0] ?? '')?.[1] === hashOf(checkName);
}

/** One of our replies to commands. */
export interface OwnReply {
  readonly id: number;
  /** The state that earlier commands left for later ones. */
  readonly state: string | undefined;
}

/** Returns every reply for this check that we wrote. The oldest comes first. */
export function ownReplies(
  posted: readonly PostedComment[],
  checkName: string,
  author: string,
): readonly OwnReply[] {
  return posted
    .filter(({ author: writer, body }) => writer && isBy(writer, author) && isReply(body, checkName))
    .map(({ id, body }) => ({ id, state: readState(body) }))
    .sort((a, b) => a.id - b.id);
}

/** The content of a reply: its text, and the hidden state for later commands. */
export interface ReplyContent {
  readonly state: string;
  /** Markdown. GitHub's limit is 65,536 characters, including the hidden lines. */
  readonly body: string;
}

export interface WantedReply {
  readonly pullRequest: number;
  /** Checks with different names have different replies. */
  readonly checkName: string;
  /** Returns the content. Gets the states of our earlier replies, the oldest first. */
  readonly contentFor: (states: readonly string[]) => ReplyContent;
}

/**
 * Our choice: how often a run may write the reply. If two runs write at the same time, each of them has to write twice.
 */
const MOST_SENDS = 3;

/**
 * Creates or updates the one reply to commands. Reads the comments again after each write, and after a lost answer.
 * - If there are several replies, the oldest gets the content of all, and the others are deleted.
 * - If our reply cannot be read or edited, posts a new reply. Two replies are better than none.
 * - If GitHub does not show our login, the run may not recognize our reply. Then it also posts a new one.
 */
export async function syncReply(
  github: GitHubClient,
  { pullRequest, checkName, contentFor }: WantedReply,
  signal: AbortSignal,
): Promise<Result<undefined, GitHubError>> {
  const now = await readPullRequestState(github, pullRequest, signal);
  const viewer = now.ok ? now.value.viewer : WORKFLOW_AUTHOR;
  const first = now.ok ? await readComments(github, pullRequest, now.value, signal) : now;
  let replies = first.ok ? ownReplies(first.value, checkName, viewer) : [];
  let isRefused = false;
  for (let sends = 1; ; sends += 1) {
    const { state, body } = contentFor(replies.flatMap((reply) => reply.state ?? []));
    const isThere = replies.some((reply) => reply.state === state);
    const [oldest, ...surplus] = isRefused ? [] : replies;
    if (isThere && surplus.length === 0) return ok(undefined);
    const text = `${replyLines(checkName, state)}\n${body}`;
    const sent =
      oldest === undefined
        ? await postComment(github, pullRequest, text, signal)
        : await editComment(github, oldest.id, text, signal);
    const done = sent.ok ? ok(undefined) : sent;
    if (sent.ok) {
      await removeAll(github, surplus, signal);
      // GitHub refused to edit the old reply, so it stays. The new reply contains its state.
      if (isRefused) return done;
    } else if (sent.error.kind === 'stopped') {
      return done;
    } else if (sent.error.ambiguous) {
      await github.pauseAfterLoss(signal);
    } else if (oldest === undefined) {
      return done;
    } else {
      isRefused = true;
    }
    if (sends >= MOST_SENDS) return done;
    const again = await listComments(github, pullRequest, signal);
    if (!again.ok && !isRefused) return done;
    if (again.ok) replies = ownReplies(again.value, checkName, viewer);
    // The new reply does not appear under the expected login. A further reply would not appear either.
    if (sent.ok && oldest === undefined && replies.length === 0) return done;
  }
}

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
