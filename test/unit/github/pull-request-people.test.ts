import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { readPullRequestPeople } from '../../../src/github/pull-request-people.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

const PULL = '/repos/acme/shop/pulls/7';
const ADA = { id: 1, login: 'ada' };
const BOB = { id: 2, login: 'bob' };

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

function commit(change: object = {}) {
  return {
    sha: SHA.head,
    author: ADA,
    committer: BOB,
    parents: [{ sha: SHA.base }],
    commit: { verification: { verified: true } },
    ...change,
  };
}

function answers(commits: number, pages: readonly (readonly object[])[], user: unknown = ADA) {
  github()
    .get(PULL)
    .reply(200, { user, head: { sha: SHA.head }, commits });
  pages.forEach((list, index) => {
    const next = index + 1 < pages.length ? { link: '<https://api.github.com/x>; rel="next"' } : undefined;
    github()
      .get(`${PULL}/commits?per_page=100&page=${index + 1}`)
      .reply(200, [...list], next);
  });
}

const read = () => readPullRequestPeople(client(), 7, NEVER_ABORTED);

describe('the people of a pull request', () => {
  test('are its author, and the authors and committers of its commits', async () => {
    answers(1, [[commit()]]);
    expect(await read()).toEqual({
      ok: true,
      value: {
        headSha: SHA.head,
        author: ADA,
        commitCount: 1,
        commits: [{ sha: SHA.head, parents: [SHA.base], author: ADA, committer: BOB, verified: true }],
      },
    });
  });

  test.each([
    ['null', null],
    ['an empty object', {}],
  ])('have no account where GitHub shows %s', async (_what, account) => {
    answers(1, [[commit({ author: account, committer: account })]], null);
    const people = await read();
    expect(people.ok && [people.value.author, people.value.commits[0]?.author]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['says no', { verification: { verified: false } }],
    ['says nothing', {}],
    ['says null', { verification: null }],
  ])('made an unverified commit where GitHub %s', async (_what, shown) => {
    answers(1, [[commit({ commit: shown })]]);
    const people = await read();
    expect(people.ok && people.value.commits[0]?.verified).toBe(false);
  });

  test('are read from every page', async () => {
    const page = Array.from({ length: 100 }, () => commit());
    answers(250, [page, page, page.slice(0, 50)]);
    const people = await read();
    expect(people.ok && people.value.commits.length).toBe(250);
  });

  test('are asked for at most three pages of commits', async () => {
    const page = Array.from({ length: 100 }, () => commit());
    github()
      .get(PULL)
      .reply(200, { user: ADA, head: { sha: SHA.head }, commits: 250 });
    for (const number of [1, 2, 3])
      github()
        .get(`${PULL}/commits?per_page=100&page=${number}`)
        .reply(200, page, { link: '<https://api.github.com/x>; rel="next"' });
    const people = await read();
    expect(people.ok && people.value.commits.length).toBe(300);
  });

  test('are not asked for where GitHub does not list all commits', async () => {
    answers(251, []);
    const people = await read();
    expect(people.ok && people.value).toMatchObject({ commitCount: 251, commits: [] });
  });

  test.each([403, 404])('are not known where the pull request is a %i', async (status) => {
    github().get(PULL).reply(status, { message: 'No' });
    expect((await read()).ok).toBe(false);
  });

  test('are not known where the commits cannot be read', async () => {
    answers(1, []);
    github().get(`${PULL}/commits?per_page=100&page=1`).reply(403, { message: 'No' });
    expect((await read()).ok).toBe(false);
  });

  test.each([
    ['the count is missing', { user: ADA, head: { sha: SHA.head } }],
    ['the count is negative', { user: ADA, head: { sha: SHA.head }, commits: -1 }],
    ['the author has no id', { user: { login: 'ada' }, head: { sha: SHA.head }, commits: 1 }],
    ['the author has the id 0', { user: { id: 0, login: 'ada' }, head: { sha: SHA.head }, commits: 1 }],
    ['the head is no commit', { user: ADA, head: { sha: 'main' }, commits: 1 }],
  ])('are not known where %s', async (_what, body) => {
    github().get(PULL).times(4).optionally().reply(200, body);
    expect((await read()).ok).toBe(false);
    nock.cleanAll();
  });
});
