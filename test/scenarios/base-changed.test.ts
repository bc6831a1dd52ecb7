import { expect, test } from 'vitest';
import { expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';

const MOVED_RUN = 9_000_000_003;

/** The event of a pull request whose base branch was changed. */
function moved({ environment }: Scenario, baseRef: string, runId = 9_000_000_002) {
  const from = environment.github.pullRequests.get(environment.pullRequest)?.baseRef;
  environment.github.setBase(environment.pullRequest, baseRef);
  const payload = environment.pullRequestPayload({
    action: 'edited',
    baseRef,
    changes: { base: { ref: { from } } },
  });
  return { event: { name: 'pull_request', payload }, runId };
}

/** The event of a pull request whose title was changed. */
function renamed({ environment }: Scenario) {
  environment.github.edit(environment.pullRequest, { title: 'A better title' });
  const payload = environment.pullRequestPayload({
    action: 'edited',
    changes: { title: { from: 'A change' } },
  });
  return { event: { name: 'pull_request', payload }, runId: 9_000_000_002 };
}

/** GitHub shows the conclusion of the newest check run on the commit. */
function newestConclusion({ environment }: Scenario) {
  return environment.github.checkRuns.toSorted((a, b) => b.id - a.id)[0]?.conclusion;
}

test('after a change of the base branch, each run compares the head with the new branch', async () => {
  const scenario = await prepare({ baseRef: 'stacked' });
  const opened = { event: { name: 'pull_request', payload: scenario.environment.pullRequestPayload() } };
  // The base branch already contains the head, so there is nothing to scan.
  const first = await runAgain(scenario, opened);
  expect(first.run.outputs).toMatchObject({ outcome: 'unchanged' });
  expect(first.run.exitCode).toBe(0);
  expectPaid(scenario, 0);

  const against = { outcome: 'blocked', 'base-commit': scenario.repository.id('start') };
  const next = await runAgain(scenario, moved(scenario, 'main', MOVED_RUN));
  expect(next.run.outputs, next.run.log).toMatchObject({ ...against, 'scan-reused': 'false' });
  expect(next.run.exitCode).toBe(1);
  expectPaid(scenario, 1);

  const again = await runAgain(scenario, { ...opened, runAttempt: 2 });
  expect(again.run.outputs, again.run.log).toMatchObject({ ...against, 'scan-reused': 'true' });
  expect(again.run.exitCode).toBe(1);
  expect(newestConclusion(scenario)).toBe('failure');
  expectPaid(scenario, 1);
});

test.each([
  ['shows', []],
  ['does not show', ['baseCommit']],
])(
  'after a change of the merge base, a run launches a new scan (the service %s the earlier base)',
  async (_, hidden) => {
    const scenario = await prepare({ service: { hideFields: { scanDetail: hidden, scanItem: hidden } } });
    const first = await runPrepared(scenario);
    const next = await runAgain(scenario, moved(scenario, 'older'));
    expect(next.run.outputs, next.run.log).toMatchObject({
      'base-commit': scenario.repository.id('behind'),
      'scan-reused': 'false',
    });
    expect(next.run.outputs['scan-id']).not.toBe(first.run.outputs['scan-id']);
    expectPaid(scenario, 2);
  },
);

test('after a change of the base branch, a run reuses the earlier scan if the merge base is the same', async () => {
  const scenario = await prepare({});
  const first = await runPrepared(scenario);
  const next = await runAgain(scenario, moved(scenario, 'stable'));
  expect(next.run.outputs).toMatchObject({
    outcome: 'blocked',
    'scan-reused': 'true',
    'scan-id': first.run.outputs['scan-id'],
  });
  expectPaid(scenario, 1);
});

test('after a change of the title, a run reuses the earlier scan', async () => {
  const scenario = await prepare({});
  const first = await runPrepared(scenario);
  const again = await runAgain(scenario, renamed(scenario));
  expect(again.run.outputs).toMatchObject({
    outcome: 'blocked',
    'scan-reused': 'true',
    'scan-id': first.run.outputs['scan-id'],
  });
  expect(again.run.exitCode).toBe(1);
  expectPaid(scenario, 1);
});
