import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { type CommentContent, syncComment, type WantedComment } from '../../../src/github/comment.ts';
import { hiddenLines, readMarker, readState } from '../../../src/github/comment-marker.ts';
import { addressOf, BOT, type Posted, pullRequestWith, type Situation } from './posted-comments.ts';
import { pullRequestState, SHA } from './samples.ts';

type Wanted = WantedComment & CommentContent;
const WANTED: Wanted = {
  pullRequest: 5,
  headSha: SHA.head,
  checkName: 'Security scan',
  runId: 42,
  runAttempt: 1,
  state: '',
  body: 'Blocked.',
  mayCreate: true,
};
const OLDER = { runId: 41, headSha: SHA.other, body: 'Passed.' };
const PASSED = { state: 'v2:x;0;/', body: 'Passed.' };
const BLOCKED = { state: 'v2:x;4;/', body: 'Blocked.' };

/** Our comment with this id. The changes are to `WANTED`. */
function ours(id: number, change: Partial<Wanted> = {}, user: Posted['user'] = BOT): Posted {
  const written = { ...WANTED, ...change };
  return { id, body: `${hiddenLines(written, written.state)}\n${written.body}`, user };
}

/** A comment in one line: its id, and if it has our marker, its run and its state. Then its text. */
function line({ id, body }: Posted): string {
  const marker = readMarker(body, WANTED.checkName);
  const hidden = marker === undefined ? [] : [`${marker.runId}.${marker.runAttempt}`, readState(body) ?? '-'];
  return [id, ...hidden, body.split('\n').at(-1)].join(' ');
}

/** Another run changes the comments before this run lists them. */
const meanwhile = (change: (posted: Posted[]) => void): Situation => ({ happens: { 'list 1': change } });
const appears = (id: number, change: Partial<Wanted>) => meanwhile((posted) => posted.push(ours(id, change)));
const overwrites = (change: Partial<Wanted>) =>
  meanwhile((posted) => posted.splice(0, 1, ours(9, { runId: 41, body: 'Late.', ...change })));
const failing = (happens: Situation['happens'] = {}): Situation => ({ happens });
const deleted = (status: number) => failing({ 'edit 1': status, 'post 1': (posted) => posted.pop() });
const RUN = 'See [run](https://github.com/acme/shop/actions/runs/';
const PAGES: Situation = { pull: { comments: { pageInfo: { hasNextPage: true }, nodes: [] } } };
const PERSON = { login: 'octocat', type: 'User' };

