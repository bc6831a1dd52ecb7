import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture, type FixtureDescription } from '../../sandbox/git-fixture.ts';

const FORKED: FixtureDescription = {
  commits: [
    { name: 'base', files: { 'a.txt': 'one\n', 'old.txt': 'old\n' } },
    { name: 'main-tip', files: { 'a.txt': 'two\n' } },
    { name: 'feature', parents: ['base'], files: { 'dir/with "quote".txt': 'x\n', 'old.txt': null } },
    { name: 'merged', parents: ['main-tip', 'feature'] },
    { name: 'stranger', parents: [], files: { 'z.txt': 'z\n' } },
  ],
  branches: { main: 'main-tip', feature: 'feature', stranger: 'stranger' },
  refs: { 'refs/pull/1/merge': 'merged' },
};

async function fixture(description: Partial<FixtureDescription> = {}) {
  const repository = await createGitFixture({ ...FORKED, ...description });
  onTestFinished(() => repository.remove());
  return repository;
}

test('createGitFixture creates the commits, branches and files of the description, and checks out the first branch', async () => {
  const { git, id, dir, remove } = await fixture();
  expect(await git('rev-list', '--parents', '-n1', 'refs/pull/1/merge')).toBe(
    ['merged', 'main-tip', 'feature'].map(id).join(' '),
  );
  expect(await git('merge-base', 'main', 'feature')).toBe(id('base'));
  expect(await git('rev-list', '--count', 'stranger')).toBe('1');
  expect(await git('ls-tree', '-r', '--name-only', '-z', 'feature')).toBe('a.txt\0dir/with "quote".txt\0');
  expect(await git('status', '--porcelain', '--branch')).toBe('## main');
  await remove();
  expect(existsSync(dir)).toBe(false);
});

test('createGitFixture gives the same commit ids for the same description, and can create SHA-256 repositories', async () => {
  const [one, bare] = [await fixture(), await fixture({ bare: true })];
  expect(one.id('merged')).toBe(bare.id('merged'));
  expect(await bare.git('rev-parse', '--is-bare-repository')).toBe('true');
  expect((await fixture({ objectFormat: 'sha256' })).id('base')).toMatch(/^[0-9a-f]{64}$/);
});

test('createGitFixture refuses an unknown parent', async () => {
  const refused = createGitFixture({ commits: [{ name: 'a', parents: ['gone'] }] });
  await expect(refused).rejects.toThrow('no commit called gone');
});
