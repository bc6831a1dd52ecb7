import { afterEach, describe, expect, test } from 'vitest';
import { encodeResult } from '../../../src/domain/comment-state.ts';
import { ok } from '../../../src/domain/result.ts';
import { syncComment, type WantedComment } from '../../../src/github/comment.ts';
import { hiddenLines, markerLine } from '../../../src/github/comment-marker.ts';
import { PAUSE_AFTER_LOSS_MS } from '../../../src/github/errors.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';
import { pullRequestByRest, pullRequestNode } from './pull-request-answers.ts';

const WANTED: WantedComment = {
  pullRequest: 5,
  headSha: SHA.head,
  checkName: 'Security scan',
  runId: 42,
  runAttempt: 1,
  state: undefined,
  body: 'Blocked: one finding.',
  mayCreate: true,
};
const BOT = { login: 'github-actions[bot]', type: 'Bot' };
const COMMENTS = '/repos/acme/shop/issues/5/comments';
const page = (number = 1) => `${COMMENTS}?per_page=100&page=${number}`;
const one = (id: number) => `/repos/acme/shop/issues/comments/${id}`;
const url = (id: number) => `https://github.com/acme/shop/pull/5#issuecomment-${id}`;

afterEach(expectNoAnswerLeft);

/** GraphQL's answer about the pull request. The given comments must have GraphQL's form. */
function shown(comments: readonly unknown[], head: string = SHA.head, hasNextPage = false) {
  return {
    pullRequest: pullRequestNode({
      headRefOid: head,
      comments: { pageInfo: { hasNextPage }, nodes: comments },
    }),
  };
}

function answered(data: unknown, errors?: unknown) {
  return github().post('/graphql').reply(200, { data, errors });
}

function situation(
  comments: readonly Comment[] = [],
  { login = BOT.login, head }: { login?: string; head?: string } = {},
) {
  return answered({ viewer: { login }, repository: shown(comments.map(node), head) });
}

/** A comment as GraphQL shows it. GraphQL names an app without the suffix `[bot]`. */
function node({ id, html_url, user, body }: Comment) {
  const author = user === null ? null : { __typename: user.type, login: user.login.replace(/\[bot\]$/, '') };
  return { fullDatabaseId: String(id), url: html_url, body, author };
}

/** Makes GraphQL answer that there are more comments than it lists. The action then reads the comments from REST. */
function onlyInRest(login: string = BOT.login) {
  return answered({ viewer: { login }, repository: shown([], undefined, true) });
}

interface User {
  readonly login: string;
  readonly type: string;
}
type Comment = ReturnType<typeof comment>;

function comment(id: number, change: Partial<WantedComment> = {}, user: User | null = BOT) {
  const written = { ...WANTED, ...change };
  return { id, html_url: url(id), user, body: `${hiddenLines(written, written.state)}\n${written.body}` };
}

const OLDER = { runId: 41, headSha: SHA.other, body: 'Passed.' };
const written = (id: number) => ({ id, html_url: url(id) });
const textOf = (wanted: WantedComment) => ({ body: `${markerLine(wanted)}\n${wanted.body}` });

