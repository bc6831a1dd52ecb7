import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture, type GitFixture } from '../../../sandbox/git-fixture.ts';
import { ownersGit, partialClone } from '../partial-clone.ts';
import { SAMPLE, start } from './harness.ts';

async function sample(): Promise<GitFixture> {
  const fixture = await createGitFixture({ ...SAMPLE, branches: { feature: 'vulnerable', main: 'base' } });
  onTestFinished(() => fixture.remove());
  return fixture;
}

/** Runs a diff scan of a repository to its end. Returns its status, and the reason if it failed. */
async function scanned(gitDir: string) {
  const reasons: string[] = [];
  const { launch, finish } = await start({
    repositories: [{ owner: 'acme', name: 'shop', gitDir }],
    onScanFailure: (_, reason) => reasons.push(reason),
  });
  return { scan: await finish(await launch()), reasons };
}

async function packs(dir: string): Promise<string[]> {
  return (await readdir(join(dir, '.git/objects/pack'))).sort();
}

test('a diff scan is FAILED with a reason if a file of the change is missing', async () => {
  const damaged = await sample();
  const blob = await damaged.git('rev-parse', 'feature:b.js');
  await rm(join(damaged.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const { scan, reasons } = await scanned(damaged.dir);
  expect(scan).toMatchObject({ status: 'FAILED', coverage: null });
  expect(reasons[0]).toContain(`The repository does not hold the content ${blob}.`);
});

test('a diff scan is FAILED if a tree of the change is missing', async () => {
  const damaged = await sample();
  const tree = await damaged.git('rev-parse', 'feature^{tree}');
  await rm(join(damaged.dir, '.git/objects', tree.slice(0, 2), tree.slice(2)));
  expect((await scanned(damaged.dir)).scan).toMatchObject({ status: 'FAILED', coverage: null });
});

test.each(['blob:none', 'tree:0'])(
  'a scan of a partial clone with the filter `%s` is FAILED, and fetches nothing',
  async (filter) => {
    const dir = await partialClone(await sample(), `--filter=${filter}`, '--no-checkout');
    const before = await packs(dir);
    expect((await scanned(dir)).scan).toMatchObject({ status: 'FAILED' });
    expect(await packs(dir)).toEqual(before);
  },
);

test('a scan of a partial clone that holds the change is COMPLETED', async () => {
  const origin = await sample();
  const dir = await partialClone(origin, '--filter=tree:0', '--no-checkout');
  ownersGit(dir, 'diff', '--stat', origin.id('base'), origin.id('vulnerable'));
  expect((await scanned(dir)).scan).toMatchObject({
    status: 'COMPLETED',
    coverage: { filesRead: 2, codeFilesRead: 2, filesSkipped: 0 },
  });
});
