import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture, type GitFixture } from '../../../sandbox/git-fixture.ts';
import { ownersGit, partialClone } from '../partial-clone.ts';
import { FULL } from './fact.ts';
import { SAMPLE, start } from './harness.ts';

async function sample(): Promise<GitFixture> {
  const fixture = await createGitFixture({ ...SAMPLE, branches: { feature: 'vulnerable', main: 'base' } });
  onTestFinished(() => fixture.remove());
  return fixture;
}

/** Runs a scan of a repository to its end. Returns its status, and the reason if it failed. */
async function scanned(gitDir: string, over: object = {}) {
  const reasons: string[] = [];
  const { launch, finish } = await start({
    repositories: [{ gitDir }],
    onScanFailure: (_, reason) => reasons.push(reason),
  });
  return { scan: await finish(await launch(over)), reasons };
}

test.each([
  ['a diff scan', 'a file', 'feature:b.js', {}, 'The repository does not hold the content ID.'],
  ['a diff scan', 'a tree', 'feature^{tree}', {}, 'ID'],
  ['a full scan', 'a tree', 'feature^{tree}', FULL, 'not a tree object'],
])('%s is FAILED with a reason if %s of the change is missing', async (_kind, _what, place, over, reason) => {
  const damaged = await sample();
  const id = await damaged.git('rev-parse', place);
  await rm(join(damaged.dir, '.git/objects', id.slice(0, 2), id.slice(2)));
  const { scan, reasons } = await scanned(damaged.dir, over);
  // The last phase started but did not end. It costs one credit, and half of that is rounded down to 0.
  expect(scan).toMatchObject({ status: 'FAILED', coverage: null, creditsSpent: 19 });
  expect(reasons).toEqual([expect.stringContaining(reason.replace('ID', id))]);
});

test.each(['blob:none', 'tree:0'])(
  'a scan of a partial clone with the filter `%s` is FAILED, and fetches nothing',
  async (filter) => {
    const dir = await partialClone(await sample(), `--filter=${filter}`, '--no-checkout');
    const packs = () => readdir(join(dir, '.git/objects/pack'));
    const before = new Set(await packs());
    expect((await scanned(dir)).scan).toMatchObject({ status: 'FAILED' });
    expect(new Set(await packs())).toEqual(before);
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
