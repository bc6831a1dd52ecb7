import { mkdtemp, rename, rm } from 'node:fs/promises';
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

test('a repository of another form that takes the place of one is shown as it is', async () => {
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
