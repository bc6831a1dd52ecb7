import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import { BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, type Scenario } from './scenario.ts';

const push = ({ environment, repository }: Scenario) =>
  environment.github.setHead(environment.pullRequest, repository.id('low'));
const retarget = ({ environment }: Scenario) => environment.github.setBase(environment.pullRequest, 'stable');
const close = ({ environment }: Scenario) =>
  environment.github.edit(environment.pullRequest, { state: 'closed' });

const PUSHED = ['another head', push, 'now has another head'] as const;
const RETARGETED = ['another base branch', retarget, 'now has another base branch'] as const;
/** Uses virtual time, because a wait of minutes is too long for a test in real time. */
const IN_VIRTUAL_TIME = { driver: 'in process' } as const;
/** A failed read of the pull request sends three requests by GraphQL and three by REST. */
const ATTEMPTS_OF_ONE_READ = 6;
const FAILING = { status: 502, body: 'Bad Gateway' };

const inputs = (allowed: boolean) => ({
  comment: 'always',
  'timeout-minutes': '20',
  ...(allowed ? EVERYTHING_ALLOWED : {}),
});

const asAnalyzing = ({ body, ...answer }: Answer): Answer => ({
  ...answer,
  body: JSON.parse(JSON.stringify(body).replaceAll('"ready"', '"analyzing"')),
});

const withoutComments = ({ body, ...answer }: Answer): Answer => ({
  ...answer,
  body: JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'comments' ? { pageInfo: { hasNextPage: false }, nodes: [] } : value,
  ),
});

describe('a run that waits until the repository is ready', () => {
  /**
   * Runs the gate on a repository that is not ready. The service refuses the first launch. Then `change` changes the
   * pull request, and the repository becomes ready.
   */
  async function runWaiting(change: (scenario: Scenario) => void, allowed = false) {
    let isReady = true;
    const scenario: Scenario = await prepare({
      head: 'clean',
      service: {
        intercept: ({ point, count }) => {
          if (point === 'repositories' && !isReady) {
            isReady = true;
            change(scenario);
            return { rewrite: asAnalyzing };
          }
          if (point !== 'scans.launch' || count > 1) return undefined;
          isReady = false;
          return { status: 409, body: { error: { code: 'repository_initializing', message: '' } } };
        },
      },
    });
    return { scenario, result: await runAgain(scenario, {}, inputs(allowed)) };
  }

  test.each(
    [PUSHED, RETARGETED].flatMap(([what, ...row]) =>
      BOTH_WAYS.map(({ way, allowed }) => [what, way, ...row, allowed] as const),
    ),
  )(
    'the run launches nothing if the pull request gets %s during the wait (%s)',
    async (_what, _way, change, text, allowed) => {
      const { scenario, result } = await runWaiting(change, allowed);
      expectNotScanned(result, 'superseded', { allowed, launches: 1, texts: [text] });
      expect(scenario.environment.service.scans()).toEqual([]);
    },
  );

  test('the run creates nothing if the pull request was closed during the wait', async () => {
    const { scenario, result } = await runWaiting(close, true);
    expectNotScanned(result, 'unsupported-event', { launches: 1, texts: ['is closed'], checkRun: false });
    expect(scenario.environment.service.scans()).toEqual([]);
    expect(scenario.environment.github.comments).toEqual([]);
  });

  test('the run launches a scan after the wait if the pull request has not changed', async () => {
    const { scenario, result } = await runWaiting(() => {});
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expect(scenario.environment.service.scans()).toHaveLength(1);
  });
});

