import * as v from 'valibot';
import { splitState } from '../domain/comment-state.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { listOwnComments, readOwnComments } from './comment-list.ts';
import {
  type CommentMarker,
  hiddenLines,
  isLater,
  markerLine,
  type OwnComment,
  saysTheSame,
} from './comment-marker.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read } from './octokit.ts';
import { type ReadPullRequest, readPullRequestState } from './pull-request-state.ts';
import { WebAddress } from './schemas.ts';

/** The content of the comment. */
export interface CommentContent {
  /** Hidden text for later runs: visible ASCII without spaces or `>`. */
  readonly state: string;
  /** Markdown of at most 60,000 characters. GitHub accepts 65,536, including the hidden lines. */
  readonly body: string;
}

/** The comment that the pull request should have, and the run that writes it. Its marker names this run. */
export interface WantedComment extends CommentMarker {
  readonly pullRequest: number;
  /** If false, only an existing comment is updated. */
  readonly mayCreate: boolean;
}

export interface SyncedComment {
  readonly url: string | undefined;
  /**
   * `superseded`: a later run wrote the comment. `worse`: another job of the same attempt wrote a worse result.
   * `other-head`: the pull request has another head. `none`: there is no comment, and none may be created.
   */
  readonly action: 'created' | 'updated' | 'unchanged' | 'superseded' | 'worse' | 'other-head' | 'none';
}

const permission = 'pull-requests: write';
const Written = v.pipe(
  v.object({ id: v.number(), html_url: v.optional(WebAddress) }),
  v.transform(({ id, html_url: url }) => ({ id, url })),
);
type Written = v.InferOutput<typeof Written>;

/**
 * Creates or updates this check's one comment. If the comment was deleted meanwhile, creates a new one. Writes nothing
 * if:
 *
 * - the comment already shows this text
 * - the pull request has another head
 * - a later run wrote the comment for the same head, or another job of this attempt wrote a worse result
 * - there is no comment, and `mayCreate` is false
 *
 * Reads the comments again after the write, because other runs may write at the same time. The oldest comment stays,
 * and gets the text of the latest run. A comment that was deleted in the meantime is created anew. If GitHub refuses,
 * the error names the permission to comment.
 * @param contentFor returns the content; gets the states of the existing comments, the newest state first
 * @param readPullRequest reads the pull request; default: asks GitHub
 */
export async function syncComment(
  github: GitHubClient,
  request: WantedComment,
  contentFor: (states: readonly string[]) => CommentContent,
  readPullRequest: ReadPullRequest = () => readPullRequestState(github, request.pullRequest),
): Promise<Result<SyncedComment, GitHubError>> {
  const { pullRequest, checkName, headSha, mayCreate } = request;
  const state = await readPullRequest(github.signal);
  if (!state.ok) return err(asRefusal(state.error));
  if (state.value.headSha !== headSha) return ok({ url: undefined, action: 'other-head' });

  const before = await readOwnComments(github, pullRequest, checkName, state.value);
  if (!before.ok) return err(asRefusal(before.error));
  const ours = { marker: request, ...contentFor(statesOf(before.value)) };
  const later = before.value.find((own) => own.marker.headSha === headSha && isLater(own.marker, request));
  if (later !== undefined) return ok({ url: later.url, action: 'superseded' });
  const worse = before.value.find((own) => isWorse(own, ours));
  if (worse !== undefined) return ok({ url: worse.url, action: 'worse' });

  const list = () => listOwnComments(github, pullRequest, checkName, state.value.viewer);
  const [oldest, ...surplus] = before.value;
  if (oldest === undefined && !mayCreate) return ok({ url: undefined, action: 'none' });
  if (oldest !== undefined && saysTheSame(oldest.body, ours.body)) {
    await removeAll(github, surplus);
    return ok({ url: oldest.url, action: 'unchanged' });
  }
  const text = `${hiddenLines(request, ours.state)}\n${ours.body}`;
  const updated = oldest && (await editComment(github, oldest.id, text));
  const isGone = updated?.ok === false && isDeleted(updated.error);
  if (isGone && !mayCreate) return ok({ url: undefined, action: 'none' });
  const findOurs = async () => {
    const now = await list();
    return now.ok ? ok(now.value.find((own) => markerLine(own.marker) === markerLine(request))) : now;
  };
  const written =
    updated === undefined || isGone ? await postComment(github, pullRequest, text, findOurs) : updated;
  if (!written.ok) return err(asRefusal(written.error));
  const action = updated === undefined || isGone ? 'created' : 'updated';
  const after = await list();
  // The comment was written, so it is not an error if the comments cannot be read again.
  if (!after.ok) return ok({ url: written.value.url, action });
  return settle(github, { ...ours, text }, written.value, action, after.value);
}

