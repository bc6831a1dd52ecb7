import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { syncComment, type WantedComment } from '../../src/github/comment.ts';
import { hiddenLines, markerLine } from '../../src/github/comment-marker.ts';
import { client, github, SHA } from './client.ts';

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

afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});

function situation(login: string | undefined = BOT.login, head: string | undefined = SHA.head) {
  const data = { viewer: { login }, repository: { pullRequest: { headRefOid: head } } };
  return github().post('/graphql').reply(200, { data });
}

function comment(id: number, change: Partial<WantedComment> = {}, user: unknown = BOT) {
  const written = { ...WANTED, ...change };
  return { id, html_url: url(id), user, body: `${hiddenLines(written, written.state)}\n${written.body}` };
}

const OLDER = { runId: 41, headSha: SHA.other, body: 'Passed.' };
const written = (id: number) => ({ id, html_url: url(id) });
const textOf = (wanted: WantedComment) => ({ body: `${markerLine(wanted)}\n${wanted.body}` });

describe('the one comment', () => {
  test('is created in four requests', async () => {
    situation().get(page()).reply(200, []);
    github()
      .post(COMMENTS, textOf(WANTED))
      .reply(201, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'created' },
    });
  });

  test('is updated in place', async () => {
    situation()
      .get(page())
      .reply(200, [comment(9, OLDER)]);
    github()
      .patch(one(9), textOf(WANTED))
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'updated' },
    });
  });

  test('carries the state in a hidden second line, where the marker comes first', async () => {
    const wanted = { ...WANTED, state: 'v1:scan%20one:key:mac' };
    const body = `${markerLine(WANTED)}\n<!-- scangate-state v1:scan%20one:key:mac -->\n${WANTED.body}`;
    situation().get(page()).reply(200, []);
    github()
      .post(COMMENTS, { body })
      .reply(201, written(9))
      .get(page())
      .reply(200, [comment(9, wanted)]);
    expect(await syncComment(client(), wanted)).toMatchObject({ value: { action: 'created' } });
  });

  test('is not written again for another state alone', async () => {
    situation()
      .get(page())
      .reply(200, [comment(9, { ...OLDER, body: WANTED.body, state: 'v1:scan:key:mac' })]);
    expect(await syncComment(client(), { ...WANTED, state: 'v1:scan:key:other' })).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  test('is left alone when it says this already', async () => {
    const body = 'See [run](https://github.com/acme/shop/actions/runs/42).';
    situation()
      .get(page())
      .reply(200, [comment(9, { ...OLDER, body: body.replace('42', '41') })]);
    expect(await syncComment(client(), { ...WANTED, body })).toMatchObject({
      value: { action: 'unchanged' },
    });
  });

  test('is not begun where none is wanted, but brought up to date', async () => {
    const wanted = { ...WANTED, mayCreate: false };
    situation().get(page()).reply(200, []);
    expect(await syncComment(client(), wanted)).toEqual({
      ok: true,
      value: { url: undefined, action: 'none' },
    });
    situation()
      .get(page())
      .reply(200, [comment(9, OLDER)])
      .patch(one(9))
      .reply(200, written(9));
    github()
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), wanted)).toMatchObject({ value: { action: 'updated' } });
  });

  test('is found on the last page', async () => {
    const link = {
      link: '<https://api.github.com/next>; rel="next", <https://api.github.com/last>; rel="last"',
    };
    const chatter = { id: 1, body: 'hello', user: { login: 'octocat', type: 'User' } };
    situation().get(page()).reply(200, [chatter], link).get(page(2)).reply(200, [], link);
    github()
      .get(page(3))
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toMatchObject({
      value: { action: 'unchanged', url: url(9) },
    });
  });

  test('among several is the oldest; the others of ours go', async () => {
    situation()
      .get(page())
      .reply(200, [comment(12, OLDER), comment(9, OLDER), comment(11, { checkName: 'Other' })]);
    github().patch(one(9)).reply(200, written(9));
    github()
      .get(page())
      .reply(200, [comment(9), comment(12, OLDER), comment(11, { checkName: 'Other' })]);
    github().delete(one(12)).reply(204);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { url: url(9), action: 'updated' } });
  });
});