describe('a run that waits 5 minutes for a rate limit before its first launch', () => {
  async function runLimited(point: string, change: (scenario: Scenario) => void) {
    let isLimited = true;
    const scenario: Scenario = await prepare({
      ...IN_VIRTUAL_TIME,
      head: 'clean',
      service: {
        intercept: (request) => {
          if (request.point !== point || !isLimited) return undefined;
          isLimited = false;
          change(scenario);
          return { status: 429, headers: { 'retry-after': '300' }, body: { error: 'rate_limited' } };
        },
      },
    });
    return { scenario, result: await runAgain(scenario, {}, inputs(true)) };
  }

  test.each(['token', 'repositories', 'presets', 'scans.list'])(
    'the run launches nothing if there is a push during the wait (limited request: %s)',
    async (point) => {
      const { scenario, result } = await runLimited(point, push);
      expectNotScanned(result, 'superseded', { allowed: true, launches: 0, texts: ['now has another head'] });
      expect(scenario.environment.service.scans()).toEqual([]);
    },
  );

  /** Prepares two runs. GitHub shows the comment of the first run only after the second run has begun to wait. */
  async function prepareComment(refused: 'check.list' | 'check.create'): Promise<Scenario> {
    let isWaiting = true;
    const scenario: Scenario = await prepare({
      ...IN_VIRTUAL_TIME,
      head: 'clean',
      github: {
        intercept: ({ point }) => {
          const isLaunched = countOf(scenario, 'service', 'scans.launch') > 0;
          if (point === refused && isLaunched) return { status: 403, body: { message: 'Forbidden' } };
          return point === 'graphql' && isWaiting ? { rewrite: withoutComments } : undefined;
        },
      },
      service: {
        intercept: ({ point, count }) => {
          if (point !== 'presets' || count !== 2) return undefined;
          isWaiting = false;
          return { status: 429, headers: { 'retry-after': '300' }, body: { error: 'rate_limited' } };
        },
      },
    });
    await runAgain(scenario, {}, inputs(false));
    return scenario;
  }

  test('the run uses a scan that only a comment names, if the comment is written during the wait', async () => {
    const scenario = await prepareComment('check.list');
    const payload = scenario.environment.pullRequestPayload({ action: 'synchronize' });
    const listsBefore = countOf(scenario, 'github', 'check.list');
    const result = await runAgain(
      scenario,
      { runId: 9_000_000_002, event: { name: 'pull_request', payload } },
      inputs(false),
    );
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
    expectPaid(scenario, 1);
    // The run reads the check runs twice at its start, and once after the wait.
    expect(countOf(scenario, 'github', 'check.list') - listsBefore).toBe(3);
  });

  test('the total counts a launch of another job that only a comment shows', async () => {
    const scenario = await prepareComment('check.create');
    const result = await runAgain(scenario, { runId: 9_000_000_002 }, inputs(false));
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
    expectPaid(scenario, 1);
    expect(result.run.outputs['credits-pull-request']).toBe('20');
  });

  test('the run reads the pull request again after each wait', async () => {
    const scenario: Scenario = await prepare({
      ...IN_VIRTUAL_TIME,
      head: 'clean',
      service: {
        intercept: ({ point, count }) => {
          const seconds = point === 'presets' && count === 1 ? 300 : 5;
          const isLimited = count === 1 && (point === 'presets' || point === 'scans.launch');
          if (!isLimited) return undefined;
          return {
            status: 429,
            headers: { 'retry-after': String(seconds) },
            body: { error: 'rate_limited' },
          };
        },
      },
    });
    const result = await runAgain(scenario, {}, inputs(false));
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    // The run reads the pull request at its start, before each of two launch requests, and before its end.
    expect(countOf(scenario, 'github', 'graphql')).toBe(4);
  });

  test('the run launches nothing if the pull request is closed during the wait', async () => {
    const { result } = await runLimited('presets', close);
    expectNotScanned(result, 'unsupported-event', { launches: 0, texts: ['is closed'], checkRun: false });
  });

  test('the run launches a scan if the pull request has not changed', async () => {
    const { scenario, result } = await runLimited('presets', () => {});
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expectPaid(scenario, 1);
  });
});

test("a run launches nothing if a push comes while it waits to read the permission of a fork's author", async () => {
  const scenario: Scenario = await prepare({
    ...IN_VIRTUAL_TIME,
    head: 'clean',
    github: {
      collaborators: { mallory: 'write' },
      intercept: ({ point, count }) => {
        if (point !== 'permission' || count > 1) return undefined;
        push(scenario);
        return { status: 429, headers: { 'retry-after': '45' }, body: { message: 'Too many requests' } };
      },
    },
  });
  const payload = scenario.environment.pullRequestPayload({
    headRepository: 'mallory/octo-repo',
    author: 'mallory',
  });
  const result = await runAgain(scenario, { event: { name: 'pull_request_target', payload } }, inputs(false));
  expectNotScanned(result, 'superseded', { launches: 0, texts: ['now has another head'] });
});

test('a run sends no second launch request after a push during a wait of 29 seconds', async () => {
  const scenario: Scenario = await prepare({
    ...IN_VIRTUAL_TIME,
    head: 'clean',
    service: {
      intercept: ({ point, count }) => {
        if (point !== 'scans.launch' || count > 2) return undefined;
        if (count === 1) push(scenario);
        return { status: 429, headers: { 'retry-after': '29' }, body: { error: 'rate_limited' } };
      },
    },
  });
  const result = await runAgain(scenario, {}, inputs(false));
  expectNotScanned(result, 'superseded', { launches: 1, texts: ['now has another head'] });
  expect(scenario.environment.service.scans()).toEqual([]);
});

