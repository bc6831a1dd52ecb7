import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { readDemoOptions } from '../../../sandbox/demo/cli-options.ts';
import { demonstrate } from '../../../sandbox/demo/demonstrate.ts';
import { createGitFixture, type GitFixture } from '../../../sandbox/git-fixture.ts';
import { ownersGit, partialClone } from '../partial-clone.ts';

const DEMO = path.resolve(import.meta.dirname, '../../../sandbox/demo/main.ts');

async function origin(): Promise<GitFixture> {
  const fixture = await createGitFixture({
    commits: [
      { name: 'base', files: { 'a.js': 'let a;\n', 'src/b.js': 'let b;\n', 'other/c.js': 'let c;\n' } },
      { name: 'head', files: { 'src/b.js': 'let b;\neval(b);\n', 'src/d.js': 'let d;\n' } },
    ],
  });
  onTestFinished(() => fixture.remove());
  return fixture;
}

const lineFor = (repo: string, from: GitFixture): readonly string[] => [
  `--repo=${repo}`,
  `--base=${from.id('base')}`,
  `--head=${from.id('head')}`,
];

/** Runs something, and checks that it changes no file of the repository. */
async function untouched<T>(repo: string, run: () => T): Promise<Awaited<T>> {
  const files = () =>
    globSync('**/*', { cwd: path.join(repo, '.git') })
      .sort()
      .map((name) => {
        const { size, mtimeMs } = statSync(path.join(repo, '.git', name));
        return `${name} ${size} ${mtimeMs}`;
      });
  const before = files();
  const result = await run();
  expect(files()).toEqual(before);
  return result;
}

const FETCH =
  'is a partial clone that does not hold all files of this change. Run `git fetch --refetch --no-filter` in it, then run the demo again.';

const refusalOf = (line: readonly string[]) => readDemoOptions(line).catch((error: unknown) => error);

test.each([
  ['the contents of files', ['--filter=blob:none', '--no-checkout']],
  ['the contents of older files', ['--filter=blob:none']],
  ['trees', ['--filter=tree:0', '--no-checkout']],
])(
  'the demo asks the owner of a clone to fetch the missing objects if the clone lacks %s',
  async (_, options) => {
    const from = await origin();
    const repo = await partialClone(from, ...options);
    const refused = await untouched(repo, () => refusalOf(lineFor(repo, from)));
    expect(refused).toEqual(new UsageError(`--repo: ${repo} ${FETCH}`));
  },
);

test('the demo sends no request to the server of a partial clone that it refuses', async () => {
  const from = await origin();
  const repo = await partialClone(from, '--filter=blob:none', '--no-checkout');
  ownersGit(repo, 'remote', 'set-url', 'origin', 'https://192.0.2.1/acme/shop');
  const ended = await untouched(repo, () =>
    spawnSync(process.execPath, [DEMO, ...lineFor(repo, from)], { encoding: 'utf8' }),
  );
  expect(ended).toMatchObject({ status: 2, stdout: '', stderr: `--repo: ${repo} ${FETCH}\n` });
});

test.each([
  ['has the missing objects', 'blob:none', ['fetch', '--quiet', '--refetch', '--no-filter']],
  ['holds only the change', 'tree:0', ['diff', '--stat', 'base', 'head']],
])('the demo runs on a partial clone that %s', async (_what, filter, fetches) => {
  const from = await origin();
  const repo = await partialClone(from, `--filter=${filter}`, '--no-checkout');
  ownersGit(repo, ...fetches.map((word) => (/^(?:base|head)$/.test(word) ? from.id(word) : word)));
  const options = await readDemoOptions(lineFor(repo, from));
  if (options === 'help') throw new Error(options);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const { behaved, coverage } = await untouched(repo, () => demonstrate(options.change, options));
  expect(behaved, log.mock.calls.join('\n')).toBe(true);
  expect(coverage).toContain('the code of 2 of 2 changed files');
});

test('the demo says what to do if the clone has lost an object', async () => {
  const from = await origin();
  const blob = await from.git('rev-parse', `${from.id('head')}:src/d.js`);
  await rm(path.join(from.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const fault = `--repo: ${from.dir} does not hold all objects of this change. Check it with \`git fsck\`, or clone it again, then run the demo again.`;
  const refused = await untouched(from.dir, () => refusalOf(lineFor(from.dir, from)));
  expect(refused).toEqual(new UsageError(fault));
});
