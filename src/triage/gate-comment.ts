import { readFacts, splitState } from '../domain/comment-state.ts';
import type { FindingHistory } from '../domain/history.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { readComments } from '../github/comment-list.ts';
import { type CommentMarker, isLater, markedComments, ownComments } from '../github/comment-marker.ts';
import type { SealedAccess } from '../github/octokit.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Subject } from './decide.ts';
import { type Refusal, unreadable } from './refusal.ts';

/** A comment of the gate that is proven to be about this head. */
export interface GateComment {
  /** Names the run that wrote the comment. It is not signed. */
  readonly marker: CommentMarker;
  /** The findings that the gate reported for this head. */
  readonly history: FindingHistory;
}

/**
 * Reads the newest comment in which the gate reports on this head. Any account may have written it, because the report
 * is signed; a comment of our own account comes first. Undefined if no comment has a report on this head.
 */
export async function readGateComment(
  { github, seal, signal }: SealedAccess,
  subject: Subject,
  state: PullRequestState,
): Promise<Result<GateComment | undefined, Refusal>> {
  const posted = await readComments(github.until(signal), subject.pullRequest, state);
  if (!posted.ok) return err(unreadable(posted.error));
  const { checkName, headSha } = subject;
  const own = ownComments(posted.value, checkName, state.viewer);
  const [found] = [own, markedComments(posted.value, checkName)].flatMap((comments) =>
    comments
      .flatMap(({ marker, state }) => {
        const { history } = readFacts(splitState(state).sealed, subject, seal);
        return history?.head === headSha ? [{ marker, history }] : [];
      })
      .toSorted((a, b) => (isLater(a.marker, b.marker) ? -1 : 1)),
  );
  return ok(found);
}
