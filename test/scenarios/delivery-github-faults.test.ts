import { expect, test } from 'vitest';
import type { Intercept } from '../../sandbox/github/faults.ts';
import { MERGE_BASE, VULNERABLE } from './repository.ts';
import { runScenario, type ScenarioResult } from './scenario.ts';

const WRITES = new Set(['check.create', 'check.update', 'comments.create', 'comments.update']);

function expectBlocked({ run, repository }: ScenarioResult): void {
  expect(run.exitCode, run.log).toBe(1);
  expect(run.outputs).toMatchObject({
    outcome: 'blocked',
    'base-commit': repository.id(MERGE_BASE),
    'findings-total': String(VULNERABLE.total),
    'findings-blocking': '2',
  });
}

function warningsOf({ run }: ScenarioResult): string[] {
  return run.log
    .split('\n')
    .filter((line) => line.startsWith('##[warning]Could not'))
    .sort();
}

test('if all writes to GitHub fail, the log and the job summary show the findings', async () => {
  const intercept: Intercept = ({ point }) =>
    WRITES.has(point) ? { status: 502, body: { message: 'Bad Gateway' } } : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  const { run, environment } = result;
  expect(environment.github.checkRuns).toEqual([]);
  expect(environment.github.comments).toEqual([]);
  expect(run.outputs).toMatchObject({ 'check-run-url': '', 'comment-url': '' });
  expect(warningsOf(result)).toEqual([
    expect.stringContaining('comment on the pull request: GitHub could not be reached (Bad Gateway)'),
    expect.stringContaining('create the check run: GitHub could not be reached (Bad Gateway)'),
  ]);
  for (const path of ['src/pack.js', 'src/agent.js']) expect(run.summary).toContain(path);
  expect(run.summary).toContain('Bad Gateway');
  expect(run.annotations.filter(({ file }) => file !== undefined)).toHaveLength(3);
  // A 502 does not show whether the comment was created. So the run looks for the comment, and sends the request once
  // more.
  expect(environment.github.requests.filter(({ point }) => point === 'comments.create')).toHaveLength(2);
  expect(run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
});

test('a run that cannot update its check run creates a completed check run, and `post` completes the first', async () => {
  let refuses = true;
  const intercept: Intercept = ({ point }) =>
    refuses && point === 'check.update'
      ? { status: 403, body: { message: 'Resource not accessible by integration' } }
      : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  const { run, environment } = result;
  const { checkRuns } = environment.github;
  expect(checkRuns).toMatchObject([{ status: 'in_progress' }, {}]);
  expect(checkRuns[1]).toMatchObject({ status: 'completed', conclusion: 'failure' });
  expect(checkRuns[1]?.annotations).toHaveLength(3);
  // The first eight fields of both marks are the same. The fields after them have the cost of the pull request, which
  // is complete only at the end of the run.
  const scanOf = (externalId: string) => externalId.split(':', 8);
  expect(scanOf(checkRuns[1]?.externalId ?? '')).toEqual(scanOf(checkRuns[0]?.externalId ?? ''));
  expect(run.outputs['check-run-url']).toBe(checkRuns[1]?.htmlUrl);
  expect(warningsOf(result)).toEqual([
    expect.stringMatching(/update the check run: .* The result is in a second check run\. The post step /),
  ]);

  refuses = false;
  const post = await environment.run({ step: 'post', state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'failure' },
    { status: 'completed', conclusion: 'failure' },
  ]);
});

test('a run completes its check run if GitHub does not find it at first', async () => {
  const intercept: Intercept = ({ point, count }) =>
    point === 'check.update' && count === 1 ? { status: 404, body: { message: 'Not Found' } } : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
  expect(warningsOf(result)).toEqual([]);
  expect(result.run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
});

test('the post step writes the verdict into the check run if the main step could not', async () => {
  let broken = true;
  const intercept: Intercept = ({ point }) =>
    broken && point === 'check.update' ? { status: 500, body: { message: 'Server Error' } } : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  const { run, environment } = result;
  expect(environment.github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  expect(run.annotations.filter(({ file }) => file !== undefined)).toHaveLength(3);
  expect(JSON.stringify(run.state)).not.toContain(environment.service.token);

  broken = false;
  const before = environment.service.requests.length;
  const post = await environment.run({ step: 'post', state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'failure', output: { title: expect.stringContaining('Blocked: 2') } },
  ]);
  expect(environment.service.requests).toHaveLength(before);
});

test('a run that cannot create the check run at the start creates it at the end', async () => {
  const intercept: Intercept = ({ point, count }) =>
    point === 'check.create' && count <= 2 ? { status: 500, body: { message: 'Server Error' } } : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
  expect(result.environment.github.checkRuns[0]?.annotations).toHaveLength(3);
  expect(warningsOf(result)).toEqual([]);
});

test('a run creates one check run and one comment even if the answers of GitHub are lost', async () => {
  const intercept: Intercept = ({ point, count }) =>
    (point === 'check.create' || point === 'comments.create') && count === 1
      ? { fault: 'reset-after' }
      : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
  expect(result.environment.github.comments).toHaveLength(1);
  expect(warningsOf(result)).toEqual([]);
});

test('a run sends each annotation only once even if the answer of GitHub is lost', async () => {
  const intercept: Intercept = ({ point, count }) =>
    point === 'check.update' && count === 1 ? { fault: 'reset-after' } : undefined;
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  expect(result.environment.github.checkRuns[0]?.annotations).toHaveLength(3);
});

test('a run keeps its verdict if GitHub no longer accepts the token', async () => {
  const intercept: Intercept = ({ point, count }) =>
    point === 'compare' || (point === 'graphql' && count === 1)
      ? undefined
      : { status: 401, body: { message: 'Bad credentials' } };
  const result = await runScenario({ github: { intercept } });
  expectBlocked(result);
  for (const warning of warningsOf(result)) expect(warning).toContain('Check `github-token`');
  // One warning is about the check run. The other warning is about the pull request, which a run reads before it
  // comments.
  expect(warningsOf(result)).toHaveLength(2);
});

test('a run cancels its scan at the timeout if GitHub never answers the creation of the check run', async () => {
  const intercept: Intercept = ({ point }) =>
    point === 'check.create' ? { fault: 'hang-before' } : undefined;
  const result = await runScenario({
    service: { pace: { hold: true } },
    github: { intercept },
  });
  const { run, environment } = result;
  expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'timeout' });
  const cancelled = environment.service.requests.find(({ point }) => point === 'scans.cancel');
  expect(cancelled?.status, run.log).toBe(200);
  expect(environment.service.ledger().reserved).toBe(0);
});
