import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { givenChange, sampleChange } from '../../../sandbox/demo/local-change.ts';
import { nextSteps, workflowFor } from '../../../sandbox/demo/next-steps.ts';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';

const README = readFileSync('README.md', 'utf8');

test('after a demo of the sample, the next steps refer to the README', async () => {
  const change = await sampleChange();
  onTestFinished(() => change.remove());
  expect(await nextSteps(change, true)).toMatch(
    /^- Add Scangate to your repository: README\.md, Quick start\.$/m,
  );
});

test.each(['main', 'release/1.x', 'a, b'])(
  'the next steps suggest a workflow that protects the branch "%s"',
  (branch) => {
    expect(parse(workflowFor(README, branch))).toMatchObject({
      on: { pull_request: { branches: [branch] } },
      jobs: { scangate: { permissions: { checks: 'write' } } },
    });
  },
);

test.each([
  ['trunk', 'trunk'],
  ['origin/trunk', 'trunk'],
  ['HEAD~1', 'develop'],
  ['HEAD', 'develop'],
  ['origin/HEAD', 'develop'],
])('after a demo with the base %s, the suggested workflow protects the branch %s', async (base, branch) => {
  const fixture = await createGitFixture({
    commits: [
      { name: 'one', files: { a: '1' } },
      { name: 'two', files: { a: '2' } },
    ],
    branches: { topic: 'two', trunk: 'one' },
    refs: { 'refs/remotes/origin/trunk': 'one', 'refs/remotes/origin/develop': 'one' },
  });
  onTestFinished(() => fixture.remove());
  await fixture.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
  await fixture.git('config', 'remote.origin.url', 'git@github.com:acme/till.git');
  const steps = await nextSteps(await givenChange(fixture.dir, base, 'topic'), false);
  expect(steps).toContain('https://github.com/acme/till/settings/secrets/actions');
  const written = /repository: (.*) to /.exec(steps)?.[1] ?? '';
  expect(readFileSync(written, 'utf8')).toContain(`branches: [${branch}]`);
});
