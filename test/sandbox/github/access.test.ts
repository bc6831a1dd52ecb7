import { describe, expect, test } from 'vitest';
import { at, setup } from './fixture.ts';

const REPO = '/repos/octo-org/demo';
const READS = [
  `${REPO}/compare/main...topic`,
  `${REPO}/pulls/7`,
  `${REPO}/issues/7/comments`,
  `${REPO}/commits/main/check-runs`,
];
const forbidden = [403, 'Resource not accessible by integration'];

describe('permissions', () => {
  test('a token without permissions can read only public repositories', async () => {
    const open = await setup({ permissions: {} });
    const closed = await setup({ permissions: {}, visibility: 'private' });
    for (const path of READS) {
      expect([path, (await open.call('GET', path)).status]).toEqual([path, 200]);
      const answer = await closed.call('GET', path);
      expect([path, answer.status, at(answer.body, 'message')]).toEqual([path, ...forbidden]);
    }
  });

  test('an anonymous caller can read only public repositories', async () => {
    const open = await setup();
    const closed = await setup({ visibility: 'private' });
    for (const path of READS) {
      expect([path, (await open.callAs(undefined, 'GET', path)).status]).toEqual([path, 200]);
      expect([path, (await closed.callAs(undefined, 'GET', path)).status]).toEqual([path, 404]);
    }
    expect((await open.callAs(undefined, 'POST', `${REPO}/issues/7/comments`, { body: 'x' })).status).toBe(
      401,
    );
  });

  test('a wrong token gets 401, even where anonymous callers may read', async () => {
    const { callAs } = await setup();
    for (const path of [...READS, '/user']) {
      const answer = await callAs('Bearer ghs_wrong', 'GET', path);
      expect([answer.status, at(answer.body, 'message')]).toEqual([401, 'Bad credentials']);
    }
  });

  test('a check run can only be created with `checks: write`', async () => {
    const { call, repo, github } = await setup({ permissions: { checks: 'read', contents: 'write' } });
    const body = { name: 'n', head_sha: repo.id('t3') };
    const answer = await call('POST', `${REPO}/check-runs`, body);
    expect([answer.status, at(answer.body, 'message')]).toEqual(forbidden);
    expect(answer.headers.get('x-accepted-github-permissions')).toBe('checks=write');
    github.permissions.checks = 'write';
    expect((await call('POST', `${REPO}/check-runs`, body)).status).toBe(201);
  });

  test.each([
    [{ 'pull-requests': 'write' }, 201],
    [{ issues: 'write' }, 201],
    [{ 'pull-requests': 'read', issues: 'read', checks: 'write' }, 403],
    [{}, 403],
  ] as const)(
    'a comment needs the right permission: a token with %j gets %i',
    async (permissions, status) => {
      const { call } = await setup({ permissions });
      expect((await call('POST', `${REPO}/issues/7/comments`, { body: 'x' })).status).toBe(status);
    },
  );

  test('a request for the user of the workflow token gets 403', async () => {
    const { call } = await setup({ permissions: { contents: 'write', 'pull-requests': 'write' } });
    const answer = await call('GET', '/user');
    expect([answer.status, at(answer.body, 'message')]).toEqual(forbidden);
  });

  test('a request for a repository or path that does not exist gets 404', async () => {
    const { call } = await setup();
    expect((await call('GET', '/repos/octo-org/other/pulls/7')).status).toBe(404);
    expect((await call('GET', '/nothing')).status).toBe(404);
  });

  test('a request whose body is not JSON gets 400', async () => {
    const { call } = await setup();
    expect((await call('POST', `${REPO}/check-runs`, '{')).status).toBe(400);
  });

  test('a collaborator has the given permission, the owner is an admin, and all others may read', async () => {
    const { call } = await setup({ collaborators: { alice: 'write', bob: 'none' } });
    const of = async (login: string) =>
      at((await call('GET', `${REPO}/collaborators/${login}/permission`)).body, 'permission');
    expect(await Promise.all(['Alice', 'bob', 'octo-org', 'other'].map(of))).toEqual([
      'write',
      'none',
      'admin',
      'read',
    ]);
  });
});

describe('a pull request', () => {
  test('a pull request shows its current head, base and state', async () => {
    const { call, repo, github } = await setup();
    github.setHead(7, repo.id('t2'));
    const answer = await call('GET', `${REPO}/pulls/7`);
    expect(answer.body).toMatchObject({
      number: 7,
      state: 'open',
      head: { sha: repo.id('t2'), repo: { full_name: 'Octo-Org/demo' } },
      base: { ref: 'main', sha: repo.id('main') },
    });
    const updated = at(answer.body, 'updated_at');
    expect(updated).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
    github.setBase(7, 'topic');
    github.edit(7, { state: 'merged' });
    const merged = (await call('GET', `${REPO}/pulls/7`)).body;
    expect(merged).toMatchObject({ state: 'closed', merged: true, base: { ref: 'topic' } });
    expect(Date.parse(String(at(merged, 'updated_at')))).toBeGreaterThan(Date.parse(String(updated)));
    expect(() => github.setBase(8, 'main')).toThrow('no pull request 8');
    const fork = { number: 9, headSha: repo.id('t1'), baseRef: 'main', headRepository: null };
    const other = await setup({ pullRequests: [fork] });
    expect(at((await other.call('GET', `${REPO}/pulls/9`)).body, 'head.repo')).toBeNull();
  });

  test('the rules of a branch include those of its merge queue', async () => {
    const { call } = await setup({
      mergeQueues: {
        'feature/with/slash': { rules: ['ALLGREEN', 'HEADGREEN'], mergingStrategy: 'ALLGREEN' },
      },
    });
    const rules = await call('GET', `${REPO}/rules/branches/feature%2Fwith%2Fslash`);
    expect(rules.body).toMatchObject([
      { type: 'deletion' },
      { type: 'merge_queue', parameters: { grouping_strategy: 'ALLGREEN' }, ruleset_id: 2 },
      { type: 'merge_queue', parameters: { grouping_strategy: 'HEADGREEN' }, ruleset_id: 3 },
    ]);
    const paged = await call('GET', `${REPO}/rules/branches/feature%2Fwith%2Fslash?per_page=2`);
    expect(paged.headers.get('link')).toContain('rel="next"');
    expect((await call('GET', `${REPO}/rules/branches/main`)).body).toMatchObject([{ type: 'deletion' }]);
  });
});
