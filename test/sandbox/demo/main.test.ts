import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { readDemoOptions } from '../../../sandbox/demo/cli-options.ts';
import { demonstrate } from '../../../sandbox/demo/demonstrate.ts';
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
  expect(existsSync(path.join(fixture.dir, '.github'))).toBe(false);
});

test('the demo says that nothing was scanned if the commits have no common ancestor', async () => {
  const [base, head] = [fixture.id('second'), fixture.id('other')];
  const options = await readDemoOptions([`--repo=${fixture.dir}`, `--base=${base}`, `--head=${head}`]);
  if (options === 'help') throw new Error(options);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const { behaved, ending } = await demonstrate(options.change, options);
  expect([behaved, ending]).toEqual([
    true,
    'The action scanned nothing, as expected: base and head have no common ancestor. To see a scan, use two commits that have one.',
  ]);
  expect(log.mock.calls.join('\n')).toContain('Verdict: not-scanned, exit code 1.');
});

test.each([
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
