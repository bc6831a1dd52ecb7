import { describe, expect, test } from 'vitest';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import { countOf, expectPaid, pushed, runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const PUSHED = 'now has another head';
const RETARGETED = 'now has another base branch: "stable"';

/** Changes the pull request while the action waits for this request. */
function changing(
  of: 'service' | 'github',
  point: string,
  change: (scenario: Scenario) => void,
): Pick<ScenarioOptions, 'service' | 'github' | 'before'> {
  let scenario: Scenario | undefined;
  const intercept = (request: { readonly point: string; readonly count: number }) => {
    if (scenario !== undefined && request.point === point && request.count === 1) change(scenario);
    return undefined;
  };
  return {
    [of]: { intercept },
    before: (opened) => {
      scenario = opened;
    },
  };
}

const push = ({ environment, repository }: Scenario) =>
  environment.github.setHead(environment.pullRequest, repository.id('low'));
const retarget = ({ environment }: Scenario) => environment.github.setBase(environment.pullRequest, 'stable');

test('a re-run for a head that the pull request no longer has launches nothing', async () => {
  const scenario = await prepare({ head: 'clean' });
  const payload = scenario.environment.pullRequestPayload();
  pushed(scenario, scenario.headSha, scenario.repository.id('low'));
  const result = await runAgain(scenario, { event: { name: 'pull_request', payload }, runAttempt: 2 });
  expectNotScanned(result, 'superseded', { launches: 0, texts: [PUSHED, 'See the run for that commit'] });
});

test('so does the first run, where the push came before it began', async () => {
  const scenario = await prepare({ head: 'clean' });
  const payload = scenario.environment.pullRequestPayload();
  push(scenario);
  const result = await runAgain(scenario, { event: { name: 'pull_request', payload } });
  expectNotScanned(result, 'superseded', { launches: 0, texts: [PUSHED] });
});

describe.each([
  ['pushed to', push, PUSHED],
  ['moved to another base branch', retarget, RETARGETED],
] as const)('a pull request that is %s while the scan runs', (_, change, texts) => {
  test.each(BOTH_WAYS)('is not green by what was scanned: $way', async ({ allowed }) => {
    const result = await runScenario({
      head: 'clean',
      ...changing('service', 'scans.read', change),
      inputs: { comment: 'always', ...allowing('superseded', allowed) },
    });
    expectNotScanned(result, 'superseded', { allowed, launches: 1, texts: [texts] });
    expect(result.run.outputs['scan-status']).toBe('COMPLETED');
  });
});

test.each([
  ['unchanged', { head: 'behind' }, {}],
  ['a reason that is allowed', { service: { credits: 0 } }, { 'allow-unscanned': 'insufficient-credits' }],
] as const)('%s does not pass either', async (_, options, inputs) => {
  const result = await runScenario({
    ...options,
    ...changing('github', 'compare', retarget),
    ...('service' in options ? { service: options.service } : {}),
    inputs,
  });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'superseded' });
  expect(result.run.exitCode).toBe(1);
});

const close = ({ environment }: Scenario) =>
  environment.github.edit(environment.pullRequest, { state: 'closed' });

test('unchanged is not green for a pull request that is closed meanwhile', async () => {
  const result = await runScenario({ head: 'behind', ...changing('github', 'compare', close) });
  expectNotScanned(result, 'unsupported-event', { launches: 0, texts: ['is closed'] });
});

test('a completed scan passes, also where the pull request is closed meanwhile', async () => {
  const result = await runScenario({ head: 'clean', ...changing('service', 'scans.read', close) });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
  expect(result.run.exitCode).toBe(0);
});

test('what is red anyway stays what it is', async () => {
  const result = await runScenario({
    ...changing('service', 'scans.read', retarget),
    inputs: EVERYTHING_ALLOWED,
  });
  expect(result.run.outputs).toMatchObject({ outcome: 'blocked' });
  expect(result.run.exitCode).toBe(1);
  expect(result.environment.github.pullRequests.get(result.environment.pullRequest)?.baseRef).toBe('stable');
});

test('a comment and the confirmation share one request', async () => {
  const scenario = await prepare({ head: 'clean' });
  const result = await runPrepared(scenario, { inputs: { comment: 'always' } });
  expect(result.run.outputs).toMatchObject({
    outcome: 'passed',
    'comment-url': expect.stringMatching(/^http/),
  });
  expect(countOf(scenario, 'github', 'graphql')).toBe(2);
  expectPaid(scenario, 1);
});

describe('a pull request that cannot be read', () => {
  const permissions = { contents: 'read', checks: 'write' } as const;

  test('leaves a young event to serve, with a warning', async () => {
    const result = await runScenario({ head: 'clean', github: { permissions } });
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expect(result.run.log).toContain('pull-requests: read');
  });

  test('is a wrong setup on a re-run', async () => {
    const result = await runScenario({
      head: 'clean',
      github: { permissions },
      inputs: EVERYTHING_ALLOWED,
      run: () => ({ runAttempt: 2 }),
    });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['pull-requests: read', 'A re-run keeps the old permissions'],
    });
  });

  test.each(BOTH_WAYS)('because GitHub fails, is an error on a re-run: $way', async ({ allowed }) => {
    const result = await runScenario({
      head: 'clean',
      github: {
        intercept: ({ point }) =>
          point === 'graphql' || point === 'pulls.read' ? { status: 502, body: 'Bad Gateway' } : undefined,
      },
      inputs: allowing('service-error', allowed),
      run: () => ({ runAttempt: 2 }),
    });
    expectNotScanned(result, 'service-error', { allowed, launches: 0, texts: ['Re-run this job later.'] });
  });
});
