import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { git, runGit } from '../../../sandbox/git-process.ts';
import { setup, setupOwn } from './fixture.ts';

async function scratch(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'scangate-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await git(dir, ['init', '--quiet', '--bare']);
  return dir;
}

/** Arguments of git that set the `Authorization` header of the checkout action. */
function basic(token: string): string[] {
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  return ['-c', `http.extraheader=AUTHORIZATION: basic ${credentials}`];
}

describe('git over HTTP', () => {
  test('git fetches a branch, a commit id and a pull request head over HTTP', async () => {
    const { github, repo } = await setup({ visibility: 'private' });
    const dir = await scratch();
    const url = `${github.serverUrl}/octo-org/demo`;
    const fetched = await runGit(dir, [
      ...basic(github.token),
      'fetch',
      '--quiet',
      '--no-tags',
      '--filter=tree:0',
      url,
      '+refs/heads/main:refs/base',
      `+${repo.id('t2')}:refs/head`,
      '+refs/pull/7/head:refs/pr',
    ]);
    expect([fetched.code, fetched.stderr]).toEqual([0, '']);
    const idOf = async (ref: string) => (await git(dir, ['rev-parse', ref])).toString().trim();
    expect(await idOf('refs/base')).toBe(repo.id('main'));
    expect(await idOf('refs/pr')).toBe(repo.id('t3'));
    const base = (await git(dir, ['merge-base', 'refs/base', 'refs/head'])).toString().trim();
    expect(base).toBe(repo.id('root'));
    const here = await git(dir, ['rev-list', '--objects', '--missing=print', '--all']);
    expect(here.toString()).toMatch(/^\?[0-9a-f]{40}/m);
  });

  test('git over HTTP shows the default branch as HEAD', async () => {
    const { github, repo } = await setup();
    const asked = ['ls-remote', '--symref', `${github.serverUrl}/octo-org/demo`, 'HEAD'];
    const listed = await git(await scratch(), asked);
    expect(listed.toString()).toBe(`ref: refs/heads/main\tHEAD\n${repo.id('main')}\tHEAD\n`);
  });

  test('git over HTTP shows the new head of a pull request after a push', async () => {
    const { github, repo } = await setup();
    const dir = await scratch();
    const listed = async () =>
      (await git(dir, ['ls-remote', `${github.serverUrl}/octo-org/demo.git`, 'refs/pull/*'])).toString();
    expect(await listed()).toBe(`${repo.id('t3')}\trefs/pull/7/head\n`);
    github.setHead(7, repo.id('t1'));
    expect(await listed()).toBe(`${repo.id('t1')}\trefs/pull/7/head\n`);
  });

  test('git over HTTP refuses a wrong token, a missing permission and a push', async () => {
    const { github } = await setup({ visibility: 'private', permissions: { checks: 'write' } });
    const url = `${github.serverUrl}/octo-org/demo`;
    const dir = await scratch();
    expect((await runGit(dir, ['ls-remote', url])).stderr).toContain('could not read Username');
    expect((await runGit(dir, [...basic('wrong'), 'ls-remote', url])).code).not.toBe(0);
    expect((await runGit(dir, [...basic(github.token), 'ls-remote', url])).stderr).toContain('not found');
    github.permissions.contents = 'write';
    expect((await runGit(dir, [...basic(github.token), 'ls-remote', url])).code).toBe(0);
    const push = await runGit(dir, [...basic(github.token), 'push', url, '+refs/x:refs/heads/x']);
    expect(push.code).not.toBe(0);
  });

  test('a fetch over HTTP does not change the repository', async () => {
    const { github, repo } = await setupOwn();
    const state = async () => [
      await repo.git('for-each-ref'),
      await repo.git('config', '--local', '--list'),
      await repo.git('count-objects', '-v'),
      await repo.git('status', '--porcelain'),
    ];
    const before = await state();
    await git(await scratch(), ['fetch', '--quiet', `${github.serverUrl}/octo-org/demo`, 'refs/pull/7/head']);
    expect(await state()).toEqual(before);
  });
});
