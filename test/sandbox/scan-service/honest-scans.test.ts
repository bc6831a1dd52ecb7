import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture, type GitFixture } from '../../../sandbox/git-fixture.ts';
import { SAMPLE, start } from './harness.ts';

async function sample(): Promise<GitFixture> {
  const fixture = await createGitFixture({ ...SAMPLE, branches: { feature: 'vulnerable', main: 'base' } });
  onTestFinished(() => fixture.remove());
  return fixture;
}

/** The end of a diff scan of a repository, and the reason that was given for a failure. */
async function scanned(gitDir: string) {
  const reasons: string[] = [];
  const { launch, finish } = await start({
    repositories: [{ owner: 'acme', name: 'shop', gitDir }],
    onScanFailure: (_, reason) => reasons.push(reason),
  });
  return { scan: await finish(await launch()), reasons };
}

test('a diff scan of a change of which a file is missing is FAILED, and says why', async () => {
  const damaged = await sample();
  const blob = await damaged.git('rev-parse', 'feature:b.js');
  await rm(join(damaged.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const { scan, reasons } = await scanned(damaged.dir);
  expect(scan).toMatchObject({ status: 'FAILED', coverage: null });
  expect(reasons[0]).toBe(`The repository does not hold the content ${blob}.`);
});

test('a diff scan of a change of which a tree is missing is FAILED', async () => {
  const damaged = await sample();
  const tree = await damaged.git('rev-parse', 'feature^{tree}');
  await rm(join(damaged.dir, '.git/objects', tree.slice(0, 2), tree.slice(2)));
  expect((await scanned(damaged.dir)).scan).toMatchObject({ status: 'FAILED', coverage: null });
});
