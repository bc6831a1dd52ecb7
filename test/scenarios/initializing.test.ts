import { expect, test } from 'vitest';
import type { GitFixture } from '../../sandbox/git-fixture.ts';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-story.ts';
import { tell } from './story.ts';

const analyzing =
  (readyAfterListings: number) =>
  ({ dir }: GitFixture) => ({
    repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, readyAfterListings }],
  });

test.each(BOTH_WAYS)('a repository that never becomes ready: $way', async ({ allowed }) => {
  const story = await tell({
    service: analyzing(1_000_000),
    inputs: allowing('initializing', allowed),
  });
  expectNotScanned(story, 'initializing', {
    allowed,
    launches: 1,
    says: ['was still analyzing this repository', 'ready in the service', 'timeout-minutes'],
  });
  expect(story.stage.service.ledger().entries).toHaveLength(1);
});

test('a repository that becomes ready is scanned, once', async () => {
  const story = await tell({ head: 'clean', service: analyzing(3) });
  expect(story.run.outputs).toMatchObject({ outcome: 'passed', 'scan-status': 'COMPLETED' });
  expect(story.run.exitCode).toBe(0);
  expect(story.run.log).toContain('analyzing this repository for the first time');
  expect(story.stage.service.requests.filter(({ point }) => point === 'scans.launch')).toMatchObject([
    { status: 409 },
    { status: 202 },
  ]);
  expect(story.stage.service.ledger()).toMatchObject({ reserved: 0 });
});