/** Resolves conflicts with comments that other runs wrote at the same time. */
async function settle(
  github: GitHubClient,
  ours: Pick<OwnComment, 'marker' | 'state'> & { readonly text: string },
  written: Written,
  action: 'created' | 'updated',
  after: readonly OwnComment[],
): Promise<Result<SyncedComment, GitHubError>> {
  const { marker, text } = ours;
  const [oldest, ...surplus] = after;
  const later = after.find((own) => isLater(own.marker, marker));
  const stronger = later ?? after.find((own) => isWorse(own, ours));
  if (stronger !== undefined) {
    // The other job removes the surplus comments, so this job removes at most its own comment. The oldest comment stays.
    if (oldest?.id !== written.id)
      await removeAll(
        github,
        surplus.filter((own) => own.id === written.id),
      );
    return ok({ url: stronger.url, action: later === undefined ? 'worse' : 'superseded' });
  }
  if (oldest === undefined) return ok({ url: written.url, action });
  if (isLater(marker, oldest.marker) || isWorse(ours, oldest)) {
    const again = await editComment(github, oldest.id, text);
    // If the other run has deleted its comment, ours stays.
    if (!again.ok && isDeleted(again.error)) return ok({ url: written.url, action });
    if (!again.ok) return err(asRefusal(again.error));
  }
  await removeAll(github, surplus);
  return ok({ url: oldest.url ?? written.url, action: oldest.id === written.id ? action : 'updated' });
}

/**
 * Posts a comment. If the answer is lost, looks for the comment before it sends the request once more.
 * @param find looks for the comment
 */
export async function postComment(
  github: GitHubClient,
  pullRequest: number,
  body: string,
  find: () => Promise<Result<Pick<OwnComment, 'id' | 'url'> | undefined, GitHubError>>,
): Promise<Result<Written, GitHubError>> {
  const send = () =>
    read(github, {
      operation: 'comment on the pull request',
      permission,
      route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: pullRequest, body },
      answer: Written,
    });
  const answer = await send();
  if (answer.ok || !answer.error.ambiguous || answer.error.kind === 'stopped') return answer;
  await github.pauseAfterLoss();
  const found = await find();
  if (!found.ok) return answer;
  return found.value === undefined ? send() : ok(found.value);
}

/** Replaces the text of one of our comments. */
export function editComment(github: GitHubClient, id: number, body: string) {
  return read(github, {
    operation: 'update the comment on the pull request',
    permission,
    route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { comment_id: id, body },
    answer: Written,
  });
}

/** Removes surplus comments. Ignores errors, because the next run removes the comments that remain. */
async function removeAll(github: GitHubClient, comments: readonly OwnComment[]): Promise<void> {
  for (const { id } of comments) {
    await github.ask({
      operation: 'remove a surplus comment',
      permission,
      route: 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
      parameters: { comment_id: id },
      answer: v.unknown(),
    });
  }
}

function statesOf(own: readonly OwnComment[]): string[] {
  return own
    .toSorted((a, b) => (isLater(a.marker, b.marker) ? -1 : 1))
    .flatMap(({ state }) => (state === undefined ? [] : [state]));
}

/** True if the comments are of the same head and attempt, and `a` shows a worse result. */
function isWorse(a: Pick<OwnComment, 'marker' | 'state'>, b: Pick<OwnComment, 'marker' | 'state'>): boolean {
  return (
    markerLine(a.marker) === markerLine(b.marker) && splitState(a.state).badness > splitState(b.state).badness
  );
}

/** True if a comment was deleted after it was listed. */
function isDeleted({ status }: GitHubError): boolean {
  return status === 404 || status === 410;
}

/** Names the permission to comment. The failed request may only have read something. */
function asRefusal(error: GitHubError): GitHubError {
  return { ...error, permission };
}
