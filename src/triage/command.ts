import type { CommentAuthor, IssueComment } from '../github/issue-comment.ts';

/** The first line of the comment, exactly. */
export const COMMAND = '/scangate recheck';

/** A comment that asks for a triage action, if its author may ask. */
export interface Command {
  readonly pullRequest: number;
  readonly commentId: number;
  readonly author: CommentAuthor;
  readonly createdAt: Date;
}

/** Does a comment ask for a triage action? `ignored` says why it does not, for the log. Pure. */
export function readCommand(
  comment: IssueComment,
):
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'ignored'; readonly why: string } {
  const { action, pullRequest, id, body, author, senderId, createdAt, updatedAt } = comment;
  const ignored = (why: string) => ({ kind: 'ignored', why }) as const;
  if (action !== 'created' || updatedAt.getTime() !== createdAt.getTime()) {
    return ignored('the comment is not new');
  }
  if (pullRequest === undefined) return ignored('the comment is not on a pull request');
  if (body.split(/\r?\n/, 1)[0] !== COMMAND) return ignored(`the first line is not ${COMMAND}`);
  if (author?.type !== 'User' || comment.byApp || senderId !== author.id) {
    return ignored('a user did not write the comment');
  }
  return { kind: 'command', command: { pullRequest, commentId: id, author, createdAt } };
}
