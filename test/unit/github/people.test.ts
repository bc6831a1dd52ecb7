import { afterEach, expect, test } from 'vitest';
import { accountMayWrite, readPullRequestPeople, userMayWrite } from '../../../src/github/people.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';
import { NEXT } from './readers/row.ts';

test('accountMayWrite returns false if the account was deleted', async () => {
  expect(await accountMayWrite(client(), '', 'read it', NEVER_ABORTED)).toEqual({
    ok: true,
    value: false,
  });
});

test('userMayWrite returns false if the user has no login', async () => {
  expect(await userMayWrite(client(), { login: '', id: 5 }, NEVER_ABORTED)).toEqual({
    ok: true,
    value: false,
  });
});

const PULL = '/repos/acme/shop/pulls/7';
const COMMIT = { sha: SHA.head, author: null, committer: null, parents: [], commit: {} };
const PAGE = Array.from({ length: 100 }, () => COMMIT);

afterEach(expectNoAnswerLeft);

test.each([
  ['every page of commits', [100, 100, 50], false, 250],
  ['at most three pages of commits', [100, 100, 100], true, 300],
])('readPullRequestPeople reads %s', async (_what, lengths, hasMore, count) => {
  github()
    .get(PULL)
    .reply(200, { user: null, head: { sha: SHA.head }, commits: 250 });
  for (const [index, length] of lengths.entries())
    github()
      .get(`${PULL}/commits?per_page=100&page=${index + 1}`)
      .reply(200, PAGE.slice(0, length), hasMore || index + 1 < lengths.length ? NEXT : undefined);
  const people = await readPullRequestPeople(client(), 7, NEVER_ABORTED);
  expect(people).toMatchObject({ ok: true, value: { commitCount: 250 } });
  expect(people.ok && people.value.commits).toHaveLength(count);
});
