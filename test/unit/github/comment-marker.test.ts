import { expect, test } from 'vitest';
import {
  hiddenLines,
  isLater,
  markerLine,
  ownComments,
  type PostedComment,
  readMarker,
  readState,
  saysTheSame,
} from '../../../src/github/comment-marker.ts';
import { ownReplies, replyLine } from '../../../src/github/reply.ts';
import { plain } from './conversation.ts';
import { SHA } from './samples.ts';

const CHECK = 'Security scan';
const MARKER = { checkName: CHECK, headSha: SHA.head, runId: 42, runAttempt: 1 };
const HOSTILE = 'x --> @everyone\n<img>';
const LINE = markerLine(MARKER);
const REPLY = replyLine(CHECK);
const STATE = "v1:a--b.c!d*'(e)~%F0%9F%98%80:00ff:00ff";
const APP = 'github-actions[bot]';

const posted = (id: number, body: string, login = APP, type?: string): PostedComment => ({
  id,
  url: `https://github.com/c/${id}`,
  body,
  author: { login, type },
});
const idsOf = (comments: readonly Pick<PostedComment, 'id'>[]) => comments.map(({ id }) => id);

const BODIES: readonly (readonly [what: string, body: string])[] = [
  ['our marker', LINE],
  ['our marker and text', `${LINE}\nbody`],
  ['our marker and text, with CR LF', `${LINE}\r\nbody`],
  ['large numbers', markerLine({ ...MARKER, runId: 123_456_789_012, runAttempt: 12 })],
  ['another check', markerLine({ ...MARKER, checkName: 'Other' })],
  ['our marker in the second line', `hello\n${LINE}`],
  ['our marker after a space', ` ${LINE}`],
  ['text after our marker', `${LINE} and more`],
  ['another version', LINE.replace('v1', 'v2')],
  ['a negative run', LINE.replace('run=42', 'run=-42')],
  ['a run too long for a number', LINE.replace('run=42', `run=${'9'.repeat(30)}`)],
  ['a short head', LINE.replace(SHA.head, SHA.head.slice(1))],
  ['a head that is too long', LINE.replace(SHA.head, `${SHA.head}aa`)],
  ['no attempt', LINE.replace(' attempt=1', '')],
  ['nothing', ''],
  ['our marker and a state', `${hiddenLines(MARKER, STATE)}\n## Blocked`],
  ['our marker and a state, with CR LF', `${hiddenLines(MARKER, STATE)}\n`.replaceAll('\n', '\r\n')],
  ['a state in the third line', `${LINE}\n\n<!-- scangate-state x -->`],
  ['a state in the first line', '<!-- scangate-state x -->'],
  ['a state after a space', `${LINE}\n <!-- scangate-state x -->`],
  ['text after the state', `${LINE}\n<!-- scangate-state x --> y`],
  ['a state of two words', `${LINE}\n<!-- scangate-state x y -->`],
  ['a state that is too long', `${LINE}\n<!-- scangate-state ${'x'.repeat(20_001)} -->`],
  ['a reply', `${REPLY}\nDone.`],
  ['a reply with CR LF', `${REPLY}\r\nDone.`],
  ['a reply for another check', `${replyLine('Other')}\nDone.`],
  ['a reply in the second line', `hello\n${REPLY}`],
  ['a reply after a space', ` ${REPLY}`],
  ['text after the marker of a reply', `${REPLY} and more`],
];