describe('whose comment it is', () => {
  test.each([
    ['a person who copied the marker', { login: 'mallory', type: 'User' }],
    ["a person with the bot's name", { login: 'github-actions[bot]', type: 'User' }],
    ['another app', { login: 'other[bot]', type: 'Bot' }],
    ['nobody', null],
  ])('not that of %s', async (_who, user) => {
    situation()
      .get(page())
      .reply(200, [comment(9, OLDER, user)]);
    github()
      .post(COMMENTS)
      .reply(201, written(10))
      .get(page())
      .reply(200, [comment(9, OLDER, user), comment(10)]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { url: url(10), action: 'created' } });
  });

  test('that of the person whose token it is', async () => {
    situation('octocat')
      .get(page())
      .reply(200, [comment(9, {}, { login: 'Octocat', type: 'User' })]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'unchanged' } });
  });

  test("the workflow's where GraphQL is refused; the head is then read by REST", async () => {
    github().post('/graphql').reply(403, { message: 'no' });
    github()
      .get('/repos/acme/shop/pulls/5')
      .reply(200, { head: { sha: SHA.head } });
    github()
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'unchanged' } });
  });

  test('is told by whichever half of the GraphQL answer there is', async () => {
    const errors = [{ message: 'Resource not accessible by integration' }];
    github()
      .post('/graphql')
      .reply(200, { data: { viewer: { login: 'octocat' }, repository: null }, errors });
    github()
      .get('/repos/acme/shop/pulls/5')
      .reply(200, { head: { sha: SHA.head } });
    github()
      .get(page())
      .reply(200, [comment(9, {}, { login: 'octocat', type: 'User' })]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'unchanged' } });

    const repository = { pullRequest: { headRefOid: SHA.head } };
    github()
      .post('/graphql')
      .reply(200, { data: { viewer: null, repository }, errors });
    github()
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'unchanged' } });
  });
});

describe('an older run', () => {
  test('writes nothing once the head moved on', async () => {
    situation(BOT.login, SHA.other);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'superseded' } });
  });

  test.each([
    { runId: 43, runAttempt: 1 },
    { runId: 42, runAttempt: 2 },
  ])('writes nothing over run %o of the same head', async (later) => {
    situation()
      .get(page())
      .reply(200, [comment(9, { ...later, body: 'Newer.' })]);
    expect(await syncComment(client(), WANTED)).toMatchObject({
      value: { url: url(9), action: 'superseded' },
    });
  });

  test('writes over a higher run of another head: the head went back', async () => {
    situation()
      .get(page())
      .reply(200, [comment(9, { runId: 50, headSha: SHA.other, body: 'Old.' })]);
    github()
      .patch(one(9))
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'updated' } });
  });

  test('that meanwhile began a comment keeps it, with the newer text', async () => {
    situation().get(page()).reply(200, []);
    github().post(COMMENTS).reply(201, written(10));
    github()
      .get(page())
      .reply(200, [comment(9, { runId: 41 }), comment(10)]);
    github().patch(one(9), textOf(WANTED)).reply(200, written(9)).delete(one(10)).reply(204);
    expect(await syncComment(client(), WANTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'updated' },
    });
  });

  test('removes its own second comment when a newer one was begun meanwhile, and nothing else', async () => {
    situation().get(page()).reply(200, []);
    github().post(COMMENTS).reply(201, written(10));
    github()
      .get(page())
      .reply(200, [comment(9, { runId: 43 }), comment(10)]);
    github().delete(one(10)).reply(204);
    expect(await syncComment(client(), WANTED)).toEqual({
      ok: true,
      value: { url: url(9), action: 'superseded' },
    });
  });

  test('that wrote over us is written over again', async () => {
    situation()
      .get(page())
      .reply(200, [comment(9, OLDER)]);
    github()
      .patch(one(9))
      .reply(200, written(9))
      .get(page())
      .reply(200, [comment(9, { runId: 41, body: 'Late.' })]);
    github().patch(one(9), textOf(WANTED)).reply(200, written(9));
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'updated' } });
  });
});

describe('what goes wrong', () => {
  test.each([403, 404])('a refusal (%i) names the permission', async (status) => {
    situation().get(page()).reply(200, []).post(COMMENTS).reply(status, { message: 'no' });
    expect(await syncComment(client(), WANTED)).toMatchObject({
      error: { kind: 'forbidden', status, permission: 'pull-requests: write' },
    });
  });

  test('without the head known nothing is written', async () => {
    github().post('/graphql').reply(403, {}).get('/repos/acme/shop/pulls/5').reply(403, {});
    expect(await syncComment(client(), WANTED)).toMatchObject({ error: { kind: 'forbidden' } });
  });

  test('a lost answer is looked for before it is written again', async () => {
    situation().get(page()).reply(200, []).post(COMMENTS).reply(502);
    github()
      .get(page())
      .twice()
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { url: url(9), action: 'created' } });

    situation().get(page()).twice().reply(200, []).post(COMMENTS).reply(502);
    github()
      .post(COMMENTS)
      .reply(201, written(9))
      .get(page())
      .reply(200, [comment(9)]);
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { url: url(9), action: 'created' } });
  });

  test('a surplus comment that somebody removed first is no failure', async () => {
    situation()
      .get(page())
      .reply(200, [comment(9), comment(12)])
      .delete(one(12))
      .reply(404, {});
    expect(await syncComment(client(), WANTED)).toMatchObject({ value: { action: 'unchanged' } });
  });
});
