import { describe, expect, test } from 'vitest';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';
import { git } from '../../../sandbox/git-process.ts';
import { at, setup, setupOwn } from './fixture.ts';

const COMPARE = '/repos/octo-org/demo/compare';

describe('the comparison of two commits in the fake GitHub', () => {
  test('the comparison names the merge base, the counts, the commits in order and the files', async () => {
    const { repo, call } = await setup();
    const answer = await call('GET', `${COMPARE}/main...${repo.id('t3')}`);
    expect(answer.status).toBe(200);
    expect(at(answer.body, 'merge_base_commit.sha')).toBe(repo.id('root'));
    expect(at(answer.body, 'base_commit.sha')).toBe(repo.id('main'));
    expect(answer.body).toMatchObject({ status: 'diverged', ahead_by: 3, behind_by: 1, total_commits: 3 });
    expect(at(answer.body, 'commits.*.sha')).toEqual(['t1', 't2', 't3'].map((name) => repo.id(name)));
    expect(at(answer.body, 'commits.0.commit')).toMatchObject({
      message: 't1',
      author: { name: 'Fixture', email: 'fixture@example.invalid', date: '2024-01-01T00:02:00Z' },
    });
    expect(at(answer.body, 'files')).toEqual([
      { filename: 'a.txt', status: 'modified' },
      { filename: 'c.txt', status: 'added' },
      { filename: 'new.txt', previous_filename: 'old.txt', status: 'renamed' },
    ]);
  });

  test('the comparison accepts branches, tags, full refs, short ids and `owner:branch`', async () => {
    const { repo, call } = await setupOwn();
    await repo.git(
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@example.invalid',
      'tag',
      '-a',
      'v1',
      '-m',
      'tag',
      repo.id('root'),
    );
    for (const base of [
      'feature/with/slash',
      encodeURIComponent('feature/with/slash'),
      'refs/heads/feature/with/slash',
      repo.id('t1').slice(0, 10),
      'octo-org:feature/with/slash',
    ]) {
      const answer = await call('GET', `${COMPARE}/${base}...topic`);
      expect([base, at(answer.body, 'merge_base_commit.sha')]).toEqual([base, repo.id('t1')]);
    }
    const whole = await call('GET', `${COMPARE}/${encodeURIComponent('v1...topic')}`);
    expect(whole.body).toMatchObject({ status: 'ahead', ahead_by: 3, behind_by: 0 });
  });

  test('the comparison prefers a tag to a branch of the same name', async () => {
    const { repo, call } = await setupOwn();
    await repo.git('tag', 'topic', repo.id('t1'));
    const tag = await call('GET', `${COMPARE}/main...topic`);
    expect(tag.body).toMatchObject({ ahead_by: 1 });
    const branch = await call('GET', `${COMPARE}/main...refs/heads/topic`);
    expect(branch.body).toMatchObject({ ahead_by: 3 });
  });

  test('the comparison lists the commits in pages, and the files only on the first page', async () => {
    const { repo, call } = await setup();
    const one = await call('GET', `${COMPARE}/main...topic?per_page=1`);
    const two = await call('GET', `${COMPARE}/main...topic?per_page=1&page=2`);
    const beyond = await call('GET', `${COMPARE}/main...topic?per_page=1&page=9`);
    expect(at(one.body, 'files')).toHaveLength(3);
    expect(one.headers.get('link')).toMatch(/[?&]page=2>; rel="next".*[?&]page=3>; rel="last"/);
    expect(at(two.body, 'commits.*.sha')).toEqual([repo.id('t2')]);
    expect(at(two.body, 'files')).toBeUndefined();
    expect(at(beyond.body, 'commits')).toEqual([]);
    expect(beyond.body).toMatchObject({ total_commits: 3, merge_base_commit: { sha: repo.id('root') } });
  });

  test('the comparison lists at most 300 files', async () => {
    const files = Object.fromEntries(Array.from({ length: 310 }, (_, at) => [`f${at}.txt`, `${at}\n`]));
    const many = await createGitFixture({
      commits: [{ name: 'a' }, { name: 'b', files }],
      branches: { main: 'a', topic: 'b' },
      bare: true,
    });
    const { call } = await setup({ directory: many.dir, pullRequests: [] });
    const answer = await call('GET', `${COMPARE}/main...topic`);
    expect(at(answer.body, 'files')).toHaveLength(300);
    await many.remove();
  });

  test('the comparison reports the statuses `identical` and `behind`', async () => {
    const { call } = await setup();
    expect((await call('GET', `${COMPARE}/main...main`)).body).toMatchObject({
      status: 'identical',
      files: [],
    });
    expect(at((await call('GET', `${COMPARE}/topic...feature/with/slash`)).body, 'status')).toBe('behind');
  });

  test('the comparison follows a branch that moves while the server runs', async () => {
    const { repo, call } = await setupOwn();
    const before = await call('GET', `${COMPARE}/main...topic`);
    expect(at(before.body, 'merge_base_commit.sha')).toBe(repo.id('root'));
    await repo.git('update-ref', 'refs/heads/main', repo.id('t1'));
    const answer = await call('GET', `${COMPARE}/main...topic`);
    expect(at(answer.body, 'merge_base_commit.sha')).toBe(repo.id('t1'));
  });

  test('the comparison works even if an older commit has an impossible time zone', async () => {
    const { repo, call } = await setupOwn();
    const [tree, main] = [await repo.git('rev-parse', 'main^{tree}'), repo.id('main')];
    const person = 'Old <old@example.invalid> 1312735823 +051800';
    const commit = `tree ${tree}\nparent ${main}\nauthor ${person}\ncommitter ${person}\n\nodd\n`;
    const input = Buffer.from(commit);
    const odd = (await git(repo.dir, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input }))
      .toString()
      .trim();
    // The comparison shows the tip of the base branch, so the tip needs a valid time zone. The parent of the tip is the
    // commit `odd`.
    const even = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'commit-tree', tree, '-p', odd];
    await repo.git('update-ref', 'refs/heads/main', await repo.git(...even, '-m', 'even'));
    await repo.git('update-ref', 'refs/heads/odd', odd);
    expect((await call('GET', `${COMPARE}/main...topic`)).body).toMatchObject({ ahead_by: 3, behind_by: 3 });
    expect((await call('GET', '/repos/octo-org/demo/git/ref/heads/odd')).status).toBe(200);
    expect((await call('GET', '/repos/octo-org/demo/contents/b.txt?ref=odd')).status).toBe(200);
  });

  test('the comparison finds a branch that exists only in the options of the fake GitHub', async () => {
    const { repo, call } = await setup();
    const { call: callOther } = await setup({ branches: { 'release/1': repo.id('t2') } });
    expect((await call('GET', `${COMPARE}/release/1...topic`)).status).toBe(404);
    const answer = await callOther('GET', `${COMPARE}/release/1...topic`);
    expect(at(answer.body, 'merge_base_commit.sha')).toBe(repo.id('t2'));
  });

  test('the comparison answers 404 with a message if there is no common ancestor', async () => {
    const { call } = await setup();
    const answer = await call('GET', `${COMPARE}/main...alone`);
    expect([answer.status, at(answer.body, 'message')]).toEqual([
      404,
      'No common ancestor between main and alone.',
    ]);
  });

  test.each([
    ['an unknown branch', 'nowhere...topic'],
    ['an unknown id', `${'0'.repeat(40)}...topic`],
    ['revision syntax', 'main~1...topic'],
    ['an option of git', '--all...topic'],
    ['a control character', 'main%00...topic'],
    ['two dots instead of three', 'main..topic'],
    ['broken percent encoding', '%E0%A4%A...topic'],
    ['an unknown owner', 'unknown-owner:main...topic'],
  ])('the comparison answers 404 for %s', async (_, basehead) => {
    const { call } = await setup();
    const answer = await call('GET', `${COMPARE}/${basehead}`);
    expect([answer.status, at(answer.body, 'message')]).toEqual([404, 'Not Found']);
  });
});