test('a comment is ours by its first line, and its state is in the second', async () => {
  const lines = BODIES.map(([what, body]) => {
    const marker = readMarker(body, CHECK);
    const shown = marker && `marker of run ${marker.runId}.${marker.runAttempt} for ${marker.headSha}`;
    const state = readState(body);
    const isReply = ownReplies([posted(1, body, APP, 'Bot')], CHECK, APP).length > 0;
    const found = [shown, state && `state ${state}`, isReply && 'reply'].filter(Boolean);
    return plain(`${what}: ${found.join(', ') || 'nothing of ours'}`);
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/comment-marker.txt');
});

test('the hidden lines show neither the name of the check nor an invalid state', () => {
  const line = markerLine({ ...MARKER, checkName: HOSTILE });
  expect(line).toMatch(/^<!-- [^\n<>]* -->$/);
  expect(line).not.toContain('everyone');
  expect(readMarker(line, HOSTILE)).toEqual({ ...MARKER, checkName: HOSTILE });
  for (const state of ['', 'two words', 'x-->', '<b>', 'line\nbreak', 'ümlaut', 'x'.repeat(20_001)])
    expect(hiddenLines(MARKER, state), state).toBe(LINE);
});

test.each([
  [true, 1, 43],
  [true, 2, 42],
  [false, 1, 42],
  [false, 9, 41],
])(
  'compared with attempt 1 of run 42, isLater returns %s for attempt %i of run %i',
  (later, runAttempt, runId) => {
    expect(isLater({ ...MARKER, runId, runAttempt }, MARKER)).toBe(later);
  },
);

const BODY = 'Blocked.\n\n[run](https://github.com/acme/shop/actions/runs/42/attempts/1)';
test.each([
  [true, 'the same text', BODY],
  [true, 'another run, and CR LF', `${BODY.replaceAll('\n', '\r\n').replace('42/attempts/1', '41')}\n`],
  [true, 'another attempt and job', BODY.replace('42/attempts/1', '7/attempts/12/job/345')],
  [false, 'no line breaks', BODY.replaceAll('\n', '')],
  [false, 'no link to the run', BODY.replace('/actions/runs/42/attempts/1', '')],
  [false, 'another text', BODY.replace('Blocked', 'Passed')],
  [false, 'more text', `${BODY}\nmore`],
])('saysTheSame returns %s for %s', (same, _what, text) => {
  expect(saysTheSame(`${LINE}\n${text}`, BODY)).toBe(same);
  expect(saysTheSame(`${hiddenLines(MARKER, 'v1:s')}\n${text}`, BODY.replaceAll('\n', '\r\n'))).toBe(same);
});

test('saysTheSame ignores only the state in the second line', () => {
  const quoted = `<!-- scangate-state x -->\n${BODY}`;
  expect(saysTheSame(`${hiddenLines(MARKER, 'v1:s')}\n${quoted}`, BODY)).toBe(false);
});

test.each([
  [true, APP, 'Bot', 'GitHub-Actions[bot]'],
  [true, 'My-App', 'Bot', 'my-app[bot]'],
  [true, 'MY-APP[bot]', 'Bot', 'my-app[bot]'],
  [true, 'dana', 'User', 'Dana'],
  [false, 'dana', 'User', 'danab'],
  [false, 'dana', 'Bot', 'other[bot]'],
  [false, 'my-app', 'User', 'my-app[bot]'],
  [false, 'my-app[bot]', 'User', 'my-app'],
  [false, APP, 'User', 'mallory'],
  [false, APP, 'User', 'github-actions'],
  [false, APP, 'User', APP],
  [false, APP, undefined, APP],
  [false, APP, 'Bot', 'other[bot]'],
])('it is %s that the token of %s wrote a comment of the %s %s', (own, owner, type, login) => {
  expect(ownComments([posted(1, LINE, login, type)], CHECK, owner)).toHaveLength(own ? 1 : 0);
  expect(ownReplies([posted(1, REPLY, login, type)], CHECK, owner)).toHaveLength(own ? 1 : 0);
});

test('our comments and replies are listed apart, the oldest first', () => {
  const bodies: Readonly<Record<number, string>> = { 9: LINE, 8: REPLY, 7: LINE, 5: LINE, 6: REPLY };
  const all = Object.entries(bodies).map(([id, body]) => posted(Number(id), body, APP, 'Bot'));
  const deleted = { ...posted(1, LINE), author: undefined };
  expect(idsOf(ownComments([deleted, ...all.toReversed()], CHECK, APP))).toEqual([5, 7, 9]);
  expect(idsOf(ownReplies([deleted, ...all.toReversed()], CHECK, APP))).toEqual([6, 8]);
  expect(ownComments([posted(7, hiddenLines(MARKER, 'v1:s'), APP, 'Bot')], CHECK, APP)).toEqual([
    {
      id: 7,
      url: 'https://github.com/c/7',
      body: hiddenLines(MARKER, 'v1:s'),
      marker: MARKER,
      state: 'v1:s',
    },
  ]);
});
