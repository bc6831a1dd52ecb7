import { describe, expect, test } from 'vitest';
import {
  markerLine,
  ownComments,
  type PostedComment,
  readMarker,
} from '../../../src/github/comment-marker.ts';
import { ownReplies, readCurrentComment, replyLine, syncReply } from '../../../src/github/reply.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answered, SHA } from './client.ts';
import { type Happens, type Posted, pullRequestWith } from './posted-comments.ts';

const MARKER = { checkName: 'Security scan', headSha: SHA.head, runId: 42, runAttempt: 1 };
const APP = 'github-actions[bot]';

function posted(id: number, change: Partial<PostedComment> = {}): PostedComment {
  const body = `${markerLine(MARKER)}\nBlocked.`;
  return { id, url: undefined, body, author: { login: APP, type: 'Bot' }, ...change };
}

const LINE = replyLine('Security scan');

describe('ownReplies', () => {
  const body = `${LINE}\nDone.`;
  const idsOfReplies = (comments: readonly PostedComment[]) =>
    ownReplies(comments, 'Security scan', APP).map(({ id }) => id);

  test('ownReplies returns our replies, the oldest first', () => {
    const replies = [posted(9, { body }), posted(7, { body }), posted(8, { body: `${LINE}\r\nDone.` })];
    expect(idsOfReplies(replies)).toEqual([7, 8, 9]);
  });

  test.each([
    ['another check', `${replyLine('Other')}\nDone.`],
    ['a marker outside the first line', `hello\n${body}`],
    ['a marker after a space', ` ${body}`],
    ['more text after the marker', body.replace(' -->', ' --> and more')],
    ['no marker', ''],
  ])('ownReplies ignores a comment with %s', (_what, text) => {
    expect(idsOfReplies([posted(7, { body: text })])).toEqual([]);
  });

  test('ownReplies ignores the comment of the gate, and replies by other accounts', () => {
    const others = [{ login: 'mallory', type: 'User' }, { login: 'other[bot]', type: 'Bot' }, undefined];
    expect(
      idsOfReplies([posted(1), ...others.map((author, id) => posted(id + 2, { body, author }))]),
    ).toEqual([]);
    expect(ownComments([posted(1, { body })], 'Security scan', APP)).toEqual([]);
    expect(readMarker(body, 'Security scan')).toBeUndefined();
  });
});

/** A reply of the action to an earlier command. */
function reply(id: number, text = 'Earlier.'): Posted {
  return { id, body: `${LINE}\n${text}` };
}

/** Makes another app the author of the posted replies. The token then seems to belong to that app. */
function asOtherApp(posted: Posted[]): void {
  const user = { login: 'gate-app[bot]', type: 'Bot' };
  posted.splice(0, posted.length, ...posted.map((one) => ({ ...one, user })));
}

const HIDDEN = { 'state 1': 403, 'pull 1': 403, 'state 2': 403, 'pull 2': 403 } as const;

type Row = readonly [what: string, before: readonly Posted[], happens?: Happens, done?: readonly string[]];
const ROWS: readonly Row[] = [
  ['no reply', []],
  ['a reply', [reply(7)]],
  ['a reply of another account', [{ ...reply(7), user: { login: 'other[bot]', type: 'Bot' } }]],
  ['several replies', [reply(9), reply(7)]],
  ['another run posts a reply too', [], { 'post 1': (posted) => posted.unshift(reply(50, 'Other.')) }],
  ['a user removes the reply during the edit', [reply(7)], { 'edit 1': 404 }],
  ['403 for the edit', [reply(7)], { 'edit 1': 403 }],
  ['a lost answer to the edit', [reply(7)], { 'edit 1': 502, 'edit 2': 502, 'edit 3': 502 }, ['edit 3']],
  ['a lost edit', [reply(7)], { 'edit 1': 502, 'edit 2': 502, 'edit 3': 502 }],
  ['403 for the edit, and a lost request', [reply(7)], { 'edit 1': 403, 'post 1': 502 }],
  ['403 for the pull request', [reply(7)], HIDDEN],
  ['an unknown login', [], { ...HIDDEN, 'list 1': asOtherApp }],
  ['a lost answer', [], { 'post 1': 502 }, ['post 1']],
  ['a lost request', [], { 'post 1': 502 }],
  ['a lost request, and 403 for the list', [], { 'post 1': 502, 'list 1': 403 }],
  ['two lost requests', [], { 'post 1': 502, 'post 2': 502 }],
  ['403 for the reply', [], { 'post 1': 403 }],
  ['403 for the edit and the reply', [reply(7)], { 'edit 1': 403, 'post 1': 403 }],
];

/** Writes the reply `Done.` Says whether that succeeds, the requests, and the comments there are then. */
async function described(
  [what, before, happens = {}, done = []]: Row,
  signal = NEVER_ABORTED,
): Promise<string> {
  const pull = pullRequestWith(before, { happens, done });
  const result = await syncReply(pull.github.until(signal), 5, 'Security scan', 'Done.');
  const waits = pull.sleeps.map((ms) => `, waits ${ms} ms`).join('');
  const texts = pull.posted.map(({ id, body }) => `${id} ${body.split('\n').at(-1)}`);
  return [`${what}:`, `${result.ok ? 'done' : result.error.kind}: ${pull.steps()}${waits}`, ...texts].join(
    '\n  ',
  );
}

describe('syncReply', () => {
  test('syncReply updates the newest reply, and posts a new one only if it is surely missing', async () => {
    const lines = await Promise.all(ROWS.map((row) => described(row)));
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/reply.txt');
  });

  test.each([
    ['the new reply', [], 'post'],
    ['the edit', [reply(7)], 'edit'],
  ] as const)(
    'syncReply posts no other reply if the run is stopped during %s',
    async (_what, before, step) => {
      const stop = new AbortController();
      const stopped = { [`${step} 1`]: () => stop.abort() };
      expect(await described(['a stopped run', before, stopped], stop.signal)).toContain(
        `\n  stopped: state ${step}`,
      );
    },
  );
});

const read = async (status: number, body: unknown) => {
  const { github, asked } = answered([status, body]);
  const result = await readCurrentComment(github, 5_000_000_001);
  expect(asked).toEqual(['GET /repos/acme/shop/issues/comments/5000000001']);
  return result;
};

describe('a comment as it is now', () => {
  test.each<[what: string, status: number, shown: object, value: object | undefined]>([
    [
      'its text and its author',
      200,
      { body: 'a\r\nb', user: { id: 3, login: 'ada' } },
      { body: 'a\r\nb', authorId: 3 },
    ],
    ['no known author', 200, { body: 'a', user: null }, { body: 'a', authorId: undefined }],
    ['no text', 200, { body: null, user: { id: 3 } }, { body: '', authorId: 3 }],
    ['status 404', 404, { message: 'Not Found' }, undefined],
  ])('readCurrentComment reads a comment with %s', async (_what, status, shown, value) => {
    expect(await read(status, shown)).toEqual({ ok: true, value });
  });

  test.each([
    [403, { message: 'No' }],
    [410, { message: 'No' }],
    [200, {}],
    [200, { body: 'a' }],
    [200, { body: 7, user: null }],
  ])('readCurrentComment returns an error for the status %i with the body %j', async (status, shown) => {
    expect((await read(status, shown)).ok).toBe(false);
  });
});