type Row = readonly [
  what: string,
  before: readonly Posted[],
  wanted?: Partial<Wanted>,
  situation?: Situation,
];
const ROWS: readonly Row[] = [
  ['no comment', []],
  ['no comment, and a state to write', [], { state: 'v1:new' }],
  ['no comment, and none may be created', [], { mayCreate: false }],
  ['an older comment', [ours(9, OLDER)]],
  ['an older comment, and none may be created', [ours(9, OLDER)], { mayCreate: false }],
  ['an older comment with a state', [ours(9, { ...OLDER, state: 'v1:old' })], { state: 'v1:new' }],
  ['the same text with another state', [ours(9, { ...OLDER, body: 'Blocked.', state: 'a' })], { state: 'b' }],
  ['the same text with another run', [ours(9, { ...OLDER, body: `${RUN}41).` })], { body: `${RUN}42).` }],
  [
    'several of our comments',
    [ours(12, OLDER), ours(9, OLDER), ours(11, { checkName: 'Other', body: 'Other check.' })],
  ],
  ['an id that exceeds 32 bits', [ours(5_000_000_001, OLDER)]],

  ['comments on several pages', [ours(9)], {}, PAGES],
  ['comments that GraphQL does not show', [ours(9)], {}, { pull: { comments: null } }],
  ['a pull request that GraphQL does not show', [ours(9)], {}, failing({ 'state 1': 403 })],
  ['a comment of another account', [ours(9, {}, PERSON)]],
  ['a comment of another account, on several pages', [ours(9, {}, PERSON)], {}, PAGES],
  ['the owner of the token is a person', [ours(8), ours(9, {}, PERSON)], {}, { login: 'Octocat' }],
  [
    'the owner of the token is a person, and several pages',
    [ours(8), ours(9, {}, PERSON)],
    {},
    { ...PAGES, login: 'Octocat' },
  ],

  ['another head', [ours(9)], {}, { pull: { headRefOid: SHA.other } }],
  ['a comment of a later run for this head', [ours(9, { runId: 43, body: 'Newer.' })]],
  ['a comment of a later attempt for this head', [ours(9, { runAttempt: 2, body: 'Newer.' })]],
  ['a comment of a later run for another head', [ours(9, { runId: 50, headSha: SHA.other })], { body: 'B.' }],
  ['an older run creates one too', [], {}, appears(9, { runId: 41 })],
  ['a newer run creates one too', [], {}, appears(9, { runId: 43 })],
  ['an older run writes later', [ours(9, OLDER)], {}, overwrites({})],
  [
    'an older run with a state writes later',
    [ours(9, { ...OLDER, state: 'v1:old' })],
    { state: 'v1:new' },
    overwrites({ state: 'v1:old' }),
  ],

  ['a worse result of another job', [ours(9, BLOCKED)], PASSED],
  ['a better result of another job', [ours(9, PASSED)], BLOCKED],
  ['a result of another job that is as bad', [ours(9, { ...BLOCKED, body: 'Blocked by others.' })], BLOCKED],
  ['a worse result of an earlier attempt', [ours(9, BLOCKED)], { ...PASSED, runAttempt: 2 }],
  ['a worse result of an earlier run', [ours(9, { ...BLOCKED, runId: 41 })], PASSED],
  ['a worse result for another head', [ours(9, { ...BLOCKED, headSha: SHA.other })], PASSED],
  ['a result that the comment does not record', [ours(9, { body: 'Unknown.' })], PASSED],
  ['another job creates a better one too', [], BLOCKED, appears(9, PASSED)],
  ['another job creates a worse one too', [], PASSED, appears(9, BLOCKED)],
  ['another job creates a worse one later', [], PASSED, appears(200, BLOCKED)],

  ['403 for the comment', [], {}, failing({ 'post 1': 403 })],
  ['404 for the comment', [], {}, failing({ 'post 1': 404 })],
  ['403 for the pull request', [], {}, failing({ 'state 1': 403, 'pull 1': 403 })],
  ['404 for the edit', [ours(9, { ...OLDER, state: 'old' })], {}, deleted(404)],
  ['410 for the edit', [ours(9, { ...OLDER, state: 'old' })], {}, deleted(410)],
  ['404 for the edit and the comment', [ours(9, OLDER)], {}, failing({ 'edit 1': 404, 'post 1': 404 })],
  [
    '404 for the edit, and none may be created',
    [ours(9, OLDER)],
    { mayCreate: false },
    failing({ 'edit 1': 404 }),
  ],
  [
    'an older run has just deleted its comment',
    [],
    {},
    failing({ 'list 1': (posted) => posted.unshift(ours(8, OLDER)), 'edit 1': 404 }),
  ],
  ['a lost answer', [], {}, { happens: { 'post 1': 502 }, done: ['post 1'] }],
  ['a lost request', [], {}, failing({ 'post 1': 502 })],
  ['404 for a surplus comment', [ours(9), ours(12)], {}, failing({ 'delete 1': 404 })],
];

/** Says what `syncComment` returns, which requests it sends, how long it waits, and which comments there are then. */
async function described([what, before, change = {}, situation]: Row): Promise<string> {
  const pull = pullRequestWith(before, situation);
  const wanted = { ...WANTED, ...change };
  const result = await syncComment(pull.github, wanted, () => wanted);
  const url = result.ok ? result.value.url : undefined;
  const id = [...before, ...pull.posted].find((one) => addressOf(one.id) === url)?.id;
  const { kind, status, permission } = result.ok ? {} : result.error;
  const end = result.ok ? result.value.action : `${kind} (${status}, ${permission})`;
  const ended = id === undefined ? end : `${end} ${id}`;
  return [`${what}:`, `${ended}: ${pull.steps()}`, ...pull.posted.map(line)].join('\n  ');
}

test('syncComment writes the one comment of its check, and keeps what is later or worse', async () => {
  const lines = await Promise.all(ROWS.map(described));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/comment.txt');
});

test('syncComment does not read the pull request if the caller passes its state', async () => {
  const { github, steps } = pullRequestWith([ours(9)]);
  const comments = [{ ...ours(9), url: addressOf(9), author: BOT }];
  const sync = (change: { headSha?: string }) =>
    syncComment(
      github,
      WANTED,
      () => WANTED,
      async () => ok(pullRequestState({ comments, ...change })),
    );
  expect(await sync({})).toMatchObject({ value: { action: 'unchanged' } });
  expect(await sync({ headSha: SHA.other })).toMatchObject({ value: { action: 'other-head' } });
  expect(steps()).toBe('');
});