describe('syncComment', () => {
  test('syncComment creates the comment in three requests', async () => {
    situation();
    github()
      .post(COMMENTS, textOf(WANTED))
      .reply(201, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'created' },
    });
  });

  test('syncComment updates the comment in place', async () => {
    situation([comment(9, OLDER)]);
    github()
      .patch(one(9), textOf(WANTED))
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'updated' },
    });
  });

  test('syncComment writes the state in a hidden second line, below the marker', async () => {
    const wanted = { ...WANTED, state: 'v1:scan%20one:key:mac' };
    const body = `${markerLine(WANTED)}\n<!-- scangate-state v1:scan%20one:key:mac -->\n${WANTED.body}`;
    situation();
    github()
      .post(COMMENTS, { body })
      .reply(201, written(9))
      .get(page())
      .reply(200, [comment(9, wanted)]);
    expect(await syncComment(client(), wanted, NEVER_ABORTED)).toMatchObject({
      value: { action: 'created' },
    });
  });

  test('syncComment keeps the state of an earlier run if this run has none', async () => {
    const state = 'v1:scan:key:mac';
    const kept = { body: `${markerLine(WANTED)}\n<!-- scangate-state ${state} -->\n${WANTED.body}` };
    situation([comment(9, { ...OLDER, state })]);
    github().patch(one(9), kept).reply(200, written(9));
    // Run 41 overwrote the comment in the meantime, so `syncComment` writes the text of this run again.
    github()
      .get(page())
      .reply(200, [comment(9, { runId: 41, body: 'Late.', state })]);
    github().patch(one(9), kept).reply(200, written(9));
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'updated' },
    });
  });

  test('syncComment replaces the state of an earlier run by the state of this run', async () => {
    const wanted = { ...WANTED, state: 'v1:new:key:mac' };
    const body = `${markerLine(WANTED)}\n<!-- scangate-state v1:new:key:mac -->\n${WANTED.body}`;
    situation([comment(9, { ...OLDER, state: 'v1:old:key:mac' })]);
    github()
      .patch(one(9), { body })
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9, wanted)]);
    expect(await syncComment(client(), wanted, NEVER_ABORTED)).toMatchObject({
      value: { action: 'updated' },
    });
  });

  test('syncComment leaves the comment unchanged if only the state differs', async () => {
    situation([comment(9, { ...OLDER, body: WANTED.body, state: 'v1:scan:key:mac' })]);
    expect(
      await syncComment(client(), { ...WANTED, state: 'v1:scan:key:other' }, NEVER_ABORTED),
    ).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  test('syncComment leaves the comment unchanged if only the number of the run differs', async () => {
    const body = 'See [run](https://github.com/acme/shop/actions/runs/42).';
    situation([comment(9, { ...OLDER, body: body.replace('42', '41') })]);
    expect(await syncComment(client(), { ...WANTED, body }, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  test('with `mayCreate: false`, syncComment updates a comment, but creates none', async () => {
    const wanted = { ...WANTED, mayCreate: false };
    situation();
    expect(await syncComment(client(), wanted, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { url: undefined, action: 'none' },
    });
    situation([comment(9, OLDER)])
      .patch(one(9))
      .reply(200, written(9));
    github()
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), wanted, NEVER_ABORTED)).toMatchObject({
      value: { action: 'updated' },
    });
  });

  test('syncComment does not read the state of the pull request if the caller passes it', async () => {
    const posted = { ...comment(9), url: url(9), author: BOT };
    const known = {
      viewer: BOT.login,
      isOpen: true,
      updatedAt: new Date(),
      headSha: SHA.head,
      headTree: undefined,
      baseName: 'main',
      baseTip: undefined,
      comments: [posted],
    };
    const sync = (state: typeof known) =>
      syncComment(
        client(),
        WANTED,
        NEVER_ABORTED,
        () => WANTED,
        async () => ok(state),
      );
    expect(await sync(known)).toMatchObject({ value: { action: 'unchanged' } });
    expect(await sync({ ...known, headSha: SHA.other })).toMatchObject({ value: { action: 'other-head' } });
  });

  test('syncComment finds the comment on the last page of comments', async () => {
    const link = {
      link: '<https://api.github.com/next>; rel="next", <https://api.github.com/last>; rel="last"',
    };
    const chatter = { id: 1, body: 'hello', user: { login: 'octocat', type: 'User' } };
    onlyInRest().get(page()).reply(200, [chatter], link).get(page(2)).reply(200, [], link);
    github()
      .get(page(3))
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged', url: url(9) },
    });
  });

  test('syncComment keeps the oldest of our comments, and deletes our newer comments', async () => {
    situation([comment(12, OLDER), comment(9, OLDER), comment(11, { checkName: 'Other' })]);
    github().patch(one(9)).reply(200, written(9));
    github()
      .get(page())
      .reply(200, [comment(9), comment(12, OLDER), comment(11, { checkName: 'Other' })]);
    github().delete(one(12)).reply(204);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(9), action: 'updated' },
    });
  });
});

