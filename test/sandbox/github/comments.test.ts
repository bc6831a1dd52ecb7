import { describe, expect, test } from 'vitest';
import { userIdOf } from '../../../sandbox/github/user-id.ts';
import { at, setup } from './fixture.ts';

const COMMENTS = '/repos/octo-org/demo/issues/7/comments';
const ONE = '/repos/octo-org/demo/issues/comments';

describe('pull request comments', () => {
  test('comments are written, changed and deleted as github-actions[bot]', async () => {
    const { call, github } = await setup();
    const created = await call('POST', COMMENTS, { body: 'hello' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      body: 'hello',
      user: { login: 'github-actions[bot]', type: 'Bot' },
      html_url: `${github.serverUrl}/Octo-Org/demo/pull/7#issuecomment-${at(created.body, 'id')}`,
    });
    const changed = await call('PATCH', `${ONE}/${at(created.body, 'id')}`, { body: 'bye' });
    expect([changed.status, at(changed.body, 'body')]).toEqual([200, 'bye']);
    expect(github.comments.map((comment) => comment.body)).toEqual(['bye']);
    expect((await call('DELETE', `${ONE}/${at(created.body, 'id')}`)).status).toBe(204);
    expect(github.comments).toEqual([]);
    expect((await call('GET', `${ONE}/${at(created.body, 'id')}`)).status).toBe(404);
    expect((await call('PATCH', `${ONE}/${at(created.body, 'id')}`, { body: 'x' })).status).toBe(404);
    expect((await call('DELETE', `${ONE}/${at(created.body, 'id')}`)).status).toBe(404);
  });

  test('a comment keeps its author when another account changes its text', async () => {
    const { call, github } = await setup();
    const theirs = github.addComment({ author: 'mallory', body: 'mine' });
    const listed = await call('GET', COMMENTS);
    const one = await call('GET', `${ONE}/${theirs.id}`);
    expect([one.status, one.body]).toEqual([200, at(listed.body, '0')]);
    expect(at(listed.body, '0.user')).toEqual({ login: 'mallory', id: userIdOf('mallory'), type: 'User' });
    await call('PATCH', `${ONE}/${theirs.id}`, { body: 'changed' });
    expect(github.comments[0]).toMatchObject({ author: 'mallory', body: 'changed' });
  });

  test('a page has 30 comments by default, and at most 100', async () => {
    const { call, github } = await setup();
    for (let at = 1; at <= 130; at += 1) github.addComment({ body: `c${at}` });
    const bodies = (answer: { body: unknown }) => at(answer.body, '*.body');
    expect(bodies(await call('GET', COMMENTS))).toHaveLength(30);
    const first = await call('GET', `${COMMENTS}?per_page=500`);
    expect(first.body).toHaveLength(100);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await call('GET', next);
    expect(at(second.body, '0.body')).toBe('c101');
    expect(second.body).toHaveLength(30);
    expect(second.headers.get('link')).toMatch(/rel="prev".*rel="first"/);
    expect(second.headers.get('link')).not.toContain('rel="next"');
  });

  test('a comment must have between 1 and 65,536 characters', async () => {
    const { call } = await setup();
    expect((await call('POST', COMMENTS, { body: 'ä'.repeat(65_536) })).status).toBe(201);
    const long = await call('POST', COMMENTS, { body: 'x'.repeat(65_537) });
    expect([long.status, at(long.body, 'errors.0.message')]).toEqual([
      422,
      'Body is too long (maximum is 65536 characters)',
    ]);
    expect((await call('POST', COMMENTS, { body: ' ' })).status).toBe(422);
    expect(at((await call('POST', COMMENTS, {})).body, 'message')).toContain(`"body" wasn't supplied.`);
  });

  test('requests for comments on an unknown pull request get a 404', async () => {
    const { call } = await setup();
    expect((await call('POST', '/repos/octo-org/demo/issues/8/comments', { body: 'x' })).status).toBe(404);
    expect((await call('GET', '/repos/octo-org/demo/issues/8/comments')).status).toBe(404);
  });
});
