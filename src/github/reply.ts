import { ok, type Result } from '../domain/result.ts';
import { editComment, postComment, removeAll } from './comment.ts';
import { listComments, readComments } from './comment-list.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';
import { ownReplies, replyLines } from './own-reply.ts';
import { readPullRequestState, WORKFLOW_AUTHOR } from './pull-request-state.ts';

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
