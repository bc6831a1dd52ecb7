import { hashOf, readState, withState } from './comment-marker.ts';
import { isBy, type PostedComment } from './own-comment.ts';

const MARKER = /^<!-- scangate-reply:v1 check=([0-9a-f]{16}) -->$/;

/**
 * Makes the hidden lines above a reply to commands. Replies and the gate's comment have different markers, so that they
 * are not confused.
 * @param state hidden text for later commands: visible ASCII without spaces or `>`; any other text is left out
 */
export function replyLines(checkName: string, state: string | undefined): string {
  return withState(`<!-- scangate-reply:v1 check=${hashOf(checkName)} -->`, state);
}

/** True if a comment begins with the marker of a reply for this check. */
export function isReply(comment: string, checkName: string): boolean {
  return MARKER.exec(comment.split(/\r?\n/, 1)[0] ?? '')?.[1] === hashOf(checkName);
}

/** One of our replies to commands. */
export interface OwnReply {
  readonly id: number;
  /** The state that earlier commands left for later ones. */
  readonly state: string | undefined;
}

/** Returns every reply for this check that we wrote. The oldest comes first. */
export function ownReplies(
  posted: readonly PostedComment[],
  checkName: string,
  author: string,
): readonly OwnReply[] {
  return posted
    .filter(({ author: writer, body }) => writer && isBy(writer, author) && isReply(body, checkName))
    .map(({ id, body }) => ({ id, state: readState(body) }))
    .sort((a, b) => a.id - b.id);
}
