import { describe, expect, test } from 'vitest';
import {
  markerLine,
  ownComments,
  type PostedComment,
  readMarker,
  readState,
} from '../../../src/github/comment-marker.ts';
import { isReply, ownReplies, readCurrentComment, replyLines, syncReply } from '../../../src/github/reply.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answered, SHA } from './client.ts';
import { type Happens, type Posted, pullRequestWith } from './posted-comments.ts';

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
    expect(readMarker(LINES, 'Security scan')).toBeUndefined();
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

/** A reply of the action. Its hidden state and its text contain these names. */
function reply(id: number, ...names: readonly string[]): Posted {
  return { id, body: `${replyLines('Security scan', names.join(','))}\nDone: ${names.join(' ')}` };
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
  ['a reply', [reply(7, 'a')]],
  ['a reply of another account', [{ ...reply(7, 'a'), user: { login: 'other[bot]', type: 'Bot' } }]],
  ['a reply that is up to date', [reply(7, 'a', 'new')]],
  ['several replies', [reply(9, 'b'), reply(7, 'a')]],
  ['several replies, of which a newer one is up to date', [reply(7, 'a'), reply(9, 'a', 'new')]],
  ['another run posts a reply too', [], { 'list 1': (posted) => posted.unshift(reply(50, 'other')) }],
  [
    'another run overwrites the reply',
    [reply(7, 'a')],
    { 'list 1': (posted) => posted.splice(0, 1, reply(7, 'a', 'other')) },
  ],
  ['a user removes the reply during the edit', [reply(7, 'a')], { 'list 1': (posted) => posted.splice(0) }],
  ['403 for the edit', [reply(7, 'a')], { 'edit 1': 403 }],
  ['403 for the pull request and the comments', [reply(7, 'a')], { ...HIDDEN, 'list 1': 403 }],
  ['an unknown login', [], { ...HIDDEN, 'list 1': asOtherApp, 'list 2': asOtherApp }],
  ['a lost answer', [], { 'post 1': 502 }, ['post 1']],
  ['a lost request', [], { 'post 1': 502 }],
  ['a lost request, and 403 for the list', [], { 'post 1': 502, 'list 1': 403 }],
  ['three lost requests', [], { 'post 1': 502, 'post 2': 502, 'post 3': 502 }],
  ['403 for the reply', [], { 'post 1': 403 }],
  ['403 for the edit and the reply', [reply(7, 'a')], { 'edit 1': 403, 'post 1': 403 }],
  ['403 for the list after the edit', [reply(7, 'a')], { 'list 1': 403 }],
];

/** Adds the name `new` to the reply. Says whether that succeeds, the requests, and the comments there are then. */
async function described(
  [what, before, happens = {}, done = []]: Row,
  signal = NEVER_ABORTED,
): Promise<string> {
  const pull = pullRequestWith(before, { happens, done });
  const contentFor = (states: readonly string[]) => {
    const names = [...new Set([...states.flatMap((state) => state.split(',')), 'new'])].toSorted();
    return { state: names.join(','), body: `Done: ${names.join(' ')}` };
  };
  const wanted = { pullRequest: 5, checkName: 'Security scan', contentFor };
  const result = await syncReply(pull.github, wanted, signal);
  const waits = pull.sleeps.map((ms) => `, waits ${ms} ms`).join('');
  const texts = pull.posted.map(
    ({ id, body }) => `${id} ${readState(body) ?? '-'} ${body.split('\n').at(-1)}`,
  );
  return [`${what}:`, `${result.ok ? 'done' : result.error.kind}: ${pull.steps()}${waits}`, ...texts].join(
    '\n  ',
  );
}

describe('syncReply', () => {
  test('syncReply merges everything into one reply, and posts it again only if it is surely missing', async () => {
    const lines = await Promise.all(ROWS.map((row) => described(row)));
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/reply.txt');
  });

  test('syncReply posts no second reply if the run is stopped', async () => {
    const stop = new AbortController();
    const stopped = { 'post 1': () => stop.abort() };
    expect(await described(['a stopped run', [], stopped], stop.signal)).toContain('\n  stopped: state post');
  });
});

const read = async (status: number, body: unknown) => {
  const { github, asked } = answered([status, body]);
  const result = await readCurrentComment(github, 5_000_000_001, NEVER_ABORTED);
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
