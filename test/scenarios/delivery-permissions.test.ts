import { expect, test } from 'vitest';
import type { Permissions } from '../../sandbox/github/access.ts';
import type { Intercept } from '../../sandbox/github/faults.ts';
import { expectResult } from './expect-result.ts';
import { MERGE_BASE, VULNERABLE } from './repository.ts';
import { prepare, runPrepared, runScenario, type ScenarioResult } from './scenario.ts';

const ALL: Permissions = { contents: 'read', checks: 'write', 'pull-requests': 'write' };

/** The warnings in the log that contain the text. */
function warnings({ run }: ScenarioResult, text: string): string[] {
  return run.log.split('\n').filter((line) => line.startsWith('##[warning]') && line.includes(text));
}

/** Checks that the gate blocks, and that every output shows this. */
function expectBlocked(result: ScenarioResult, conclusion: 'failure' | 'none'): void {
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion,
    launches: 1,
    texts: ['Blocked: 2 findings'],
  });
  expect(result.run.outputs).toMatchObject({
    'base-commit': result.repository.id(MERGE_BASE),
    'findings-total': String(VULNERABLE.total),
    'findings-reported': '3',
    'findings-blocking': '2',
  });
}

test('a run with all permissions logs no warning', async () => {
  const result = await runScenario({ github: { permissions: ALL } });
  expectBlocked(result, 'failure');
  expect(warnings(result, '')).toEqual([]);
  expect(result.run.annotations.map(({ file }) => file)).toEqual([undefined]);
  expect(result.environment.github.checkRuns[0]?.annotations).toHaveLength(3);
});

test('without `checks: write`, the log shows the annotations and one warning', async () => {
  const result = await runScenario({ github: { permissions: { ...ALL, checks: 'none' } } });
  expectBlocked(result, 'none');
  expect(warnings(result, 'checks: write')).toHaveLength(1);
  expect(warnings(result, 'Could not')).toHaveLength(1);
  const placed = result.run.annotations.filter(({ file }) => file !== undefined);
  expect(placed.map(({ level, file, line }) => [level, file, line])).toEqual([
    ['error', 'src/pack.js', 2],
    ['error', 'src/pack.js', 3],
    ['warning', 'src/agent.js', 1],
  ]);
  expect(result.environment.github.comments).toHaveLength(1);
  expect(result.run.summary).toContain('checks');
  // A missing permission is permanent, so the run does not send the request again.
  expect(result.environment.github.requests.filter(({ point }) => point === 'check.create')).toHaveLength(1);
});

test('without `pull-requests: write`, a run logs one warning and writes no comment', async () => {
  const result = await runScenario({ github: { permissions: { ...ALL, 'pull-requests': 'read' } } });
  expectBlocked(result, 'failure');
  expect(warnings(result, '')).toHaveLength(1);
  expect(warnings(result, 'pull-requests: write')).toHaveLength(1);
  expect(result.run.outputs['comment-url']).toBe('');
  expect(result.environment.github.checkRuns[0]?.annotations).toHaveLength(3);
});

test('with a read-only token, the log and the job summary show all findings', async () => {
  const result = await runScenario({
    github: { permissions: { contents: 'read', checks: 'read', 'pull-requests': 'read' } },
  });
  expectBlocked(result, 'none');
  expect(result.environment.github.comments).toEqual([]);
  expect(warnings(result, 'checks: write')).toHaveLength(1);
  expect(warnings(result, 'pull-requests: write')).toHaveLength(1);
  for (const path of ['src/pack.js', 'src/agent.js']) {
    expect(result.run.log).toContain(path);
    expect(result.run.summary).toContain(path);
  }
});

test('with a read-only token, a clean change passes', async () => {
  const permissions: Permissions = { contents: 'read', 'pull-requests': 'read' };
  const result = await runScenario({ head: 'clean', github: { permissions } });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'none',
    launches: 1,
    texts: ['Passed: no findings'],
  });
});

test('without `contents: read`, a run in a private repository launches no scan', async () => {
  const result = await runScenario({ github: { permissions: { ...ALL, contents: 'none' } } });
  expectResult(result, {
    outcome: 'not-scanned',
    reason: 'configuration',
    exitCode: 1,
    conclusion: 'failure',
    launches: 0,
    texts: ['Could not compute the merge base', 'Add contents: read', 'A re-run keeps the old permissions'],
  });
});

test('without any permission, a run in a private repository fails', async () => {
  const result = await runScenario({ github: { permissions: {} } });
  expectResult(result, {
    outcome: 'not-scanned',
    reason: 'configuration',
    exitCode: 1,
    conclusion: 'none',
    launches: 0,
    texts: ['Add pull-requests: read', 'A re-run keeps the old permissions'],
  });
});

test('without `contents: read`, a run can compare the commits of a public repository', async () => {
  const result = await runScenario({
    visibility: 'public',
    github: { permissions: { checks: 'write', 'pull-requests': 'write' } },
  });
  expectBlocked(result, 'failure');
});

test('without `contents: read`, a run launches no scan if the workflow sets the base', async () => {
  const scenario = await prepare({ github: { permissions: { checks: 'write', 'pull-requests': 'write' } } });
  const result = await runPrepared(scenario, {
    inputs: { 'base-commit': scenario.repository.id(MERGE_BASE) },
  });
  expectResult(result, {
    outcome: 'not-scanned',
    reason: 'configuration',
    exitCode: 1,
    conclusion: 'failure',
    launches: 0,
    texts: ['Could not compare the base that the workflow sets with the head', 'contents: read'],
  });
});

test('git finds the merge base if GitHub cannot compare the commits', async () => {
  const intercept: Intercept = ({ point }) =>
    point === 'compare' ? { status: 503, body: { message: 'Service Unavailable' } } : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result, 'failure');
  const { repository, headSha, run, environment } = result;
  expect(run.outputs['base-commit']).toBe(await repository.git('merge-base', '--all', 'main', headSha));
  expect(run.log).toContain('merge base, from git');
  expect(environment.github.requests.some(({ point }) => point === 'git')).toBe(true);
});
