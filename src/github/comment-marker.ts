import { createHash } from 'node:crypto';
import { isCommitId } from '../domain/target.ts';

/** The hidden first line of our comment. It says which check the comment belongs to, and which run wrote it. */
export interface CommentMarker {
  readonly checkName: string;
  readonly headSha: string;
  readonly runId: number;
  readonly runAttempt: number;
}

/** The state is visible ASCII without spaces or `>`. So no state can end the HTML comment that hides it. */
const STATE = /^<!-- scangate-state ([!-=?-~]{1,20000}) -->$/;
const MARKER =
  /^<!-- scangate:v1 check=([0-9a-f]{16}) head=([0-9a-f]{40,64}) run=(\d{1,15}) attempt=(\d{1,15}) -->$/;

/**
 * Makes the marker, a hidden line in an HTML comment. The marker contains a hash of the check's name, because that name
 * may contain any text.
 */
export function markerLine({ checkName, headSha, runId, runAttempt }: CommentMarker): string {
  return `<!-- scangate:v1 check=${hashOf(checkName)} head=${headSha} run=${runId} attempt=${runAttempt} -->`;
}

/** Reads the marker in the first line of a comment. Undefined if it is missing or belongs to another check. */
export function readMarker(comment: string, checkName: string): CommentMarker | undefined {
  const [line = ''] = comment.split(/\r?\n/, 1);
  const [, hash, headSha = '', runId, runAttempt] = MARKER.exec(line) ?? [];
  if (hash !== hashOf(checkName) || !isCommitId(headSha)) return undefined;
  return { checkName, headSha, runId: Number(runId), runAttempt: Number(runAttempt) };
}

/**
 * Makes the hidden lines above the text of our comment.
 * @param state hidden text for later runs: visible ASCII without spaces or `>`; any other text is left out
 */
export function hiddenLines(marker: CommentMarker, state: string): string {
  const line = `<!-- scangate-state ${state} -->`;
  return STATE.test(line) ? `${markerLine(marker)}\n${line}` : markerLine(marker);
}

/**
 * Reads the state in the second line. The state is not proven: every user who may edit the comment can have changed it.
 */
export function readState(comment: string): string | undefined {
  const [, line = ''] = comment.split(/\r?\n/, 2);
  return STATE.exec(line)?.[1];
}

/** True if the run of `a` is later than the run of `b`. If both are the same run, compares the attempts. */
export function isLater(a: CommentMarker, b: CommentMarker): boolean {
  return a.runId === b.runId ? a.runAttempt > b.runAttempt : a.runId > b.runId;
}

/**
 * True if the comment already shows this text. Ignores the hidden lines of the comment. Links to different workflow
 * runs count as equal.
 */
export function saysTheSame(comment: string, body: string): boolean {
  return essence(shownText(comment)) === essence(body);
}

/** The text of a comment below its hidden lines. */
function shownText(comment: string): string {
  const lines = comment.split(/\r?\n/);
  return lines.slice(readState(comment) === undefined ? 1 : 2).join('\n');
}

function essence(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/\/actions\/runs\/\d+(?:\/(?:attempts|job)\/\d+)*/g, '/actions/runs/')
    .trim();
}

/** Hashes the name of a check for the marker. */
export function hashOf(checkName: string): string {
  return createHash('sha256').update(checkName).digest('hex').slice(0, 16);
}

/** A comment on the pull request. */
export interface PostedComment {
  readonly id: number;
  readonly url: string | undefined;
  readonly body: string;
  /** The author as in the REST API: an app is `name[bot]` of type Bot. Undefined if the account was deleted. */
  readonly author: { readonly login: string; readonly type: string | undefined } | undefined;
}

/** A comment with the marker of one check. */
export interface OwnComment {
  readonly id: number;
  readonly url: string | undefined;
  readonly body: string;
  readonly marker: CommentMarker;
  /** The hidden text that an earlier run wrote for later runs. */
  readonly state: string | undefined;
}

/** Returns the comments that have this check's marker **and** that we wrote, the oldest first. */
export function ownComments(
  posted: readonly PostedComment[],
  checkName: string,
  author: string,
): readonly OwnComment[] {
  return markedComments(
    posted.filter(({ author: writer }) => writer !== undefined && isBy(writer, author)),
    checkName,
  );
}

/**
 * Returns the comments that have this check's marker, the oldest first. Any user can have copied the marker into a
 * comment.
 */
export function markedComments(posted: readonly PostedComment[], checkName: string): readonly OwnComment[] {
  return posted
    .flatMap(({ id, url, body }) => {
      const marker = readMarker(body, checkName);
      return marker === undefined ? [] : [{ id, url, body, marker, state: readState(body) }];
    })
    .sort((a, b) => a.id - b.id);
}

/** True if this author wrote the comment. An app writes as `name[bot]` of type Bot; no person can have such a login. */
export function isBy(writer: NonNullable<PostedComment['author']>, author: string): boolean {
  const login = writer.login.toLowerCase();
  const wanted = author.toLowerCase();
  if (wanted.endsWith('[bot]')) return login === wanted && writer.type === 'Bot';
  return login === wanted || (login === `${wanted}[bot]` && writer.type === 'Bot');
}
