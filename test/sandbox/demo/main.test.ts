import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { readDemoOptions } from '../../../sandbox/demo/cli-options.ts';
import { demonstrate } from '../../../sandbox/demo/demonstrate.ts';
import { nextSteps } from '../../../sandbox/demo/next-steps.ts';
import { createGitFixture, type GitFixture } from '../../../sandbox/git-fixture.ts';

const DEMO = path.resolve(import.meta.dirname, '../../../sandbox/demo/main.ts');
const USAGE = 'Usage: npm run demo [-- --repo PATH --base REF --head REF]';

let fixture: GitFixture;
beforeAll(async () => {
  fixture = await createGitFixture({
    commits: [
      { name: 'first', files: { 'a.js': 'let a;\n' } },
      { name: 'second', files: { 'a.js': 'let a;\nconst f = (x) => eval(x);\n', 'b.txt': 'b\n' } },
      { name: 'other', parents: [] },
    ],
    branches: { main: 'second', other: 'other' },
  });
  mkdirSync(path.join(fixture.dir, 'inside'));
  await fixture.git('clone', '--quiet', '--depth=1', `file://${fixture.dir}`, `${fixture.dir}-shallow`);
});
afterAll(async () => {
  await rm(`${fixture.dir}-shallow`, { recursive: true, force: true });
  await fixture.remove();
});

test.each([
  ['--bogus', USAGE],
  ['a stray word', USAGE],
  ['--triage --repo=.', '--triage takes no other option. Leave the others out.\nUsage: '],
  ['--repo', USAGE],
  ['--repo=.', `--base is missing.\n--head is missing.\n${USAGE}`],
  ['--repo=. --base=HEAD', `--head is missing.\n${USAGE}`],
  ['--repo=. --base= --head=HEAD', `--base is empty.\n${USAGE}`],
  ['--repo=/nowhere --base=a --head=b', '--repo: /nowhere does not exist'],
  ['--repo=/ --base=a --head=b', '--repo: / is not a git repository'],
  ['--repo=REPO --base=gone --head=HEAD', '--base: gone is not a commit in REPO'],
  ['--repo=REPO --base=HEAD --head=gone', '--head: gone is not a commit in REPO'],
  ['--repo=REPO/inside --base=HEAD --head=HEAD', 'Use the top folder'],
  ['--repo=REPO-shallow --base=HEAD --head=HEAD', 'is a shallow clone, in which the merge base'],
  ['--repo=REPO-shallow --base=HEAD --head=HEAD', 'git fetch --unshallow'],
])('the demo refuses the arguments `%s`, and explains the right ones', async (line, says) => {
  const reading = readDemoOptions(line.replaceAll('REPO', fixture.dir).split(' '));
  const error = await reading.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(says.replaceAll('REPO', fixture.dir));
});

test('the demo shows its usage on `--help`', async () => {
  expect(await readDemoOptions(['--help'])).toBe('help');
});

/** The change between two commits of the fixture, and what the demo prints for it. */
async function demonstrated(base: string, head: string) {
  const line = [`--repo=${fixture.dir}`, `--base=${fixture.id(base)}`, `--head=${fixture.id(head)}`, '--all'];
  const options = await readDemoOptions(line);
  if (options === 'help') throw new Error(options);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const ended = await demonstrate(options.change, options);
  return { ...ended, ...options, printed: log.mock.calls.join('\n') };
}

test('by default, the demo prints the findings, the verdict, the page and the next steps', async () => {
  const line = [`--repo=${fixture.dir}`, '--base=HEAD~1', '--head=HEAD'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [DEMO, ...line], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const steady = stdout
    .replaceAll(fixture.dir, 'REPO')
    .replaceAll(path.basename(fixture.dir), 'NAME')
    .replaceAll(path.resolve('build/preview'), 'FOLDER')
    .replaceAll(/ZK-[0-9a-f]{8}/g, 'ZK-LABEL');
  await expect(steady).toMatchFileSnapshot('default.golden.txt');
});

test('with --all, the demo prints its progress, everything that the run left, the coverage and the next steps', async () => {
  const { behaved, ending, coverage, printed, change } = await demonstrated('first', 'second');
  expect([behaved, ending]).toEqual([true, 'The demo succeeded.']);
  expect(printed).toMatch(/^Job summary .*\n─+\n## 🛑 Blocked/m);
  expect(printed).toMatch(
    /^The bundled action scans .*\n- The action checks .*\n- The action launches .*\n- The fake service scans .*\n- The action reads /,
  );
  expect(printed).toMatch(/^Merge base: [0-9a-f]{40}\. The action and git on the full history agree\.$/m);
  expect(printed).toContain(`onto branch commit-${fixture.id('first').slice(0, 7)}.`);
  expect(printed.split('belonged to the fake servers, which have stopped')).toHaveLength(2);
  expect(coverage).toContain(
    'searched the code of 1 of 2 changed files for vulnerabilities, and 2 for credentials.',
  );
  const steps = await nextSteps(change, false);
  const [, written = '', target] = /Copy the workflow for this repository: (.*) to (.*)$/m.exec(steps) ?? [];
  expect(target).toBe(path.join(fixture.dir, '.github/workflows/scangate.yml'));
  expect(existsSync(path.join(fixture.dir, '.github'))).toBe(false);
  // Tests that run at the same time write the same file, for other branches.
  expect(readFileSync(written, 'utf8')).toMatch(/branches: \[.+\]/);
});

test('the demo says that nothing was scanned if the commits have no common ancestor', async () => {
  const { behaved, ending, printed } = await demonstrated('second', 'other');
  expect([behaved, ending]).toEqual([
    true,
    'The action scanned nothing, as expected: base and head have no common ancestor. To see a scan, use two commits that have one.',
  ]);
  expect(printed).toContain('Verdict: not-scanned, exit code 1.');
});

test.each([
  ['HEAD~1', 'HEAD-1'],
  ['HEAD^', 'HEAD'],
  ['@~1', '1'],
])('the demo turns the base `%s` into the branch name `%s`', async (base, branch) => {
  const line = [`--repo=${fixture.dir}`, `--base=${base}`, '--head=HEAD'];
  expect(await readDemoOptions(line)).toMatchObject({
    change: { baseRef: branch },
    isSample: false,
    all: false,
  });
});
