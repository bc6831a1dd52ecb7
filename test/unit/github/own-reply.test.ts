import { describe, expect, test } from 'vitest';
import { isMarked, markerLine, readMarker, readState } from '../../../src/github/comment-marker.ts';
import { ownComments, type PostedComment } from '../../../src/github/own-comment.ts';
import { isReply, ownReplies, replyLines } from '../../../src/github/own-reply.ts';
import { SHA } from './client.ts';

const MARKER = { checkName: 'Security scan', headSha: SHA.head, runId: 42, runAttempt: 1 };
const APP = 'github-actions[bot]';

function posted(id: number, change: Partial<PostedComment> = {}): PostedComment {
  const body = `${markerLine(MARKER)}\nBlocked.`;
  return { id, url: undefined, body, author: { login: APP, type: 'Bot' }, ...change };
}

describe('replyLines and isReply', () => {
  const LINES = replyLines('Security scan', 'r1:x:y');

  test('replyLines writes two lines that can be read back', () => {
    expect(LINES).toMatch(/^<!-- [^\n>]* -->\n<!-- [^\n>]* -->$/);
    expect(isReply(`${LINES}\nbody`, 'Security scan')).toBe(true);
    expect(isReply(`${LINES.replace('\n', '\r\n')}\r\nbody`, 'Security scan')).toBe(true);
    expect(readState(`${LINES}\nbody`)).toBe('r1:x:y');
  });

  test.each([
    ['a missing state', undefined],
    ['an empty state', ''],
    ['a state with a space', 'a b'],
    ['a state with `>`', 'a>b'],
    ['a state that is too long', 'x'.repeat(20_001)],
  ])('replyLines writes no state for %s', (_what, state) => {
    expect(replyLines('Security scan', state)).toBe(LINES.split('\n')[0]);
  });

  test("the marker of a reply differs from the marker of the gate's comment", () => {
    expect([isMarked(LINES), readMarker(LINES, 'Security scan')]).toEqual([false, undefined]);
    expect(isReply(markerLine(MARKER), 'Security scan')).toBe(false);
  });

  test.each([
    ['of another check', LINES, 'Other'],
    ['outside the first line', `hello\n${LINES}`, 'Security scan'],
    ['after a space', ` ${LINES}`, 'Security scan'],
    ['with more text after it', LINES.replace(' -->', ' --> and more'), 'Security scan'],
    ['that is missing', '', 'Security scan'],
  ])('isReply rejects a marker %s', (_what, text, checkName) => {
    expect(isReply(text, checkName)).toBe(false);
  });
});

describe('ownReplies', () => {
  const body = `${replyLines('Security scan', 'r1:x')}\nDone.`;
  const idsOfReplies = (comments: readonly PostedComment[]) =>
    ownReplies(comments, 'Security scan', APP).map(({ id }) => id);

  test('ownReplies returns our replies with their states, the oldest first', () => {
    expect(ownReplies([posted(9, { body }), posted(7, { body })], 'Security scan', APP)).toEqual([
      { id: 7, state: 'r1:x' },
      { id: 9, state: 'r1:x' },
    ]);
  });

  test('ownReplies ignores the comment of the gate, and replies by other accounts', () => {
    const others = [{ login: 'mallory', type: 'User' }, { login: 'other[bot]', type: 'Bot' }, undefined];
    expect(
      idsOfReplies([posted(1), ...others.map((author, id) => posted(id + 2, { body, author }))]),
    ).toEqual([]);
    expect(ownComments([posted(1, { body })], 'Security scan', APP)).toEqual([]);
  });
});
