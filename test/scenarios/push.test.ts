import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import { NO_COMMIT, push } from './branch-events.ts';
import { allowing, BOTH_WAYS, expectNotScanned, expectResult } from './expect-result.ts';
import type { Head } from './repository.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const FULL_SCAN = 'Run a full scan once by workflow_dispatch.';

/** The options of a run for a push. The push moves `stable` from `before` to the head. */
function pushedOn(before: Head | 'start', changes: Partial<Parameters<typeof push>[1]> = {}) {
  return {
    run: (scenario: Scenario) => push(scenario, { before: scenario.repository.id(before), ...changes }),
  } satisfies ScenarioOptions;
}

describe('a push', () => {
  test('a run for a push compares the head with the commit before the push', async () => {
    const result = await runScenario({ ...pushedOn('start'), inputs: { comment: 'always' } });
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings at or above high'],
    });
    expect(result.run.outputs).toMatchObject({
      'base-commit': result.repository.id('start'),
      'comment-url': '',
      'scan-kind': 'diff',
      'findings-total': '4',
    });
    expect(result.environment.github.comments).toEqual([]);
    expect(countOf(result, 'github', 'graphql')).toBe(0);
  });

  test('for a forced push, the base is the merge base of the old and the new commit', async () => {
    const { run, repository } = await runScenario(pushedOn('clean'));
    expect(run.outputs, run.log).toMatchObject({
      outcome: 'blocked',
      'base-commit': repository.id('start'),
    });
  });

  test('a push that only removes commits has nothing to scan', async () => {
    const result = await runScenario({ head: 'behind', ...pushedOn('vulnerable') });
    expectResult(result, {
      outcome: 'unchanged',
      exitCode: 0,
      conclusion: 'success',
      launches: 0,
      texts: ['Nothing to scan'],
    });
  });

  test('for a new branch, the base is the merge base with the default branch', async () => {
    const { run, repository } = await runScenario({
      run: (scenario) => push(scenario, { before: NO_COMMIT, branch: 'topic' }),
    });
    expect(run.outputs, run.log).toMatchObject({
      outcome: 'blocked',
      'base-commit': repository.id('start'),
    });
  });

  test('a push of a new branch without new commits has nothing to scan', async () => {
    const result = await runScenario({
      head: 'behind',
      run: (scenario) => push(scenario, { before: NO_COMMIT, branch: 'topic' }),
    });
    expectResult(result, {
      outcome: 'unchanged',
      exitCode: 0,
      conclusion: 'success',
      launches: 0,
      texts: ['Nothing to scan'],
    });
  });

  test('a re-run for a new branch does not pass after the branch was merged', async () => {
    const result = await runScenario({
      head: 'behind',
      run: (scenario) => ({
        ...push(scenario, { before: NO_COMMIT, branch: 'topic' }),
        runAttempt: 2,
      }),
    });
    expectNotScanned(result, 'unsupported-event', {
      launches: 0,
      texts: ['The default branch contains the pushed commit now', FULL_SCAN],
    });
  });

  test.each(BOTH_WAYS)(
    'a push that creates the default branch is not scanned ($way)',
    async ({ allowed }) => {
      const result = await runScenario({
        run: (scenario) => push(scenario, { before: NO_COMMIT, branch: 'main' }),
        inputs: allowing('unsupported-event', allowed),
      });
      expectNotScanned(result, 'unsupported-event', {
        allowed,
        launches: 0,
        texts: ['The push created the default branch', FULL_SCAN],
      });
    },
  );

  test('a forced push is not scanned if GitHub does not know the previous commit', async () => {
    const result = await runScenario({
      run: (scenario) => push(scenario, { before: 'f'.repeat(40) }),
    });
    expectNotScanned(result, 'unsupported-event', {
      launches: 0,
      texts: [`GitHub does not know the commit ${'f'.repeat(40)}`, FULL_SCAN],
    });
  });

  test('a forced push to an unrelated history is a configuration error', async () => {
    const result = await runScenario({ head: 'unrelated', ...pushedOn('clean') });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['have no common ancestor', FULL_SCAN],
    });
  });

  test('a push is not scanned if the GitHub token may not read the repository', async () => {
    const result = await runScenario({
      run: (scenario) => push(scenario, { before: 'f'.repeat(40) }),
      github: { permissions: { checks: 'write', 'pull-requests': 'write' } },
    });
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned' });
    expect(['configuration', 'service-error']).toContain(result.run.outputs['reason']);
  });

  type Changes = Partial<Parameters<typeof push>[1]>;
  const NOT_A_BRANCH: readonly [what: string, changes: Changes, ...texts: string[]][] = [
    [
      'of a tag',
      { ref: 'refs/tags/v1' },
      'A push of "refs/tags/v1" is not to a branch',
      'add branches to the push event',
    ],
    [
      'that deletes the branch',
      { after: NO_COMMIT },
      'The push deleted the branch "stable"',
      'add if: github.event.deleted != true to the job for push',
    ],
  ];
  test.each(NOT_A_BRANCH)('a push %s is not scanned', async (_what, changes, ...texts) => {
    const result = await runScenario(pushedOn('start', changes));
    expectNotScanned(result, 'unsupported-event', { checkRun: false, launches: 0, texts });
    expect(result.run.outputs['scan-kind']).toBe('');
    expect(result.environment.service.requests).toEqual([]);
  });

  test('a push is not scanned in a fork without the secret', async () => {
    const result = await runScenario({
      ...pushedOn('start', { fork: true }),
      inputs: { 'api-token': '', 'base-url': '' },
    });
    expectNotScanned(result, 'missing-token', { launches: 0, texts: ['add the secret to the fork'] });
  });

  test('outside of forks, a missing secret is a configuration error', async () => {
    const result = await runScenario({ ...pushedOn('start'), inputs: { 'api-token': '' } });
    expectNotScanned(result, 'configuration', { launches: 0, texts: ['api-token is empty'] });
  });

  test('the summaries of a run for a push say that no SARIF file was written', async () => {
    const result = await runScenario({
      ...pushedOn('start'),
      inputs: { 'sarif-file': 'out.sarif', 'report-file': 'out.json' },
    });
    const { run, workspace, environment } = result;
    expect(run.outputs).toMatchObject({ outcome: 'blocked', 'sarif-file': '' });
    expect(existsSync(path.join(workspace, 'out.sarif'))).toBe(false);
    expect(existsSync(path.join(workspace, 'out.json'))).toBe(true);
    expect(run.summary).toContain('No SARIF file was written');
    expect(environment.github.checkRuns[0]?.output.summary).toContain('No SARIF file was written');
  });

  test('a run for a push cancels no scan of another commit', async () => {
    const scenario = await prepare({ service: { pace: { hold: true } } });
    const { environment, repository } = scenario;
    const lost = await environment.run({
      ...push(scenario, { before: repository.id('start') }),
      onLine: (line, { kill }) => {
        if (line.includes('Scan queued')) kill('SIGKILL');
      },
    });
    expect(lost.signal, lost.log).toBe('SIGKILL');
    const [running] = environment.service.scans();
    const next = push(scenario, { before: repository.id('vulnerable'), after: repository.id('clean') });
    await runAgain(scenario, { ...next, runId: 9_000_000_101 }, { 'timeout-minutes': '1' });
    const statusOf = (id?: string) => environment.service.scans().find((scan) => scan.id === id)?.status;
    expect(environment.service.scans()).toHaveLength(2);
    expect(statusOf(running?.id)).toBe('QUEUED');
    // At its timeout, the run cancels its own scan, and no other.
    expect(countOf(scenario, 'service', 'scans.cancel')).toBe(1);
  });
});

