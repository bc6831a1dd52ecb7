import { ok, type Result } from '../domain/result.ts';
import { editComment, postComment, removeAll } from './comment.ts';
import { listComments, readComments } from './comment-list.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';
import { ownReplies, replyLines } from './own-reply.ts';
import { readPullRequestState, WORKFLOW_AUTHOR } from './pull-request-state.ts';

/** The text of a reply, and the hidden word that it leaves for later commands. */
export interface ReplyContent {
  readonly state: string;
  /** Markdown. Together with the hidden lines at most 65,536 characters, because GitHub accepts no more. */
  readonly body: string;
}

export interface WantedReply {
  readonly pullRequest: number;
  /** Each name has its own reply. */
  readonly checkName: string;
  /** Returns the content; gets the states of our earlier replies, the oldest first. */
  readonly contentFor: (states: readonly string[]) => ReplyContent;
}

/** Our choice: if another run writes at the same time, both write once more. */
const MOST_SENDS = 3;

/**
 * Brings the one reply to commands up to date, or begins it. After each write, and after an answer that was lost, the
 * comments are read again: the oldest reply stays, with what all of them hold. Where our reply cannot be read or edited,
 * or where GitHub does not show under which login we write, a new one is posted: two replies are better than none.
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
      // The reply that could not be edited stays, and there is no other one to compare it with.
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
    // What was just posted is not ours by this login, so the login is another one: a second post would not be either.
    if (sent.ok && oldest === undefined && replies.length === 0) return done;
  }
}
