import {
  encodeFreeRerun,
  type FreeRerun,
  joinState,
  type RunAttempt,
  readFreeRerun,
  splitState,
} from '../domain/comment-state.ts';
import { type FindingHistory, type KnownFinding, readHistory } from '../domain/history.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { writeState } from '../github/comment.ts';
import { listComments, readComments } from '../github/comment-list.ts';
import {
  isLater,
  markedComments,
  markerLine,
  type OwnComment,
  ownComments,
} from '../github/comment-marker.ts';
import type { SealedAccess } from '../github/octokit.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import type { Subject } from './decide.ts';
import { NOT_KNOWN, notLeft, otherAuthor, type Refusal, UNDER_WAY, unreadable } from './refusal.ts';

/** The gate's comment, if it is proven to be about this head. */
export interface GateComment {
  readonly comment: OwnComment;
  /** The findings that the gate reported for this head. */
  readonly history: FindingHistory;
  /** The last re-run that a sweep requested. */
  readonly freeRerun: FreeRerun | undefined;
}

/**
 * Reads the newest comment in which the gate reports on this head. Refuses if the account of this token did not write
 * the comment.
 */
export async function readGateComment(
  deps: SealedAccess,
  subject: Subject,
  state: PullRequestState,
): Promise<Result<GateComment, Refusal>> {
  const posted = await readComments(deps.github, subject.pullRequest, state, deps.signal);
  if (!posted.ok) return err(unreadable(posted.error));
  const [own] = latestFirst(deps, subject, ownComments(posted.value, subject.checkName, state.viewer));
  if (own !== undefined) return ok(own);
  const [other] = latestFirst(deps, subject, markedComments(posted.value, subject.checkName));
  const author = posted.value.find(({ id }) => id === other?.comment.id)?.author?.login;
  return err(other === undefined ? NOT_KNOWN : otherAuthor(author, state.viewer));
}

/**
 * Reads the findings that the gate reported for this head. Any account may have written the comment, because the
 * report is signed. Undefined if no comment has a report on this head.
 */
export async function readReported(
  deps: SealedAccess,
  subject: Subject,
  state: PullRequestState,
): Promise<Result<readonly KnownFinding[] | undefined, Refusal>> {
  const posted = await readComments(deps.github, subject.pullRequest, state, deps.signal);
  if (!posted.ok) return err(unreadable(posted.error));
  const own = ownComments(posted.value, subject.checkName, state.viewer);
  const [found] = [
    ...latestFirst(deps, subject, own),
    ...latestFirst(deps, subject, markedComments(posted.value, subject.checkName)),
  ];
  return ok(found?.history.findings);
}

/** Returns the comments that are proven to be about this head. The comment of the latest run comes first. */
function latestFirst(
  { seal }: SealedAccess,
  subject: Subject,
  comments: readonly OwnComment[],
): readonly GateComment[] {
  return comments
    .flatMap((comment) => {
      const entries = splitState(comment.state);
      const history = readHistory(entries.history ?? '', subject, seal);
      if (history?.head !== subject.headSha) return [];
      return [{ comment, history, freeRerun: readFreeRerun(entries.freeRerun ?? '', subject, seal) }];
    })
    .toSorted((a, b) => (isLater(a.comment.marker, b.comment.marker) ? -1 : 1));
}

/**
 * True if a sweep has already re-run this run without success, and `mayRepeat` is not set. The gate sets `mayRepeat` if
 * one more re-run could have a different result.
 */
export function askedInVain({ freeRerun }: Pick<GateComment, 'freeRerun'>, run: RunAttempt): boolean {
  return freeRerun?.runId === run.runId && freeRerun.runAttempt <= run.runAttempt && !freeRerun.mayRepeat;
}

/**
 * Writes an entry into the gate's comment. Because of the entry, `attempt` launches no scan. If the comment already has
 * the entry, no request is sent.
 *
 * Then reads the comment again. Refuses if another run has changed it: the entry may be lost, or the result may be new.
 */
export async function leaveFreeRerun(
  { github, seal, signal }: SealedAccess,
  subject: Subject,
  { comment }: Pick<GateComment, 'comment'>,
  attempt: RunAttempt,
): Promise<Result<undefined, Refusal>> {
  const freeRerun = encodeFreeRerun({ ...attempt, mayRepeat: false }, subject, seal);
  const entries = splitState(comment.state);
  if (entries.freeRerun === freeRerun) return ok(undefined);
  const state = joinState({ ...entries, freeRerun });
  const written = await writeState(github, comment, state, signal);
  if (!written.ok) return err(notLeft(written.error));
  const posted = await listComments(github, subject.pullRequest, signal);
  if (!posted.ok) return err(unreadable(posted.error));
  const now = markedComments(posted.value, subject.checkName).find(({ id }) => id === comment.id);
  if (now === undefined || now.state !== state) return err(UNDER_WAY);
  return markerLine(now.marker) === markerLine(comment.marker) ? ok(undefined) : err(UNDER_WAY);
}
