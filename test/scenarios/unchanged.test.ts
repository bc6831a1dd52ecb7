import { expect, test } from 'vitest';
import { EVERYTHING_ALLOWED, expectNotScanned, expectStory } from './expect-story.ts';
import { MERGE_BASE } from './repository.ts';
import { tell } from './story.ts';

const SAYS = ['Nothing to scan: no changes since the merge base', 'No scan was launched'];

test('a base that equals the head is unchanged: nothing is launched, the ledger untouched', async () => {
  const story = await tell({ head: 'behind' });
  expectStory(story, { outcome: 'unchanged', exitCode: 0, conclusion: 'success', launches: 0, says: SAYS });
  expect(story.stage.service.ledger().entries).toHaveLength(1);
  expect(story.run.outputs).toMatchObject({
    'base-commit': story.headSha,
    'head-commit': story.headSha,
  });
});

test.each(['reverted', 'empty'] as const)(
  'a head whose tree is the base again (%s) is unchanged: the service and GitHub agree',
  async (head) => {
    const story = await tell({ head });
    expectStory(story, { outcome: 'unchanged', exitCode: 0, conclusion: 'success', launches: 1, says: SAYS });
    expect(story.stage.service.scans()).toEqual([]);
    expect(story.run.outputs['base-commit']).toBe(story.repository.id(MERGE_BASE));
  },
);

test('no change for the service but files on GitHub: it looked at another commit, which nobody can allow', async () => {
  const story = await tell({
    // This service reads the head from another field, and falls back to its default branch, which is the base.
    service: ({ dir }) => ({
      launchFields: { commit: 'headCommit' },
      repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, defaultBranch: 'stable' }],
    }),
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(story, 'configuration', {
    launches: 1,
    says: ['GitHub lists changed files', 'commit', 'launch-parameters'],
  });
});

test('no change for the service, and GitHub cannot tell: never green', async () => {
  const story = await tell({
    head: 'empty',
    github: {
      intercept: ({ point, path }) =>
        point === 'compare' && /[?&]page=1\b/.test(path) ? { status: 502, body: 'Bad Gateway' } : undefined,
    },
  });
  expectNotScanned(story, 'service-error', {
    launches: 1,
    says: ['The service found no change, and GitHub could not confirm that.', 'Re-run this job.'],
  });
});
