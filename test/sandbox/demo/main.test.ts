import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readDemoOptions } from '../../../sandbox/demo/cli-options.ts';
import { demonstrate } from '../../../sandbox/demo/demonstrate.ts';
import { createGitFixture, type GitFixture } from '../../../sandbox/git-fixture.ts';

const DEMO = path.resolve(import.meta.dirname, '../../../sandbox/demo/main.ts');
const USAGE = 'Usage: npm run demo [-- --repo PATH --base REF --head REF]';

function demo(args: readonly string[]) {
  return spawnSync(process.execPath, [DEMO, ...args], { encoding: 'utf8' });
}

test.each([
  ['--help', 0, USAGE],
  ['--bogus', 2, USAGE],
])('the demo prints a plain message for %s', (line, exitCode, says) => {
  const { status, stdout, stderr } = demo(line.split(' '));
  expect({ status, stack: /\n\s+at /.test(stderr) }).toEqual({ status: exitCode, stack: false });
  expect(exitCode === 0 ? stdout : stderr).toContain(says);
});

test.each([
  ['a stray word', USAGE],
  ['--triage --repo=.', `--triage takes no other option. Leave the others out.\nUsage: `],
  ['--repo', USAGE],
  ['--repo=.', `--base is missing.\n--head is missing.\n${USAGE}`],
  ['--repo=. --base=HEAD', `--head is missing.\n${USAGE}`],
  ['--repo=. --base= --head=HEAD', `--base is empty.\n${USAGE}`],
  ['--repo=/nowhere --base=a --head=b', '--repo: /nowhere does not exist'],
  ['--repo=/ --base=a --head=b', '--repo: / is not a git repository'],
])('the demo refuses the arguments `%s`, and explains the right ones', async (line, says) => {
  expect(await readDemoOptions(line.split(' '))).toEqual({
    message: expect.stringContaining(says),
    exitCode: 2,
  });
});

describe('the demo on a repository of its own', () => {
  let fixture: GitFixture;
  beforeAll(async () => {
    const files = (text: string) => ({ 'a.txt': text });
    fixture = await createGitFixture({
      commits: [
        { name: 'first', files: files('a\n') },
        { name: 'second', files: files('b\n') },
      ],
    });
  });
  afterAll(() => fixture.remove());

  test.each([
    ['no-such-ref', 'HEAD', '--base'],
    ['HEAD', 'no-such-ref', '--head'],
  ])('the demo reports a base or a head that does not exist: %s..%s', async (base, head, option) => {
    const line = [`--repo=${fixture.dir}`, `--base=${base}`, `--head=${head}`];
    expect(await readDemoOptions(line)).toEqual({
      message: expect.stringContaining(`${option}: no-such-ref is not a commit in ${fixture.dir}`),
      exitCode: 2,
    });
  });

  const onFixture = () => [
    `--repo=${fixture.dir}`,
    `--base=${fixture.id('first')}`,
    `--head=${fixture.id('second')}`,
  ];

  test('by default, the demo prints the findings, the verdict, the page and the next steps in at most 25 lines', () => {
    const { status, stdout } = demo(onFixture());
    expect(status).toBe(0);
    expect(stdout).toContain('\nThe run reported no findings.\n');
    expect(stdout).toMatch(/^Verdict: passed, 0 blocking, exit code 0\.$/m);
    expect(stdout).toMatch(/^Pull request as a reviewer sees it: file:.*\/demo\.html$/m);
    expect(stdout).toContain('\nWhat to do next:\n');
    expect(stdout).not.toMatch(/^Outputs$|127\.0\.0\.1/m);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(25);
  });

  test('with --all, the demo prints its progress, everything that the run left, the coverage and the next steps', () => {
    const { status, stdout } = demo([...onFixture(), '--all']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Job summary .*\n─+\n## ✅ Passed/m);
    expect(stdout).toMatch(
      /^The bundled action scans .*\n- The action checks .*\n- The action launches .*\n- The fake service scans .*\n- The action reads /,
    );
    expect(stdout).toMatch(
      /^The fake scanning service searched the code of 0 of 1 changed file for vulnerabilities, and 1 for credentials\. /m,
    );
    const [, steps = ''] = stdout.split('\nWhat to do next:\n');
    const workflow = /Copy the workflow for this repository: (.*) to (.*)$/m.exec(steps);
    expect(workflow?.[2]).toBe(path.join(fixture.dir, '.github/workflows/scangate.yml'));
    expect(existsSync(path.join(fixture.dir, '.github'))).toBe(false);
    // Tests that run at the same time write the same file, for other branches.
    expect(readFileSync(workflow?.[1] ?? '', 'utf8')).toMatch(/branches: \[.+\]/);
    expect(steps).toContain('SCANGATE_API_TOKEN');
    expect(stdout).toContain(`onto branch commit-${fixture.id('first').slice(0, 7)}.`);
    expect(stdout).toMatch(/^Merge base: [0-9a-f]{40}\. The action and git on the full history agree\.$/m);
    expect(stdout).toMatch(/^The demo succeeded\.$/m);
    expect(stdout.split('belonged to the fake servers, which have stopped')).toHaveLength(2);
  });

  test('the demo says that nothing was scanned if the commits have no common ancestor', async () => {
    const unrelated = await createGitFixture({ commits: [{ name: 'one' }, { name: 'other', parents: [] }] });
    onTestFinished(unrelated.remove);
    const commits = [`--base=${unrelated.id('one')}`, `--head=${unrelated.id('other')}`];
    const options = await readDemoOptions([`--repo=${unrelated.dir}`, ...commits]);
    if ('message' in options) throw new Error(options.message);
    const log = vi.spyOn(console, 'log').mockReturnValue();
    expect(await demonstrate(options.change, options)).toMatchObject({
      behaved: true,
      ending:
        'The action scanned nothing, as expected: base and head have no common ancestor. To see a scan, use two commits that have one.',
    });
    expect(log.mock.calls.join('\n')).toContain('Verdict: not-scanned, exit code 1.');
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

  test('the demo refuses a folder inside of a repository', async () => {
    const folder = path.join(fixture.dir, 'inside');
    mkdirSync(folder);
    const refused = await readDemoOptions([`--repo=${folder}`, '--base=HEAD', '--head=HEAD']);
    rmdirSync(folder);
    expect(refused).toEqual({ message: expect.stringContaining('Use the top folder'), exitCode: 2 });
  });

  test('the demo asks the owner of a shallow clone to fetch the missing history', async () => {
    const shallow = `${fixture.dir}-shallow`;
    try {
      await fixture.git('clone', '--quiet', '--depth=1', `file://${fixture.dir}`, shallow);
      const refused = await readDemoOptions([`--repo=${shallow}`, '--base=HEAD', '--head=HEAD']);
      expect(refused).toEqual({ message: expect.stringContaining('is a shallow clone'), exitCode: 2 });
      expect(refused).toMatchObject({ message: expect.stringContaining('git fetch --unshallow') });
    } finally {
      await rm(shallow, { recursive: true, force: true });
    }
  });
});
