import { userMayWrite } from '../github/people.ts';
import { readCurrentComment } from '../github/reply.ts';
import { DELETED, EDITED, NO_ACCESS } from './change-refusal.ts';
import { type Command, isAsWritten } from './command.ts';
import type { Subject } from './decide.ts';
import { type Refusal, unreadable } from './refusal.ts';
import { type RerunDeps, readHead } from './rerun-gate.ts';

/**
 * Refuses a command if its comment was edited or deleted, its author has lost access, or the pull request was closed or
 * has another head. Other users do not see an edited command as it was written.
 */
export async function refuseLate(
  deps: Pick<RerunDeps, 'github' | 'signal'>,
  command: Command,
  subject: Subject,
): Promise<Refusal | undefined> {
  const { github, signal } = deps;
  const [comment, may, head] = await Promise.all([
    readCurrentComment(github, command.commentId, signal),
    userMayWrite(github, command.author, signal),
    readHead(deps, subject),
  ]);
  if (!comment.ok) return unreadable(comment.error);
  if (comment.value === undefined) return DELETED;
  if (!isAsWritten(command, comment.value)) return EDITED;
  if (!may.ok) return unreadable(may.error);
  if (!may.value) return NO_ACCESS;
  return head.ok ? undefined : head.error;
}
