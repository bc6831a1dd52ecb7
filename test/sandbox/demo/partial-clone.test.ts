import { globSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { readDemoOptions } from '../../../sandbox/demo/cli-options.ts';
import { demonstrate } from '../../../sandbox/demo/demonstrate.ts';
import { createGitFixture, type GitFixture } from '../../../sandbox/git-fixture.ts';
import { ownersGit, partialClone } from '../partial-clone.ts';

let origin: GitFixture;
beforeAll(async () => {
  origin = await createGitFixture({
    commits: [
      { name: 'base', files: { 'a.js': 'let a;\n', 'src/b.js': 'let b;\n', 'other/c.js': 'let c;\n' } },
      { name: 'head', files: { 'src/b.js': 'let b;\neval(b);\n', 'src/d.js': 'let d;\n' } },
    ],
  });
  return () => origin.remove();
});

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
  'the demo fetches nothing, and asks the owner of a clone to fetch, if the clone lacks %s',
  async (_, options) => {
    const repo = await partialClone(origin, ...options);
    const refused = await untouched(repo, () => refusalOf(lineFor(repo, origin)));
    expect(refused).toEqual(new UsageError(`--repo: ${repo} ${FETCH}`));
  },
);

test('the demo accepts a partial clone after the fetch that its refusal asks for', async () => {
  const repo = await partialClone(origin, '--filter=blob:none', '--no-checkout');
  ownersGit(repo, 'fetch', '--quiet', '--refetch', '--no-filter');
  const accepted = await untouched(repo, () => readDemoOptions(lineFor(repo, origin)));
  expect(accepted).toMatchObject({ change: { headSha: origin.id('head') } });
});

test('with --all, the demo prints its progress, everything that the run left and the coverage, even on a partial clone that holds only the change', async () => {
  const repo = await partialClone(origin, '--filter=tree:0', '--no-checkout');
  ownersGit(repo, 'diff', '--stat', origin.id('base'), origin.id('head'));
  const options = await readDemoOptions([...lineFor(repo, origin), '--all']);
  if (options === 'help') throw new Error(options);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const { behaved, ending, coverage } = await untouched(repo, () => demonstrate(options.change, options));
  const printed = log.mock.calls.join('\n');
  expect([behaved, ending], printed).toEqual([true, 'The demo succeeded.']);
  expect(coverage).toContain('the code of 2 of 2 changed files');
  expect(printed).toMatch(/^Job summary .*\n─+\n## 🛑 Blocked/m);
  expect(printed).toMatch(
    /^The bundled action scans .*\n- The action checks .*\n- The action launches .*\n- The fake service scans .*\n- The action reads /,
  );
  expect(printed).toMatch(/^Merge base: [0-9a-f]{40}\. The action and git on the full history agree\.$/m);
  expect(printed).toContain(`onto branch commit-${origin.id('base').slice(0, 7)}.`);
  expect(printed.split('belonged to the fake servers, which have stopped')).toHaveLength(2);
});

test('the demo says what to do if the clone has lost an object', async () => {
  const lost = `${origin.dir}-lost`;
  onTestFinished(() => rm(lost, { recursive: true, force: true }));
  await cp(origin.dir, lost, { recursive: true });
  const blob = ownersGit(lost, 'rev-parse', `${origin.id('head')}:src/d.js`).trim();
  await rm(path.join(lost, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const fault = `--repo: ${lost} does not hold all objects of this change. Check it with \`git fsck\`, or clone it again, then run the demo again.`;
  const refused = await untouched(lost, () => refusalOf(lineFor(lost, origin)));
  expect(refused).toEqual(new UsageError(fault));
});
