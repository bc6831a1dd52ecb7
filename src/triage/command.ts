import type { CurrentComment } from '../github/current-comment.ts';
import type { CommentAuthor, IssueComment } from '../github/issue-comment.ts';
import { PREFIX, parseCommand, type Wanted } from './parse-command.ts';

/** The command that re-runs the job of the gate. It needs no token that can change findings. */
export const COMMAND = `${PREFIX} recheck`;

/** A command in a comment. Whether the author may give this command is not checked yet. */
export interface Command {
  readonly pullRequest: number;
  readonly commentId: number;
  readonly author: CommentAuthor;
  readonly createdAt: Date;
  /** The text of the comment when it was written. Foreign text. */
  readonly body: string;
  readonly wanted: Wanted;
}

/** True if the comment is still as its author wrote it. Pure. */
export function isAsWritten({ author, body }: Command, now: CurrentComment): boolean {
  return now.authorId === author.id && inLines(now.body) === inLines(body);
}

function inLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Reads the command in a comment. If the comment is ignored, the log shows `why`. Pure. */
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
  const wanted = parseCommand(body);
  if (wanted === undefined) return ignored(`the first line does not begin with ${PREFIX}`);
  if (author?.type !== 'User' || comment.byApp || senderId !== author.id) {
    return ignored('a user did not write the comment');
  }
  return { kind: 'command', command: { pullRequest, commentId: id, author, createdAt, body, wanted } };
}