describe('a re-run that follows the scan of a lost machine until this scan fails', () => {
  async function runFollowing(change: (scenario: Scenario) => void, failsGitHub = false) {
    let isFailing = false;
    const scenario = await prepare({
      head: 'clean',
      service: { pace: { hold: true } },
      github: {
        intercept: ({ point }) =>
          isFailing && (point === 'graphql' || point === 'pulls.read') ? FAILING : undefined,
      },
    });
    const { service } = scenario.environment;
    const lost = await scenario.environment.run({
      onLine: (line, { kill }) => {
        if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
      },
    });
    expect(lost.signal, lost.log).toBe('SIGKILL');
    const [left] = service.scans();
    if (left === undefined) throw new Error('nothing was launched');
    const onLine = (line: string) => {
      if (line.includes(`Found scan \`${left.id}\``)) {
        change(scenario);
        isFailing = failsGitHub;
        service.control.fail(left.id);
      }
      const [newest] = service.scans();
      if (newest === undefined || newest.id === left.id) return;
      isFailing = false;
      service.control.release(newest.id);
    };
    return { scenario, result: await runAgain(scenario, { runAttempt: 2, onLine }, inputs(true)) };
  }

  test.each([PUSHED, RETARGETED])(
    'the re-run launches nothing if the pull request gets %s during the earlier scan',
    async (_what, change, text) => {
      const { scenario, result } = await runFollowing(change);
      expect(result.run.outputs, result.run.log).toMatchObject({ reason: 'superseded' });
      expect(result.run.log).toContain(text);
      expectPaid(scenario, 1);
      expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'completed' }]);
    },
  );

  test('the re-run launches nothing if the pull request was closed during the earlier scan', async () => {
    const { scenario, result } = await runFollowing(close);
    expect(result.run.outputs, result.run.log).toMatchObject({ reason: 'unsupported-event' });
    expect(result.run.exitCode).toBe(1);
    expectPaid(scenario, 1);
    const { checkRuns, comments } = scenario.environment.github;
    expect(checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    expect(comments).toEqual([]);
  });

  test('the re-run launches a scan if GitHub does not show the pull request', async () => {
    const { scenario, result } = await runFollowing(() => {}, true);
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expectPaid(scenario, 2);
    expect(countOf(scenario, 'github', 'graphql')).toBeGreaterThan(0);
  });
});

describe('a re-run without `reuse-scan` for a pull request that is closed while the run waits', () => {
  /** Runs these steps, and loses the machine of each step while its scan runs. Then re-runs the first step. */
  async function rerunFirst(...steps: readonly Readonly<Record<string, string>>[]) {
    let isReady: boolean | undefined;
    const scenario: Scenario = await prepare({
      head: 'clean',
      service: {
        pace: { hold: true },
        intercept: ({ point, count }) => {
          if (point === 'repositories' && isReady === false) {
            isReady = true;
            close(scenario);
            return { rewrite: asAnalyzing };
          }
          if (point !== 'scans.launch' || count <= steps.length) return undefined;
          isReady = false;
          return { status: 409, body: { error: { code: 'repository_initializing', message: '' } } };
        },
      },
    });
    for (const step of steps) {
      await scenario.environment.run({
        inputs: step,
        onLine: (line, { kill }) => {
          if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
        },
      });
    }
    const own = { ...inputs(true), ...steps[0], 'reuse-scan': 'false' };
    return { scenario, result: await runAgain(scenario, { runAttempt: 2 }, own) };
  }

  test('the re-run cancels the scan of the first attempt, whose machine was lost', async () => {
    const { scenario, result } = await rerunFirst({});
    expectNotScanned(result, 'unsupported-event', { launches: 2, texts: ['is closed'], scanKnown: false });
    expect(scenario.environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  });

  test('the run does not cancel the scan of another step', async () => {
    const { scenario, result } = await rerunFirst({}, { 'credit-budget': '30' });
    expect(result.run.outputs, result.run.log).toMatchObject({ reason: 'unsupported-event' });
    const [other, own] = scenario.environment.service.scans();
    expect(own?.status).toBe('CANCELLED');
    expect(other?.status).not.toBe('CANCELLED');
    expect(scenario.environment.github.checkRuns).toMatchObject([
      { status: 'completed', conclusion: 'failure' },
      { status: 'in_progress' },
    ]);
  });
});

test.each([PUSHED, RETARGETED])(
  'a run launches nothing if only its second read of the pull request shows %s',
  async (_what, change, text) => {
    const scenario: Scenario = await prepare({
      head: 'clean',
      github: {
        intercept: ({ point }) => {
          if (point !== 'graphql' && point !== 'pulls.read') return undefined;
          const reads = countOf(scenario, 'github', 'graphql') + countOf(scenario, 'github', 'pulls.read');
          return reads <= ATTEMPTS_OF_ONE_READ ? FAILING : undefined;
        },
      },
    });
    const payload = scenario.environment.pullRequestPayload();
    change(scenario);
    const event = { name: 'pull_request', payload };
    const result = await runAgain(scenario, { event }, { ...inputs(true), comment: 'never' });
    expectNotScanned(result, 'superseded', { allowed: true, launches: 0, texts: [text] });
  },
);
