import { hashOf, readState, withState } from './comment-marker.ts';
import { isBy, type PostedComment } from './own-comment.ts';

const MARKER = /^<!-- scangate-reply:v1 check=([0-9a-f]{16}) -->$/;

/**
 * The hidden lines above a reply to commands. Another marker than that of the gate's comment: neither is taken for the
 * other.
 * @param state one word for the commands that come later; one that would not read back is left out
 */
export function replyLines(checkName: string, state: string | undefined): string {
  return withState(`<!-- scangate-reply:v1 check=${hashOf(checkName)} -->`, state);
}

/** Does a comment begin with the marker of the replies for this check? */
export function isReply(comment: string, checkName: string): boolean {
  return MARKER.exec(comment.split(/\r?\n/, 1)[0] ?? '')?.[1] === hashOf(checkName);
}

/** A reply of ours to commands. */
export interface OwnReply {
  readonly id: number;
  /** What earlier commands left for later ones. */
  readonly state: string | undefined;
}

/** Every reply for this check that was written by us, the oldest first. */
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
