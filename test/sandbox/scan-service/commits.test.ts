import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';
import { readCommits } from '../../../sandbox/scan-service/commits.ts';

test('commits with the same files have the same tree id', async () => {
  const repository = await createGitFixture({
    commits: [
      { name: 'a', files: { 'a.txt': 'a' } },
      { name: 'b', files: { 'a.txt': 'b' } },
      { name: 'c', files: { 'a.txt': 'a' } },
      { name: 'd', files: { 'a.txt': null } },
    ],
    bare: true,
  });
  onTestFinished(() => repository.remove());
  const same = async (...names: string[]) => {
    const commits = await readCommits(
      repository.dir,
      names.map((name) => repository.id(name)),
    );
    return new Set(commits.map((commit) => commit?.tree)).size === 1;
  };
  expect(await same('a', 'c')).toBe(true);
  expect(await same('a', 'b')).toBe(false);
  expect(await same('c', 'd')).toBe(false);
});

test('readCommits finds commits by id and by ref', async () => {
  const repository = await createGitFixture({ commits: [{ name: 'a' }, { name: 'b' }], bare: true });
  onTestFinished(() => repository.remove());
  const unknown = '1'.repeat(40);
  const ids = async (...names: string[]) =>
    (await readCommits(repository.dir, names)).map((commit) => commit?.id);
  expect(await ids(unknown, repository.id('a'), 'refs/heads/gone', 'refs/heads/main', 'HEAD')).toEqual([
    undefined,
    repository.id('a'),
    undefined,
    repository.id('b'),
    repository.id('b'),
  ]);
  // A ref can move, so its commit is looked up each time.
  await repository.git('update-ref', 'refs/heads/main', repository.id('a'));
  expect(await ids('refs/heads/main', repository.id('a'))).toEqual([repository.id('a'), repository.id('a')]);
});

test('readCommits finds a commit that was missing in an earlier call', async () => {
  const repository = await createGitFixture({ commits: [{ name: 'a' }], bare: true });
  onTestFinished(() => repository.remove());
  const id = repository.id('a');
  const object = join(repository.dir, 'objects', id.slice(0, 2), id.slice(2));
  await rename(object, `${object}-away`);
  expect(await readCommits(repository.dir, [id])).toEqual([undefined]);
  await rename(`${object}-away`, object);
  expect(await readCommits(repository.dir, [id])).toMatchObject([{ id }]);
});