describe.each([
  ['GraphQL', (comments: readonly Comment[], login?: string) => situation(comments, login ? { login } : {})],
  [
    'REST',
    (comments: readonly Comment[], login?: string) => onlyInRest(login).get(page()).reply(200, comments),
  ],
])('syncComment recognizes our comment by %s', (api, found) => {
  test.each<[string, User | null]>([
    ['a person who copied the marker', { login: 'mallory', type: 'User' }],
    ["a person with the bot's name", { login: 'github-actions[bot]', type: 'User' }],
    ["a person with the app's bare name", { login: 'github-actions', type: 'User' }],
    ['another app', { login: 'other[bot]', type: 'Bot' }],
    ['a deleted account', null],
  ])(`with ${api}, syncComment ignores a comment of %s`, async (_who, user) => {
    found([comment(9, OLDER, user)]);
    github()
      .post(COMMENTS)
      .reply(201, written(10))
      .get(page())
      .reply(200, [comment(9, OLDER, user), comment(10)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(10), action: 'created' },
    });
  });

  test(`with ${api}, syncComment accepts the comment of the workflow`, async () => {
    found([comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  test(`with ${api}, syncComment accepts the comment of the app that owns the token`, async () => {
    const app = { login: 'our-gate[bot]', type: 'Bot' };
    found([comment(8, OLDER), comment(9, {}, app)], 'our-gate[bot]');
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(9), action: 'unchanged' },
    });
  });

  test(`with ${api}, syncComment accepts the comment of the person who owns the token`, async () => {
    found([comment(9, {}, { login: 'Octocat', type: 'User' })], 'octocat');
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  test(`with ${api}, syncComment ignores a comment without a marker, or with the marker of another check`, async () => {
    const wanted = { ...WANTED, mayCreate: false };
    found([{ ...comment(8), body: WANTED.body }, comment(9, { checkName: 'Other' })]);
    expect(await syncComment(client(), wanted, NEVER_ABORTED)).toMatchObject({ value: { action: 'none' } });
  });
});

describe('syncComment, if GraphQL does not answer', () => {
  test('without GraphQL, syncComment reads by REST, and looks for the comment of the workflow', async () => {
    github().post('/graphql').reply(403, { message: 'no' });
    github().get('/repos/acme/shop/pulls/5').reply(200, pullRequestByRest());
    github()
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  test('syncComment reads by REST only what GraphQL does not show', async () => {
    const errors = [{ message: 'Resource not accessible by integration' }];
    answered({ viewer: { login: 'octocat' }, repository: null }, errors);
    github().get('/repos/acme/shop/pulls/5').reply(200, pullRequestByRest());
    github()
      .get(page())
      .reply(200, [comment(9, {}, { login: 'octocat', type: 'User' })]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged' },
    });

    answered({ viewer: null, repository: { pullRequest: pullRequestNode() } }, errors);
    github()
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  const ours = node(comment(9));
  test.each<[string, unknown, unknown?]>([
    ['the first of several pages', shown([], undefined, true)],
    ['a missing list of comments', { pullRequest: pullRequestNode({ comments: null }) }],
    [
      'a missing list of nodes',
      { pullRequest: pullRequestNode({ comments: { pageInfo: { hasNextPage: false } } }) },
    ],
    ['a node that is null', shown([null])],
    ['a comment without its id', shown([{ ...ours, fullDatabaseId: null }])],
    ['an id that is too large for a number', shown([{ ...ours, fullDatabaseId: '9007199254740993' }])],
    ['a missing author', shown([{ ...ours, author: undefined }])],
    ['an author withheld with an error', shown([{ ...ours, author: null }]), [{ type: 'FORBIDDEN' }]],
  ])('syncComment reads the comments by REST after %s', async (_what, repository, errors) => {
    answered({ viewer: { login: BOT.login }, repository }, errors)
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(9), action: 'unchanged' },
    });
  });

  test('syncComment learns the owner of the token by GraphQL, and the comments by REST', async () => {
    const person = { login: 'octocat', type: 'User' };
    answered({ viewer: { login: 'octocat' }, repository: shown([null]) })
      .get(page())
      .reply(200, [comment(8, OLDER), comment(9, {}, person)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(9), action: 'unchanged' },
    });
  });

  test('syncComment updates a comment whose id exceeds 32 bits', async () => {
    const id = 5_000_000_001;
    situation([comment(id, OLDER)])
      .patch(one(id))
      .reply(200, written(id));
    github()
      .get(page())
      .reply(200, [comment(id)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(id), action: 'updated' },
    });
  });
});

