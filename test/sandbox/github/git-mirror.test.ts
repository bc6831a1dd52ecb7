import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture, type FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { createGitMirror } from '../../../sandbox/github/git-mirror.ts';

const FORMS: readonly Omit<FixtureDescription, 'commits'>[] = [
  { bare: true },
  { bare: true, objectFormat: 'sha256' },
  { bare: false },
];

test('a mirror shows the new repository after another repository was deleted from the same folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'scangate-mirror-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const dir = join(root, 'repository');
  for (const form of FORMS) {
    const made = await createGitFixture({ ...form, commits: [{ name: 'a' }] });
    await rename(made.dir, dir);
    const mirror = createGitMirror({ dir, pullRequestHeads: () => new Map() });
    const type = await mirror.ask([made.id('a')], ['cat-file', '-t', made.id('a')]);
    expect([form, type?.toString()]).toEqual([form, 'commit\n']);
    await mirror.remove();
    await rm(dir, { recursive: true });
  }
});

test('the removal of a mirror waits for the git commands of another mirror of the same repository', async () => {
  const { dir, id, remove } = await createGitFixture({ bare: true, commits: [{ name: 'a' }] });
  onTestFinished(remove);
  const mirrorOf = () => createGitMirror({ dir, pullRequestHeads: () => new Map() });
  const [first, second, third] = [mirrorOf(), mirrorOf(), mirrorOf()];
  // The command `slow` runs in the folder of the first mirror, until the file `go-on` exists.
  const goOn = join(dir, 'go-on');
  const slow = ['-c', `alias.slow=!until test -e '${goOn}'; do :; done; cat HEAD`, 'slow'];
  const asked = [first, second].map((mirror) => mirror.ask([id('a')], slow));
  const removal = first.remove();
  // A removal that did not wait for the command `slow` would end during these calls.
  await third.publish();
  await third.remove();
  await writeFile(goOn, '');
  expect((await Promise.all(asked)).map(String)).toEqual(asked.map(() => 'ref: refs/heads/main\n'));
  await removal;
  await second.remove();
});

test('a mirror of a shallow clone shows the same history as the clone', async () => {
  const whole = await createGitFixture({ bare: true, commits: [{ name: 'a' }, { name: 'b' }] });
  onTestFinished(() => whole.remove());
  const dir = join(whole.dir, 'shallow');
  await whole.git('clone', '--quiet', '--bare', '--depth=1', `file://${whole.dir}`, dir);
  const mirror = createGitMirror({ dir, pullRequestHeads: () => new Map() });
  onTestFinished(() => mirror.remove());
  const history = await mirror.ask([whole.id('b')], ['rev-list', whole.id('b')]);
  expect(history?.toString()).toBe(`${whole.id('b')}\n`);
});
