import { splitState } from '../domain/comment-state.ts';
import type { SealedAccess } from '../github/access.ts';
import { listComments } from '../github/comment-list.ts';
import { readState } from '../github/comment-marker.ts';
import type { PostedComment } from '../github/own-comment.ts';
import { type PullRequestState, readPullRequestState } from '../github/pull-request-state.ts';
import { marksOfCheckRuns } from './find-marks.ts';
import { readMark } from './scan-mark.ts';

/** Where other runs leave their marks. */
export interface ClaimPlaces {
  readonly headSha: string;
  /** Undefined if the event has no pull request. */
  readonly pullRequest?: number | undefined;
}

export interface ClaimDeps extends SealedAccess {
  /** Receives the pull request if it is read. */
  readonly onPullRequestRead?: ((state: PullRequestState) => void) | undefined;
}

/**
 * Reads the ids of the scans that proven marks of any check name. The marks are in the check runs of the head and in
 * the comments of the pull request. A scan with a mark belongs to another run, unless this run wrote the mark.
 * @param exceptKey leaves out marks with this key
 * @returns undefined if the marks cannot be read
 */
export async function claimedScans(
  deps: ClaimDeps,
  places: ClaimPlaces,
  exceptKey?: string,
): Promise<ReadonlySet<string> | undefined> {
  const { seal } = deps;
  const [ofCheckRuns, comments] = await Promise.all([
    marksOfCheckRuns(deps, places.headSha),
    commentsOf(deps, places),
  ]);
  if (!ofCheckRuns.ok || comments === undefined) return undefined;
  // Any user can write a comment, but only a holder of the token can make a mark.
  const ofComments = comments.flatMap(
    ({ body }) => readMark(splitState(readState(body)).mark ?? '', seal) ?? [],
  );
  const marks = [...ofCheckRuns.value, ...ofComments].filter(({ key }) => key !== exceptKey);
  return new Set(marks.map(({ scanId }) => scanId));
}

/** Returns undefined if the comments cannot be read. */
async function commentsOf(
  { github, signal, onPullRequestRead }: ClaimDeps,
  { pullRequest }: ClaimPlaces,
): Promise<readonly PostedComment[] | undefined> {
  if (pullRequest === undefined) return [];
  const state = await readPullRequestState(github, pullRequest, signal);
  if (state.ok) onPullRequestRead?.(state.value);
  if (state.ok && state.value.comments !== undefined) return state.value.comments;
  const listed = state.ok ? await listComments(github, pullRequest, signal) : state;
  return listed.ok ? listed.value : undefined;
}
