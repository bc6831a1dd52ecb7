import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createGitFixture, type FixtureDescription, type GitFixture } from '../../sandbox/git-fixture.ts';

const made: GitFixture[] = [];

async function fixture(description: FixtureDescription): Promise<GitFixture> {
  const repository = await createGitFixture(description);
  made.push(repository);
  return repository;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map((repository) => repository.remove()));
});

const forked: FixtureDescription = {
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

describe('createGitFixture', () => {
  it('createGitFixture creates the commits, branches and files of the description', async () => {
    const repository = await fixture(forked);
    expect(await repository.git('merge-base', 'main', 'feature')).toBe(repository.id('base'));
    expect(await repository.git('rev-list', '--parents', '-n1', 'refs/pull/1/merge')).toBe(
      `${repository.id('merged')} ${repository.id('main-tip')} ${repository.id('feature')}`,
    );
    expect(await repository.git('rev-list', '--count', 'stranger')).toBe('1');
    expect(
      await repository.git('-c', 'core.quotePath=off', 'ls-tree', '-r', '--name-only', '-z', 'feature'),
    ).toBe('a.txt\0dir/with "quote".txt\0');
  });

  it('createGitFixture gives the same commit ids for the same description', async () => {
    const [one, two] = [await fixture(forked), await fixture({ ...forked, bare: true })];
    expect(one.id('merged')).toBe(two.id('merged'));
  });

  it('createGitFixture checks out the default branch unless the repository is bare', async () => {
    const repository = await fixture(forked);
    expect(await repository.git('status', '--porcelain', '--branch')).toBe('## main');
    const bare = await fixture({ ...forked, bare: true });
    expect(await bare.git('rev-parse', '--is-bare-repository')).toBe('true');
  });

  it('createGitFixture creates SHA-256 repositories', async () => {
    const repository = await fixture({ ...forked, objectFormat: 'sha256' });
    expect(repository.id('base')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('createGitFixture refuses an unknown parent, and leaves nothing behind', async () => {
    await expect(createGitFixture({ commits: [{ name: 'a', parents: ['nobody'] }] })).rejects.toThrow(
      'nobody',
    );
  });

  it('calling `remove` deletes the repository of the git fixture', async () => {
    const repository = await createGitFixture(forked);
    await repository.remove();
    expect(existsSync(repository.dir)).toBe(false);
  });
});
