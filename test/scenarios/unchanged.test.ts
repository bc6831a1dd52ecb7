import { expect, test } from 'vitest';
import { EVERYTHING_ALLOWED, expectNotScanned, expectResult } from './expect-result.ts';
import { MERGE_BASE } from './repository.ts';
import { runScenario } from './scenario.ts';

const SAYS = ['Nothing to scan: no changes since the merge base', 'Scangate launched no scan'];

test('a run reports `unchanged` if the head equals the base', async () => {
  const result = await runScenario({ head: 'behind' });
  expectResult(result, {
    outcome: 'unchanged',
    exitCode: 0,
    conclusion: 'success',
    launches: 0,
    texts: SAYS,
  });
  expect(result.environment.service.ledger().entries).toHaveLength(1);
  expect(result.run.outputs).toMatchObject({
    'base-commit': result.headSha,
    'head-commit': result.headSha,
  });
});

test.each(['reverted', 'empty'] as const)(
  'a run reports `unchanged` if the head has the same files as the base: head `%s`',
  async (head) => {
    const result = await runScenario({ head });
    expectResult(result, {
      outcome: 'unchanged',
      exitCode: 0,
      conclusion: 'success',
      launches: 1,
      texts: SAYS,
    });
    expect(result.environment.service.scans()).toEqual([]);
    expect(result.run.outputs['base-commit']).toBe(result.repository.id(MERGE_BASE));
  },
);

test('a run fails if the service finds no change, but GitHub shows changed files', async () => {
  const result = await runScenario({
    // The launch sends the head as `commit`, but this service reads `headCommit`. So it finds no head, and uses its
    // default branch, which is the base.
    service: ({ dir }) => ({
      launchFields: { commit: 'headCommit' },
      repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, defaultBranch: 'stable' }],
    }),
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(result, 'configuration', {
    launches: 1,
    texts: ['GitHub lists changed files', 'commit', 'launch-parameters'],
  });
});

test('a run fails if GitHub cannot confirm that nothing has changed', async () => {
  const result = await runScenario({
    head: 'empty',
    github: {
      intercept: ({ point, path }) =>
        point === 'compare' && /[?&]page=1\b/.test(path) ? { status: 502, body: 'Bad Gateway' } : undefined,
    },
  });
  expectNotScanned(result, 'service-error', {
    launches: 1,
    texts: ['The service found no change, and GitHub could not confirm that.', 'Re-run this job.'],
  });
});
