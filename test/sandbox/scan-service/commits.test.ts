import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';
import { readCommits } from '../../../sandbox/scan-service/commits.ts';

test('readCommits finds commits by id and by ref, and a commit that was missing in an earlier call', async () => {
  const repository = await createGitFixture({ commits: [{ name: 'a' }, { name: 'b' }], bare: true });
  onTestFinished(() => repository.remove());
  const [a, b] = [repository.id('a'), repository.id('b')];
  const ids = async (...names: string[]) =>
    (await readCommits(repository.dir, names)).map((commit) => commit?.id);
  const object = join(repository.dir, 'objects', a.slice(0, 2), a.slice(2));
  await rename(object, `${object}-away`);
  expect(await ids(a, b)).toEqual([undefined, b]);
  await rename(`${object}-away`, object);
  const unknown = '1'.repeat(40);
  expect(await ids(unknown, a, 'refs/heads/gone', 'refs/heads/main', 'HEAD')).toEqual([
    undefined,
    a,
    undefined,
    b,
    b,
  ]);
  // A ref can move, so its commit is looked up each time.
  await repository.git('update-ref', 'refs/heads/main', a);
  expect(await ids('refs/heads/main', a)).toEqual([a, a]);
});
