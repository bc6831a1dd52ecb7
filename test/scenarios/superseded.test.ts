import { describe, expect, test } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import { countOf, expectPaid, pushed, runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const PUSHED = 'now has another head';
const RETARGETED = 'now has another base branch: "stable"';
/** The requests of one failed read of the pull request: three by GraphQL and three by REST. */
const ATTEMPTS_OF_ONE_READ = 6;

/** Changes the pull request while the action waits for the answer to its first request of this kind. */
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

test('a re-run for an outdated head launches nothing', async () => {
  const scenario = await prepare({ head: 'clean' });
  const payload = scenario.environment.pullRequestPayload();
  pushed(scenario, scenario.headSha, scenario.repository.id('low'));
  const result = await runAgain(scenario, { event: { name: 'pull_request', payload }, runAttempt: 2 });
  expectNotScanned(result, 'superseded', { launches: 0, texts: [PUSHED, 'See the run for that commit'] });
});

test('a first run launches nothing if a push changed the head before the run started', async () => {
  const scenario = await prepare({ head: 'clean' });
  const payload = scenario.environment.pullRequestPayload();
  push(scenario);
  const result = await runAgain(scenario, { event: { name: 'pull_request', payload } });
  expectNotScanned(result, 'superseded', { launches: 0, texts: [PUSHED] });
});

test('a run for a push launches nothing if the next push has undone that push', async () => {
  const scenario = await prepare({ head: 'clean' });
  const { headSha, repository } = scenario;
  const away = pushed(scenario, headSha, repository.id('low'));
  pushed(scenario, repository.id('low'), headSha);
  const result = await runAgain(scenario, away);
  expect(result.run.outputs, result.run.log).toMatchObject({
    outcome: 'not-scanned',
    reason: 'superseded',
    'head-commit': repository.id('low'),
  });
  expectPaid(scenario, 0);
});

test('a re-run launches a scan if GitHub first shows an older head, and then the current head', async () => {
  const scenario = await prepare({
    head: 'clean',
    github: {
      intercept: ({ point, count }) => {
        if (point !== 'graphql' || count > 2) return undefined;
        return { rewrite: showing(scenario.repository.id('low')) };
      },
    },
  });
  const result = await runPrepared(scenario, { run: () => ({ runAttempt: 2 }) });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
  expectPaid(scenario, 1);
});

/** Makes GraphQL answer that the pull request has this head. */
function showing(headSha: string) {
  return (answer: Answer): Answer => ({
    ...answer,
    body: JSON.parse(
      JSON.stringify(answer.body).replace(/"headRefOid":"[0-9a-f]+"/, `"headRefOid":"${headSha}"`),
    ),
  });
}

describe.each([
  ['updated by a push', push, PUSHED],
  ['moved to another base branch', retarget, RETARGETED],
] as const)('a pull request that is %s while the scan runs', (what, change, texts) => {
  test.each(BOTH_WAYS)(
    `a completed scan does not count if the pull request was ${what} ($way)`,
    async ({ allowed }) => {
      const result = await runScenario({
        head: 'clean',
        ...changing('service', 'scans.read', change),
        inputs: { comment: 'always', ...allowing('superseded', allowed) },
      });
      expectNotScanned(result, 'superseded', { allowed, launches: 1, texts: [texts] });
      expect(result.run.outputs['scan-status']).toBe('COMPLETED');
    },
  );
});

test.each([
  ['a pull request without a change', { head: 'behind' }, {}],
  [
    'a pull request that may pass unscanned',
    { service: { credits: 0 } },
    { 'allow-unscanned': 'insufficient-credits' },
  ],
] as const)('%s does not pass if it moves to another base branch', async (_, options, inputs) => {
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

test('a pull request without a change does not pass if it is closed during the run', async () => {
  const result = await runScenario({ head: 'behind', ...changing('github', 'compare', close) });
  expectNotScanned(result, 'unsupported-event', { launches: 0, texts: ['is closed'] });
});

test('a run with a clean scan passes if the pull request is closed during the scan', async () => {
  const result = await runScenario({ head: 'clean', ...changing('service', 'scans.read', close) });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
  expect(result.run.exitCode).toBe(0);
});

test('a run writes no comment if its first successful read shows a closed pull request', async () => {
  let down = true;
  const scanned = changing('service', 'scans.read', (scenario) => {
    close(scenario);
    down = false;
  });
  const result = await runScenario({
    head: 'clean',
    ...scanned,
    github: {
      intercept: ({ point }) =>
        down && (point === 'graphql' || point === 'pulls.read')
          ? { status: 502, body: 'Bad Gateway' }
          : undefined,
    },
    inputs: { comment: 'always', ...EVERYTHING_ALLOWED },
  });
  expect(result.run.outputs, result.run.log).toMatchObject({
    outcome: 'not-scanned',
    reason: 'unsupported-event',
    'comment-url': '',
  });
  expect(result.run.exitCode).toBe(1);
  const { checkRuns, comments } = result.environment.github;
  expect(comments).toEqual([]);
  expect(checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
});

test('a blocked run stays blocked if the pull request moves to another base branch', async () => {
  const result = await runScenario({
    ...changing('service', 'scans.read', retarget),
    inputs: EVERYTHING_ALLOWED,
  });
  expect(result.run.outputs).toMatchObject({ outcome: 'blocked' });
  expect(result.run.exitCode).toBe(1);
  expect(result.environment.github.pullRequests.get(result.environment.pullRequest)?.baseRef).toBe('stable');
});

test('at the end, a run reads the pull request and its comments in one request', async () => {
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
  const NEEDS = ['Add pull-requests: read', 'A re-run keeps the old permissions'];

  test.each([1, 2])(
    'a run that may not read the pull request reports a configuration error (attempt %i)',
    async (runAttempt) => {
      const result = await runScenario({
        head: 'clean',
        github: { permissions },
        inputs: EVERYTHING_ALLOWED,
        run: () => ({ runAttempt }),
      });
      expectNotScanned(result, 'configuration', { launches: 0, texts: NEEDS });
    },
  );

  test('a run needs no permission to read a pull request of a public repository', async () => {
    const result = await runScenario({ head: 'clean', visibility: 'public', github: { permissions } });
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
  });

  const answering = (answer: Interception): ScenarioOptions => ({
    head: 'clean',
    github: {
      intercept: ({ point }) => (point === 'graphql' || point === 'pulls.read' ? answer : undefined),
    },
    inputs: EVERYTHING_ALLOWED,
  });

  test.each([
    ['rejects the token', 401, 'Check github-token'],
    ['finds no pull request', 404, 'github-token'],
  ])('a run reports a configuration error if GitHub %s', async (_, status, texts) => {
    const result = await runScenario(answering({ status, body: { message: 'no' } }));
    expectNotScanned(result, 'configuration', { launches: 0, texts: [texts] });
  });

  test('under a rate limit, a run uses the head and the base branch of the event', async () => {
    const limited = {
      status: 403,
      headers: { 'x-ratelimit-remaining': '0' },
      body: { message: 'rate limit' },
    };
    const result = await runScenario(answering(limited));
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expect(result.run.log).toContain('Using the head and base branch of the event instead');
  });

  test('a run repeats the request for a pull request that GitHub does not find at first', async () => {
    let reads = 0;
    const result = await runScenario({
      head: 'clean',
      github: {
        intercept: ({ point }) => {
          if (point !== 'graphql' && point !== 'pulls.read') return undefined;
          reads += 1;
          return reads <= 4 ? { status: 404, body: { message: 'Not Found' } } : undefined;
        },
      },
    });
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expect(result.run.log).not.toContain('Using the head');
  });

  test.each(BOTH_WAYS)(
    'a re-run launches no scan if GitHub fails to show the pull request ($way)',
    async ({ allowed }) => {
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
    },
  );
});

describe('a pull request that GitHub does not show on the first read', () => {
  /**
   * Changes the pull request, and runs the action. GitHub fails in every attempt of the first read, and then shows the
   * change.
   */
  async function runFailingAtFirst(change: (scenario: Scenario) => void) {
    const scenario: Scenario = await prepare({
      head: 'clean',
      github: {
        intercept: ({ point }) => {
          if (point !== 'graphql' && point !== 'pulls.read') return undefined;
          const reads = countOf(scenario, 'github', 'graphql') + countOf(scenario, 'github', 'pulls.read');
          return reads <= ATTEMPTS_OF_ONE_READ ? { status: 502, body: 'Bad Gateway' } : undefined;
        },
      },
    });
    // The event brings no new head, so a comment can already exist. For this reason, the run reads the comments.
    const payload = scenario.environment.pullRequestPayload({ action: 'reopened' });
    change(scenario);
    const event = { name: 'pull_request', payload };
    const inputs = { comment: 'always', ...EVERYTHING_ALLOWED };
    return { scenario, result: await runAgain(scenario, { event }, inputs) };
  }

  test.each([
    ['updated by a push', push, PUSHED],
    ['moved to another base branch', retarget, RETARGETED],
  ] as const)(
    'after a failed first read, a run launches nothing if the pull request was %s',
    async (_, change, text) => {
      const { result } = await runFailingAtFirst(change);
      expectNotScanned(result, 'superseded', { allowed: true, launches: 0, texts: [text] });
    },
  );

  test.each<[string, readonly ((scenario: Scenario) => void)[]]>([
    ['closed', [close]],
    ['moved to another base branch and closed', [retarget, close]],
    ['updated by a push and closed', [push, close]],
  ])(
    'after a failed first read, a run creates no check run and no comment if the pull request was %s',
    async (_, changes) => {
      const { scenario, result } = await runFailingAtFirst((opened) => {
        for (const change of changes) change(opened);
      });
      expectNotScanned(result, 'unsupported-event', { launches: 0, texts: ['is closed'], checkRun: false });
      expect(scenario.environment.github.comments).toEqual([]);
    },
  );

  test('after a failed first read, a run scans a pull request that has not changed', async () => {
    const { scenario, result } = await runFailingAtFirst(() => {});
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expectPaid(scenario, 1);
  });
});

describe('a pull request that GitHub shows only on the last read', () => {
  /**
   * Changes the pull request during the scan. GitHub fails in every attempt of the first three reads: at the start,
   * before the launch, and before the end of the run. Only the fourth read shows the change.
   */
  async function runFailingUntilTheEnd(change: (scenario: Scenario) => void) {
    const scenario: Scenario = await prepare({
      head: 'clean',
      service: {
        intercept: ({ point, count }) => {
          if (point === 'scans.read' && count === 1) change(scenario);
          return undefined;
        },
      },
      github: {
        intercept: ({ point }) => {
          if (point !== 'graphql' && point !== 'pulls.read') return undefined;
          const reads = countOf(scenario, 'github', 'graphql') + countOf(scenario, 'github', 'pulls.read');
          return reads <= 3 * ATTEMPTS_OF_ONE_READ ? { status: 502, body: 'Bad Gateway' } : undefined;
        },
      },
    });
    const inputs = { comment: 'always', ...EVERYTHING_ALLOWED };
    return { scenario, result: await runPrepared(scenario, { inputs }) };
  }

  test.each([
    ['updated by a push', push, PUSHED],
    ['moved to another base branch', retarget, RETARGETED],
  ] as const)(
    'if the last read shows that the pull request was %s, the run does not pass',
    async (_, change, text) => {
      const { result } = await runFailingUntilTheEnd(change);
      expectNotScanned(result, 'superseded', { allowed: true, launches: 1, texts: [text] });
    },
  );

  test('if the last read shows that the pull request was closed, the run does not pass', async () => {
    const { scenario, result } = await runFailingUntilTheEnd(close);
    expect(result.run.outputs, result.run.log).toMatchObject({
      outcome: 'not-scanned',
      reason: 'unsupported-event',
    });
    expect(result.run.exitCode).toBe(1);
    expect(scenario.environment.github.comments).toEqual([]);
  });

  test('if the last read shows an unchanged pull request, the run passes', async () => {
    const { scenario, result } = await runFailingUntilTheEnd(() => {});
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expect(scenario.environment.github.comments).toHaveLength(1);
  });
});

test('if GitHub fails, a run tries four times to read the pull request, each time with six requests', async () => {
  const scenario = await prepare({
    head: 'clean',
    github: {
      intercept: ({ point }) =>
        point === 'graphql' || point === 'pulls.read' ? { status: 502, body: 'Bad Gateway' } : undefined,
    },
  });
  const result = await runPrepared(scenario, { inputs: { comment: 'always' } });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed', 'comment-url': '' });
  const reads = countOf(scenario, 'github', 'graphql') + countOf(scenario, 'github', 'pulls.read');
  // The run reads the pull request at the start, before the launch, and twice before it ends.
  expect(reads).toBe(4 * ATTEMPTS_OF_ONE_READ);
});
