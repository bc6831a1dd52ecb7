import { expect, onTestFinished, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import { type FakeScanService, startFakeScanService } from '../../sandbox/scan-service/server.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioResult } from './scenario.ts';

const MARKER = /^<!-- scangate:v1 /;
const WRITES = ['comments.create', 'comments.update', 'comments.delete'];

/** The requests that created, updated or deleted a comment. Skips the first `from` requests of the scenario. */
function writes({ environment }: Scenario, from = 0): string[] {
  return environment.github.requests
    .slice(from)
    .map(({ point }) => String(point))
    .filter((point) => WRITES.includes(point));
}

/** Runs the action again, as a later run of the workflow. */
function runAgain(
  scenario: Scenario,
  inputs: Readonly<Record<string, string>> = {},
): Promise<ScenarioResult> {
  return runPrepared(scenario, { inputs, run: () => ({ runId: 9_000_000_002 }) });
}

/**
 * Starts a second service for the same repository. It has no scans yet. Its first scan gets the same id as the first
 * scan of the scenario's service.
 */
async function sameServiceAgain({ environment, repository }: Scenario): Promise<FakeScanService> {
  const [owner = '', name = ''] = environment.repository.split('/');
  const url = `${environment.github.serverUrl}/${environment.repository}`;
  const service = await startFakeScanService({
    repositories: [{ owner, name, url, gitDir: repository.dir }],
  });
  onTestFinished(() => service.close());
  return service;
}

test('a run with findings creates one comment, and names the comment in its output', async () => {
  const result = await runScenario({});
  const { comments } = result.environment.github;
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toMatch(MARKER);
  expect(comments[0]?.body).toContain('Blocked: 2 findings');
  expect(result.run.outputs['comment-url']).toBe(comments[0]?.htmlUrl);
});

test('the input `comment-note` stands under the comment and the check run', async () => {
  const note = 'Ask [the security team](https://intranet.example/security).';
  const { environment } = await runScenario({ inputs: { 'comment-note': note } });
  expect(environment.github.comments[0]?.body?.endsWith(`\n\n${note}`)).toBe(true);
  expect(environment.github.checkRuns[0]?.output.summary?.endsWith(`\n\n${note}`)).toBe(true);
});

test.each([
  ['on-findings', 'clean', 0],
  ['always', 'clean', 1],
  ['never', 'vulnerable', 0],
] as const)('a run with `comment: %s` on a %s change creates %i comments', async (comment, head, count) => {
  const result = await runScenario({ head, inputs: { comment } });
  expect(result.environment.github.comments).toHaveLength(count);
  if (comment === 'never') {
    const points = result.environment.github.requests.map(({ point }) => point);
    // The run reads no comments. Its only GraphQL request reads the pull request at the start.
    expect(points.filter((point) => /^comments|graphql/.test(point))).toEqual(['graphql']);
  }
});

test('a second run with another verdict updates the comment of the first run', async () => {
  const scenario = await prepare({});
  await runPrepared(scenario);
  const [first] = scenario.environment.github.comments;
  await runAgain(scenario, { 'fail-on': 'critical' });
  expect(scenario.environment.github.comments).toHaveLength(1);
  expect(scenario.environment.github.comments[0]?.id).toBe(first?.id);
  expect(scenario.environment.github.comments[0]?.body).toContain('Blocked: 1 finding at or above critical');
  expect(writes(scenario)).toEqual(['comments.create', 'comments.update']);
});

test('a later run with the same result does not write the comment', async () => {
  const scenario = await prepare({});
  const first = await runPrepared(scenario);
  const from = scenario.environment.github.requests.length;
  const service = await sameServiceAgain(scenario);
  const second = await runAgain(scenario, { 'base-url': service.baseUrl, 'api-token': service.token });
  expect(second.run.outputs['scan-id']).toBe(first.run.outputs['scan-id']);
  expect(writes(scenario, from)).toEqual([]);
  expect(second.run.outputs['comment-url']).toBe(first.run.outputs['comment-url']);
});

test('a run that passes after triage updates the comment of the blocked run', async () => {
  const scenario = await prepare({});
  await runPrepared(scenario);
  const { service } = scenario.environment;
  for (const id of service.scans()[0]?.findingIds ?? [])
    service.control.triage(id, { resolutionStatus: 'FALSE_POSITIVE' });
  const result = await runAgain(scenario);
  expect(result.run.outputs['outcome']).toBe('passed');
  expect(scenario.environment.github.comments).toHaveLength(1);
  expect(scenario.environment.github.comments[0]?.body).toContain('Passed: no open findings');
  expect(writes(scenario)).toEqual(['comments.create', 'comments.update']);
});

test('a run that could not scan removes the earlier findings from the comment', async () => {
  const scenario = await prepare({ service: { credits: 20 } });
  await runPrepared(scenario);
  const result = await runAgain(scenario, { 'credit-budget': '21' });
  expect(result.run.outputs['reason']).toBe('insufficient-credits');
  expect(scenario.environment.github.comments).toHaveLength(1);
  expect(scenario.environment.github.comments[0]?.body).toContain('Not scanned');
  expect(scenario.environment.github.comments[0]?.body).not.toContain('src/pack.js');
});

test('a run never edits a comment of another author, even if the comment has the marker of the gate', async () => {
  const scenario = await prepare({});
  await runPrepared(scenario);
  const ours = scenario.environment.github.comments[0]?.body ?? '';
  const other = await prepare({});
  const copies = [
    other.environment.github.addComment({ author: 'mallory', body: ours }),
    other.environment.github.addComment({ author: 'github-actions[bot]', type: 'User', body: ours }),
    other.environment.github.addComment({ author: 'other-app[bot]', type: 'Bot', body: ours }),
  ];
  const result = await runPrepared(other);
  expect(other.environment.github.comments.slice(0, 3)).toEqual(copies);
  expect(other.environment.github.comments).toHaveLength(4);
  expect(result.run.outputs['comment-url']).toBe(other.environment.github.comments[3]?.htmlUrl);
});

test('a run finds its own comment after more than a hundred other comments', async () => {
  const scenario = await prepare({});
  for (let count = 0; count < 120; count += 1)
    scenario.environment.github.addComment({ body: `Chat ${count}` });
  await runPrepared(scenario);
  await runAgain(scenario, { 'fail-on': 'critical' });
  expect(scenario.environment.github.comments).toHaveLength(121);
  expect(writes(scenario)).toEqual(['comments.create', 'comments.update']);
});

test('a run does not update the comment if the pull request has got another head', async () => {
  let moves = false;
  const scenario = await prepare({
    service: {
      intercept: ({ point }) => {
        if (moves && point === 'findings.list') {
          scenario.environment.github.setHead(
            scenario.environment.pullRequest,
            scenario.repository.id('clean'),
          );
        }
        return undefined;
      },
    },
  });
  await runPrepared(scenario);
  const before = scenario.environment.github.comments[0];
  const from = scenario.environment.github.requests.length;
  moves = true;
  const result = await runAgain(scenario, { 'fail-on': 'critical' });
  expect(result.run.outputs['outcome']).toBe('blocked');
  expect(writes(scenario, from)).toEqual([]);
  expect(scenario.environment.github.comments).toEqual([before]);
  expect(result.run.log).toContain('Did not write the comment: the pull request has another head now.');
});

test('an older run does not overwrite the comment of a newer run', async () => {
  const scenario = await prepare({});
  await runAgain(scenario, { 'fail-on': 'critical' });
  const from = scenario.environment.github.requests.length;
  await runPrepared(scenario);
  expect(writes(scenario, from)).toEqual([]);
  expect(scenario.environment.github.comments[0]?.body).toContain('at or above critical');
});

test('of two jobs of one run with one check name, the comment keeps the worse result', async () => {
  const scenario = await prepare({});
  const { github } = scenario.environment;
  const passing = { 'fail-on': 'none' };
  await runPrepared(scenario, { inputs: passing });
  const blocked = await runPrepared(scenario);
  expect(github.comments[0]?.body).toContain('Blocked: 2 findings');
  const from = github.requests.length;
  const passed = await runPrepared(scenario, { inputs: passing });
  expect(passed.run.outputs).toMatchObject({
    outcome: 'passed',
    'comment-url': github.comments[0]?.htmlUrl,
  });
  expect(writes(scenario, from)).toEqual([]);
  const warning = 'Did not update the comment: another step or job of this run wrote a worse result there';
  for (const text of [passed.run.log, passed.run.summary]) expect(text).toContain(warning);
  expect(passed.run.log).toContain('`check-name` "Security scan"');
  expect(blocked.run.log).not.toContain(warning);
  // The next attempt of the run replaces the result.
  await runPrepared(scenario, { inputs: passing, run: () => ({ runAttempt: 2 }) });
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain('Passed');
});

test('runs with different check names have separate comments', async () => {
  const scenario = await prepare({});
  await runPrepared(scenario);
  await runAgain(scenario, { 'check-name': 'Strict scan', 'fail-on': 'medium' });
  await runPrepared(scenario, { inputs: { 'fail-on': 'critical' }, run: () => ({ runId: 9_000_000_003 }) });
  const bodies = scenario.environment.github.comments.map(({ body }) => body);
  expect(bodies).toEqual([
    expect.stringContaining('Blocked: 1 finding at or above critical'),
    expect.stringContaining('Blocked: 3 findings at or above medium'),
  ]);
});

test('a run in a merge queue writes no comment', async () => {
  const scenario = await prepare({});
  const { environment, repository, headSha } = scenario;
  const payload = mergeGroupEvent({
    repository: environment.repository,
    visibility: 'private',
    serverUrl: environment.github.serverUrl,
    headSha,
    baseSha: repository.id('start'),
    baseRef: 'main',
  });
  const result = await runPrepared(scenario, {
    inputs: { comment: 'always' },
    run: () => ({ event: { name: 'merge_group', payload } }),
  });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked', 'comment-url': '' });
  expect(environment.github.comments).toEqual([]);
});
