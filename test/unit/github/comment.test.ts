import { describe, expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { type CommentContent, syncComment, type WantedComment } from '../../../src/github/comment.ts';
import { hiddenLines, readMarker, readState } from '../../../src/github/comment-marker.ts';
import { answered, SHA } from './client.ts';
import { addressOf, BOT, node, type Posted, pullRequestWith, type Situation } from './posted-comments.ts';
import { pullRequestAnswer, pullRequestNode } from './pull-request-answers.ts';
import { NEXT } from './readers/row.ts';

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

/** Runs `syncComment` on a pull request with these comments. */
async function synced(before: readonly Posted[], change: Partial<Wanted> = {}, situation: Situation = {}) {
  const pull = pullRequestWith(before, situation);
  const wanted = { ...WANTED, ...change };
  const result = await syncComment(pull.github, wanted, () => wanted);
  const { action, url } = result.ok ? result.value : { action: result.error.kind, url: undefined };
  const id = [...before, ...pull.posted].find((one) => addressOf(one.id) === url)?.id;
  return { ...pull, result, ended: id === undefined ? action : `${action} ${id}` };
}

/** Another run changes the comments before this run lists them. */
const meanwhile = (change: (posted: Posted[]) => void): Situation => ({ happens: { 'list 1': change } });
const appears = (id: number, change: Partial<Wanted>) => meanwhile((posted) => posted.push(ours(id, change)));
const overwrites = (change: Partial<Wanted>) =>
  meanwhile((posted) => posted.splice(0, 1, ours(9, { runId: 41, body: 'Late.', ...change })));
const failing = (happens: Situation['happens'] = {}): Situation => ({ happens });
const deleted = (status: number) => failing({ 'edit 1': status, 'post 1': (posted) => posted.pop() });
const RUN = 'See [run](https://github.com/acme/shop/actions/runs/';

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
async function described([what, ...row]: Row): Promise<string> {
  const { result, ended, steps, sleeps, posted } = await synced(...row);
  const error = result.ok ? '' : ` (${result.error.status}, ${result.error.permission})`;
  const waits = sleeps.map((ms) => `, waits ${ms} ms`).join('');
  return [`${what}:`, `${ended}${error}: ${steps()}${waits}`, ...posted.map(line)].join('\n  ');
}

test('syncComment writes the one comment of its check, and keeps what is later or worse', async () => {
  const lines = await Promise.all(ROWS.map(described));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/comment.txt');
});

describe.each([
  ['GraphQL', 'state', {}],
  ['REST', 'state list', { pull: { comments: { pageInfo: { hasNextPage: true }, nodes: [] } } }],
] as const)('syncComment recognizes our comment by %s', (api, reads, listed) => {
  test.each([
    ['a person who copied the marker', { login: 'mallory', type: 'User' }],
    ["a person with the bot's name", { login: 'github-actions[bot]', type: 'User' }],
    ["a person with the app's bare name", { login: 'github-actions', type: 'User' }],
    ['another app', { login: 'other[bot]', type: 'Bot' }],
    ['a deleted account', null],
  ])(`with ${api}, syncComment ignores a comment of %s`, async (_who, user) => {
    const { ended, steps } = await synced([ours(9, OLDER, user)], {}, listed);
    expect([ended, steps()]).toEqual(['created 101', `${reads} post list`]);
  });

  test.each([
    ['the workflow', BOT, undefined],
    ['the app that owns the token', { login: 'our-gate[bot]', type: 'Bot' }, 'our-gate[bot]'],
    ['the person who owns the token', { login: 'Octocat', type: 'User' }, 'octocat'],
  ])(`with ${api}, syncComment accepts the comment of %s`, async (_who, user, login = BOT.login) => {
    const before = [...(user === BOT ? [] : [ours(8, OLDER)]), ours(9, {}, user)];
    const { ended, steps } = await synced(before, {}, { ...listed, login });
    expect([ended, steps()]).toEqual(['unchanged 9', reads]);
  });

  test(`with ${api}, syncComment ignores a comment without a marker, or with the marker of another check`, async () => {
    const before = [{ id: 8, body: WANTED.body }, ours(9, { checkName: 'Other' })];
    expect((await synced(before, { mayCreate: false }, listed)).ended).toBe('none');
  });
});

const ERRORS = [{ message: 'Resource not accessible by integration' }];
const nodes = (...shown: unknown[]) => ({ comments: { pageInfo: { hasNextPage: false }, nodes: shown } });
test.each<[string, string, Situation]>([
  ['does not answer', 'state pull list', { happens: { 'state 1': 403 } }],
  [
    'shows no pull request',
    'state pull list',
    {
      login: 'octocat',
      shown: () => ({ data: { viewer: { login: 'octocat' }, repository: null }, errors: ERRORS }),
    },
  ],
  [
    'shows no owner of the token',
    'state list',
    { login: null, shown: (answer) => ({ ...answer, errors: ERRORS }) },
  ],
  [
    'shows the first of several pages',
    'state list',
    { pull: { comments: { pageInfo: { hasNextPage: true }, nodes: [] } } },
  ],
  ['shows no list of comments', 'state list', { pull: { comments: null } }],
  ['shows no list of nodes', 'state list', { pull: { comments: { pageInfo: { hasNextPage: false } } } }],
  ['shows a node that is null', 'state list', { pull: nodes(null) }],
  [
    'shows a comment without its id',
    'state list',
    { pull: nodes({ ...node(ours(9)), fullDatabaseId: null }) },
  ],
  [
    'shows an id that is too large for a number',
    'state list',
    { pull: nodes({ ...node(ours(9)), fullDatabaseId: '9007199254740993' }) },
  ],
  [
    'shows a comment without its author',
    'state list',
    { pull: nodes({ ...node(ours(9)), author: undefined }) },
  ],
  [
    'withholds the author with an error',
    'state list',
    {
      pull: nodes({ ...node(ours(9)), author: null }),
      shown: (answer) => ({ ...answer, errors: [{ type: 'FORBIDDEN' }] }),
    },
  ],
  [
    'shows the owner of the token, but not all comments',
    'state list',
    { login: 'octocat', pull: nodes(null) },
  ],
])('syncComment reads by REST only what is missing if GraphQL %s', async (_what, steps, situation) => {
  const isPerson = situation.login === 'octocat';
  const before = [
    ...(isPerson ? [ours(8, OLDER)] : []),
    ours(9, {}, isPerson ? { login: 'octocat', type: 'User' } : BOT),
  ];
  const end = await synced(before, {}, situation);
  expect([end.ended, end.steps()]).toEqual(['unchanged 9', steps]);
});

test('syncComment writes the marker, then the state in a hidden line, then the text', async () => {
  const { posted } = await synced([], { state: 'v1:scan%20one:key:mac' });
  const [marker, ...rest] = (posted[0]?.body ?? '').split('\n');
  expect(readMarker(marker ?? '', WANTED.checkName)).toMatchObject({ headSha: SHA.head, runId: 42 });
  expect(rest).toEqual(['<!-- scangate-state v1:scan%20one:key:mac -->', 'Blocked.']);
});

test('syncComment does not read the pull request if the caller passes its state', async () => {
  const { github, steps } = pullRequestWith([ours(9)]);
  const known = {
    viewer: BOT.login,
    isOpen: true,
    updatedAt: new Date(),
    headSha: SHA.head,
    headTree: undefined,
    baseName: 'main',
    baseTip: undefined,
    comments: [{ ...ours(9), url: addressOf(9), author: BOT }],
  };
  const sync = (state: typeof known) =>
    syncComment(
      github,
      WANTED,
      () => WANTED,
      async () => ok(state),
    );
  expect(await sync(known)).toMatchObject({ value: { action: 'unchanged' } });
  expect(await sync({ ...known, headSha: SHA.other })).toMatchObject({ value: { action: 'other-head' } });
  expect(steps()).toBe('');
});

test('syncComment finds the comment on the last page of comments', async () => {
  const chatter = { id: 1, body: 'hello', user: { login: 'octocat', type: 'User' } };
  const onlyInRest = pullRequestNode({ comments: { pageInfo: { hasNextPage: true }, nodes: [] } });
  const { github, asked } = answered(
    [200, pullRequestAnswer(onlyInRest)],
    [200, [chatter], NEXT],
    [200, [], NEXT],
    [200, [{ ...ours(9), html_url: addressOf(9) }]],
  );
  expect(await syncComment(github, WANTED, () => WANTED)).toMatchObject({
    value: { action: 'unchanged', url: addressOf(9) },
  });
  const COMMENTS = 'GET /repos/acme/shop/issues/5/comments?per_page=100&page=';
  expect(asked).toEqual(['POST /graphql', ...[1, 2, 3].map((page) => COMMENTS + page)]);
});
