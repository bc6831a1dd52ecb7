import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readDemoOptions } from '../../../sandbox/demo/cli-options.ts';
import { type Demonstration, demonstrate } from '../../../sandbox/demo/demonstrate.ts';
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

function argumentsFor(repo: string, from: GitFixture): readonly string[] {
  return [`--repo=${repo}`, `--base=${from.id('base')}`, `--head=${from.id('head')}`];
}

function demo(repo: string, from: GitFixture) {
  const before = filesOf(repo);
  const args = [DEMO, ...argumentsFor(repo, from)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(filesOf(repo)).toEqual(before);
  return { status, stdout, stderr };
}

/** The message and the exit code of the demo for a repository that it refuses. The demo runs in this process. */
async function refusal(repo: string, from: GitFixture): Promise<unknown> {
  const before = filesOf(repo);
  const refused = await readDemoOptions(argumentsFor(repo, from));
  expect(filesOf(repo)).toEqual(before);
  return refused;
}

/** The output and the result of the demo for a repository that it accepts. The demo runs in this process. */
async function demonstration(repo: string, from: GitFixture): Promise<Demonstration & { printed: string }> {
  const before = filesOf(repo);
  const options = await readDemoOptions(argumentsFor(repo, from));
  if ('message' in options) throw new Error(options.message);
  const { change } = options;
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const ended = await demonstrate(change, options);
  await change.remove();
  expect(filesOf(repo)).toEqual(before);
  return { ...ended, printed: log.mock.calls.join('\n') };
}

/** Every file with its size and time. Any write to the repository changes the list. */
function filesOf(repo: string): string[] {
  return globSync('**/*', { cwd: path.join(repo, '.git') })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(path.join(repo, '.git', name));
      return `${name} ${size} ${mtimeMs}`;
    });
}

function asksForTheRest(repo: string) {
  return {
    exitCode: 2,
    message: `--repo: ${repo} is a partial clone that does not hold all files of this change. Run \`git fetch --refetch --no-filter\` in it, then run the demo again.`,
  };
}

test.each([
  ['the contents of files', ['--filter=blob:none', '--no-checkout']],
  ['the contents of older files', ['--filter=blob:none']],
  ['trees', ['--filter=tree:0', '--no-checkout']],
])(
  'the demo asks the owner of a clone to fetch the missing objects if the clone lacks %s',
  async (_, options) => {
    const from = await origin();
    const repo = await partialClone(from, ...options);
    expect(await refusal(repo, from)).toEqual(asksForTheRest(repo));
  },
);

test('the demo sends no request to the server of a partial clone that it refuses', async () => {
  const from = await origin();
  const repo = await partialClone(from, '--filter=blob:none', '--no-checkout');
  ownersGit(repo, 'remote', 'set-url', 'origin', 'https://192.0.2.1/acme/shop');
  const { exitCode, message } = asksForTheRest(repo);
  expect(demo(repo, from)).toEqual({ status: exitCode, stdout: '', stderr: `${message}\n` });
});

test('the demo runs on a partial clone after its owner has fetched the missing objects', async () => {
  const from = await origin();
  const repo = await partialClone(from, '--filter=blob:none', '--no-checkout');
  ownersGit(repo, 'fetch', '--quiet', '--refetch', '--no-filter');
  const { behaved, coverage, printed } = await demonstration(repo, from);
  expect(behaved, printed).toBe(true);
  expect(coverage).toContain('the code of 2 of 2 changed files');
});

test('the demo runs on a partial clone that holds only the change', async () => {
  const from = await origin();
  const repo = await partialClone(from, '--filter=tree:0', '--no-checkout');
  ownersGit(repo, 'diff', '--stat', from.id('base'), from.id('head'));
  const { behaved, coverage, printed } = await demonstration(repo, from);
  expect(behaved, printed).toBe(true);
  expect(coverage).toContain('the code of 2 of 2 changed files');
});

test('the demo says what to do if the clone has lost an object', async () => {
  const from = await origin();
  const blob = await from.git('rev-parse', `${from.id('head')}:src/d.js`);
  await rm(path.join(from.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  expect(await refusal(from.dir, from)).toEqual({
    exitCode: 2,
    message: `--repo: ${from.dir} does not hold all objects of this change. Check it with \`git fsck\`, or clone it again, then run the demo again.`,
  });
});