describe('syncComment, if another run writes the comment too', () => {
  test('in an older run, syncComment writes nothing if the pull request has a newer head', async () => {
    situation([comment(9)], { head: SHA.other });
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'other-head' },
    });
  });

  test.each([
    ['run', { runId: 43, runAttempt: 1 }],
    ['attempt', { runId: 42, runAttempt: 2 }],
  ])('syncComment keeps the comment of a later %s for the same head', async (_what, later) => {
    situation([comment(9, { ...later, body: 'Newer.' })]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(9), action: 'superseded' },
    });
  });

  test('syncComment overwrites the comment of a later run if the author has pushed the older head again', async () => {
    situation([comment(9, { runId: 50, headSha: SHA.other, body: 'Old.' })]);
    github()
      .patch(one(9))
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'updated' },
    });
  });

  test('syncComment replaces its new comment by a comment that an older run created at the same time', async () => {
    situation();
    github().post(COMMENTS).reply(201, written(10));
    github()
      .get(page())
      .reply(200, [comment(9, { runId: 41 }), comment(10)]);
    github().patch(one(9), textOf(WANTED)).reply(200, written(9)).delete(one(10)).reply(204);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'updated' },
    });
  });

  test('syncComment deletes its new comment if a newer run created one at the same time', async () => {
    situation();
    github().post(COMMENTS).reply(201, written(10));
    github()
      .get(page())
      .reply(200, [comment(9, { runId: 43 }), comment(10)]);
    github().delete(one(10)).reply(204);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'superseded' },
    });
  });

  test('syncComment overwrites the text that an older run wrote at the same time', async () => {
    situation([comment(9, OLDER)]);
    github()
      .patch(one(9))
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9, { runId: 41, body: 'Late.' })]);
    github().patch(one(9), textOf(WANTED)).reply(200, written(9));
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'updated' },
    });
  });
});

describe('syncComment, if several jobs of one attempt share a check name', () => {
  const PASSED = { state: encodeResult(0), body: 'Passed.' };
  const BLOCKED = { state: encodeResult(4), body: 'Blocked.' };
  const sync = (change: Partial<WantedComment>) =>
    syncComment(client(), { ...WANTED, ...change }, NEVER_ABORTED);

  test('syncComment keeps the worse result of another job', async () => {
    situation([comment(9, BLOCKED)]);
    expect(await sync(PASSED)).toEqual({ ok: true, value: { url: url(9), action: 'worse' } });
  });

  test.each<[string, Partial<WantedComment>, Partial<WantedComment>]>([
    ['the better result of another job', PASSED, BLOCKED],
    ['another result that is as bad', { ...BLOCKED, body: 'Blocked by others.' }, BLOCKED],
    ['the worse result of an earlier attempt', BLOCKED, { ...PASSED, runAttempt: 2 }],
    ['the worse result of an earlier run', { ...BLOCKED, runId: 41 }, PASSED],
    ['the worse result for another head', { ...BLOCKED, headSha: SHA.other }, PASSED],
    ['a result that the comment does not record', { state: undefined, body: 'Blocked.' }, PASSED],
  ])('syncComment replaces %s', async (_what, before, wanted) => {
    situation([comment(9, before)]);
    github()
      .patch(one(9))
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9, wanted)]);
    expect(await sync(wanted)).toMatchObject({ value: { action: 'updated' } });
  });

  test('syncComment moves its worse result into the comment that another job created at the same time', async () => {
    situation();
    github().post(COMMENTS).reply(201, written(10));
    github()
      .get(page())
      .reply(200, [comment(9, PASSED), comment(10, BLOCKED)]);
    const text = `${hiddenLines({ ...WANTED, ...BLOCKED }, BLOCKED.state)}\n${BLOCKED.body}`;
    github().patch(one(9), { body: text }).reply(200, written(9)).delete(one(10)).reply(204);
    expect(await sync(BLOCKED)).toEqual({ ok: true, value: { url: url(9), action: 'updated' } });
  });

  test('syncComment deletes its new comment if another job created a worse one at the same time', async () => {
    situation();
    github().post(COMMENTS).reply(201, written(10));
    github()
      .get(page())
      .reply(200, [comment(9, BLOCKED), comment(10, PASSED)]);
    github().delete(one(10)).reply(204);
    expect(await sync(PASSED)).toEqual({ ok: true, value: { url: url(9), action: 'worse' } });
  });

  test('syncComment leaves its older comment to the job with the worse result', async () => {
    situation();
    github().post(COMMENTS).reply(201, written(9));
    github()
      .get(page())
      .reply(200, [comment(9, PASSED), comment(10, BLOCKED)]);
    expect(await sync(PASSED)).toEqual({ ok: true, value: { url: url(10), action: 'worse' } });
  });
});

