import { expect, test } from 'vitest';
import { expectPaid, runAgain } from './reuse.ts';
import { blockedPullRequest, seen, sweep, triage } from './triage/blocked-pull-request.ts';

test.each([
  ['set', {}],
  ['empty', { GITHUB_REPOSITORY_ID: '' }],
])('a re-run and the triage action find the mark if GITHUB_REPOSITORY_ID is %s', async (_, env) => {
  const scenario = await blockedPullRequest({ run: () => ({ env }) });
  const { permissions } = scenario.environment.github;
  triage(scenario);
  const swept = await sweep(scenario, {}, env);
  expect(swept.exitCode, swept.log).toBe(0);
  expect(seen(scenario).attempt, swept.log).toBe(2);
  Object.assign(permissions, { checks: 'write', contents: 'read' });
  const again = await runAgain(scenario, { runAttempt: 2, env });
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
  expectPaid(scenario, 1);
});

test('a re-run pays for another scan if GITHUB_REPOSITORY_ID was empty in the first run', async () => {
  const scenario = await blockedPullRequest({ run: () => ({ env: { GITHUB_REPOSITORY_ID: '' } }) });
  const { permissions } = scenario.environment.github;
  triage(scenario);
  const swept = await sweep(scenario);
  expect(seen(scenario).attempt, swept.log).toBe(1);
  Object.assign(permissions, { checks: 'write', contents: 'read' });
  for (const [attempt, reused] of [
    [2, 'false'],
    [3, 'true'],
  ] as const) {
    const again = await runAgain(scenario, { runAttempt: attempt });
    expect(again.run.outputs['scan-reused'], again.run.log).toBe(reused);
  }
  expectPaid(scenario, 2);
});
