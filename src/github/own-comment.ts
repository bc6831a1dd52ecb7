import { type CommentMarker, isMarked, readMarker, readState } from './comment-marker.ts';

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

/** Returns the states of all marked comments, of any check and by any author. */
export function statesOfAllChecks(posted: readonly PostedComment[]): readonly string[] {
  return posted.flatMap(({ body }) => (isMarked(body) ? (readState(body) ?? []) : []));
}

/** True if this author wrote the comment. An app writes as `name[bot]` of type Bot; no person can have such a login. */
export function isBy(writer: NonNullable<PostedComment['author']>, author: string): boolean {
  const login = writer.login.toLowerCase();
  const wanted = author.toLowerCase();
  if (wanted.endsWith('[bot]')) return login === wanted && writer.type === 'Bot';
  return login === wanted || (login === `${wanted}[bot]` && writer.type === 'Bot');
}