describe('syncComment, if a request fails', () => {
  test.each([
    [403, 'forbidden'],
    [404, 'not-found'],
  ])('syncComment names the permission if GitHub refuses the comment: %i', async (status, kind) => {
    situation().post(COMMENTS).reply(status, { message: 'no' });
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      error: { kind, status, permission: 'pull-requests: write' },
    });
  });

  test.each([404, 410])(
    'syncComment creates the comment anew if it was deleted in the meantime: %i',
    async (status) => {
      const wanted = { ...WANTED, state: 'v1:old' };
      situation([comment(9, { ...OLDER, state: 'v1:old' })]);
      github().patch(one(9)).reply(status, { message: 'Not Found' });
      github()
        .post(COMMENTS, { body: `${hiddenLines(WANTED, 'v1:old')}\n${WANTED.body}` })
        .reply(201, written(10))
        .get(page())
        .reply(200, [comment(10, wanted)]);
      expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toEqual({
        ok: true,
        value: { url: url(10), action: 'created' },
      });
    },
  );

  test('syncComment creates a deleted comment only once, and only if it may create one', async () => {
    const refused = () => {
      situation([comment(9, OLDER)]);
      github().patch(one(9)).reply(404, { message: 'Not Found' });
    };
    refused();
    github().post(COMMENTS).reply(404, { message: 'Not Found' });
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'not-found' },
    });
    refused();
    expect(await syncComment(client(), { ...WANTED, mayCreate: false }, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { url: undefined, action: 'none' },
    });
  });

  test('syncComment keeps its new comment if another run has just deleted its own', async () => {
    situation();
    github().post(COMMENTS).reply(201, written(10));
    github()
      .get(page())
      .reply(200, [comment(8, OLDER), comment(10)]);
    github().patch(one(8)).reply(404, { message: 'Not Found' });
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { url: url(10), action: 'created' },
    });
  });

  test('syncComment writes nothing if the head of the pull request cannot be read', async () => {
    github().post('/graphql').reply(403, {}).get('/repos/acme/shop/pulls/5').reply(403, {});
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'forbidden', permission: 'pull-requests: write' },
    });
  });

  test('after a lost answer, syncComment looks for the comment before it repeats the request', async () => {
    situation().post(COMMENTS).reply(502);
    github()
      .get(page())
      .twice()
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(9), action: 'created' },
    });

    const clock = new FakeClock();
    situation().post(COMMENTS).reply(502).get(page()).reply(200, []);
    github()
      .post(COMMENTS)
      .reply(201, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client({ clock }), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { url: url(9), action: 'created' },
    });
    // `syncComment` waits before the second request, because GitHub may still work on the first one.
    expect(clock.sleeps).toEqual([PAUSE_AFTER_LOSS_MS]);
  });

  test('syncComment succeeds if another run has already deleted a surplus comment', async () => {
    situation([comment(9), comment(12)])
      .delete(one(12))
      .reply(404, {});
    expect(await syncComment(client(), WANTED, NEVER_ABORTED)).toMatchObject({
      value: { action: 'unchanged' },
    });
  });
});