/**
 * Scans the commit `vulnerable` as a pull request onto `stable`, and merges the pull request as the commit `as`. Then
 * runs the action on the push of the merge.
 */
async function merged(as: Head, before: Head | 'start', options: ScenarioOptions = {}) {
  const scenario = await prepare({ baseRef: 'stable', ...options });
  const first = await runPrepared(scenario, options);
  const { environment, repository } = scenario;
  environment.github.edit(environment.pullRequest, {
    state: 'merged',
    mergeCommitSha: repository.id(as),
  });
  const run = push(scenario, { before: repository.id(before), after: repository.id(as) });
  return { scenario, first, pushed: await runAgain(scenario, run) };
}

describe('a push of files that were scanned before uses no credits', () => {
  test.each<[what: string, as: Head]>([
    ['after a squash merge', 'amended'],
    ['after a merge', 'merged'],
  ])('a push %s of a scanned pull request uses no credits', async (_what, as) => {
    const { scenario, first, pushed } = await merged(as, 'start');
    expect(pushed.run.outputs, pushed.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': first.run.outputs['scan-id'],
      'scan-reused': 'true',
      'head-commit': scenario.repository.id(as),
    });
    expectPaid(scenario, 1);
    expect(pushed.run.summary).toContain('same files as in');
  });

  test('a push uses no credits if a merge group with the same head was scanned', async () => {
    const scenario = await prepare({ head: 'merged', baseRef: 'stable' });
    const { environment, repository, headSha } = scenario;
    const payload = mergeGroupEvent({
      repository: environment.repository,
      visibility: 'private',
      serverUrl: environment.github.serverUrl,
      headSha,
      baseSha: repository.id('start'),
      baseRef: 'stable',
    });
    const group = await runAgain(scenario, { event: { name: 'merge_group', payload } });
    expect(group.run.outputs).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    const after = await runAgain(scenario, push(scenario, { before: repository.id('start') }));
    expect(after.run.outputs, after.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': group.run.outputs['scan-id'],
      'scan-reused': 'true',
    });
    expectPaid(scenario, 1);
  });
});

describe('a push is scanned', () => {
  test('a push is scanned if its base differs from the base of the earlier scan', async () => {
    const { scenario, pushed } = await merged('amended', 'behind');
    expect(pushed.run.outputs, pushed.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-reused': 'false',
    });
    expectPaid(scenario, 2);
  });

  test('a push is scanned if the GitHub token may not read pull requests', async () => {
    const scenario = await prepare({ baseRef: 'stable' });
    await runPrepared(scenario);
    const { environment, repository } = scenario;
    environment.github.edit(environment.pullRequest, {
      state: 'merged',
      mergeCommitSha: repository.id('amended'),
    });
    Object.assign(environment.github.permissions, { 'pull-requests': 'none' });
    const run = push(scenario, { before: repository.id('start'), after: repository.id('amended') });
    const pushed = await runAgain(scenario, run);
    expect(pushed.run.outputs, pushed.run.log).toMatchObject({ 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });
});
