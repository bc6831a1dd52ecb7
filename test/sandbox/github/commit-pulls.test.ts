import { expect, test } from 'vitest';
import { at, setup } from './fixture.ts';

const pullsOf = (sha: string) => `/repos/octo-org/demo/commits/${sha}/pulls`;

test('GitHub lists the pull requests of a head commit or a merge commit', async () => {
  const { repo, github, call } = await setup();
  const numbers = async (name: string) => at((await call('GET', pullsOf(repo.id(name)))).body, '*.number');
  expect(await numbers('t3')).toEqual([7]);
  expect(await numbers('main')).toEqual([]);
  github.edit(7, { state: 'merged', mergeCommitSha: repo.id('main') });
  const answer = await call('GET', pullsOf(repo.id('main')));
  expect(answer).toMatchObject({
    status: 200,
    body: [{ number: 7, merged: true, merge_commit_sha: repo.id('main'), head: { sha: repo.id('t3') } }],
  });
  github.edit(7, { state: 'closed', mergeCommitSha: null });
  expect(await numbers('t3')).toEqual([]);
});

test('GitHub lists no pull requests if the commit is unknown or the permission is missing', async () => {
  const { repo, call, callAs } = await setup({ visibility: 'private', permissions: { contents: 'read' } });
  expect((await call('GET', pullsOf(repo.id('t3')))).status).toBe(403);
  expect((await callAs('Bearer other', 'GET', pullsOf(repo.id('t3')))).status).toBe(401);
  const open = await setup();
  expect((await open.call('GET', pullsOf('f'.repeat(40)))).status).toBe(422);
});
