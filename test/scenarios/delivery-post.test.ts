import { expect, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import type { StepControls } from '../../sandbox/runner/step-process.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';

const HOLDING = { service: { pace: { hold: true } } };

/** Runs `main`. When the check run exists and the scan runs, the machine is lost. */
async function runKilled({ environment }: Scenario): Promise<ActionRun> {
  const run = await environment.run({
    onLine: (line, { kill }) => {
      // When the log shows the first status of the scan, the launch is saved. The check run can be created a little
      // later.
      if (line.includes('Scan queued') || line.includes('Scan running')) {
        void environment
          .when(() => environment.github.checkRuns.length > 0)
          .then(() => environment.pause(2_000))
          .then(() => kill('SIGKILL'));
      }
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  return run;
}

function runPost({ environment }: Scenario, options: EnvironmentRunOptions): Promise<ActionRun> {
  return environment.run({ step: 'post', ...options });
}

/** The number of requests to all servers. */
function calls({ environment }: Scenario): number {
  return environment.service.requests.length + environment.github.requests.length;
}

test.each([
  ['with valid inputs', {}],
  ['with a service that does not answer', { 'base-url': 'http://127.0.0.1:9/api/v1' }],
  ['with wrong inputs', { 'base-url': '', 'api-token': '', 'fail-on': 'hihg' }],
])('%s, `post` sends no request if the job saved nothing', async (_what, inputs) => {
  const scenario = await prepare({});
  const post = await runPost(scenario, { inputs });
  expect({ exitCode: post.exitCode, log: post.log }).toEqual({ exitCode: 0, log: '' });
  expect(calls(scenario)).toBe(0);
});

test.each(['{', '{"scanId":7}', 'null', '"scan"'])(
  '`post` sends no request if it cannot read the saved state (%s)',
  async (text) => {
    const scenario = await prepare({ driver: 'bundle' });
    const post = await runPost(scenario, { state: { 'running-scan': text } });
    expect(post.exitCode, post.log).toBe(0);
    expect(post.log).toContain(
      '##[warning]Could not read what the job saved, so a scan may still be running',
    );
    expect(calls(scenario)).toBe(0);
  },
);

test.each(['clean', 'vulnerable', 'behind'] as const)(
  'after an uninterrupted run for the head `%s`, `post` sends no request',
  async (head) => {
    const scenario = await prepare({ head });
    const { run } = await runPrepared(scenario);
    const before = calls(scenario);
    const post = await runPost(scenario, { state: run.state });
    expect(post.exitCode, post.log).toBe(0);
    expect(calls(scenario)).toBe(before);
  },
);

test('after the machine was lost, `post` cancels the scan and completes the check run', async () => {
  const scenario = await prepare(HOLDING);
  const run = await runKilled(scenario);
  const { service, github } = scenario.environment;
  expect(service.ledger().reserved).toBe(20);
  expect(github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  for (const token of [service.token, github.token]) expect(JSON.stringify(run.state)).not.toContain(token);

  const post = await runPost(scenario, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(service.ledger().reserved).toBe(0);
  expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }]);
  expect(post.log).toContain('The service releases its reserved credits, but charges completed work');
  for (const token of [service.token, github.token]) expect(post.log).not.toContain(token);
  expect(service.requests.map(({ point }) => point).filter((point) => point === 'scans.launch')).toHaveLength(
    1,
  );
});

test('`post` passes if the scan has already ended', async () => {
  const scenario = await prepare(HOLDING);
  const run = await runKilled(scenario);
  const { service, github } = scenario.environment;
  service.control.fail(service.scans()[0]?.id ?? '');
  const post = await runPost(scenario, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(post.log).toContain('had already ended as FAILED');
  expect(github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }]);
});

test.each([
  ['without the API token', ''],
  ['with an API token that no header can hold', 'svc_proj_k1_abc…'],
])('%s, `post` names the scan that may still be running', async (_what, token) => {
  const scenario = await prepare(HOLDING);
  const run = await runKilled(scenario);
  const post = await runPost(scenario, { state: run.state, inputs: { 'api-token': token } });
  expect(post.exitCode).toBe(1);
  expect(post.log).toContain(
    '##[error]`api-token` or `base-url` is unavailable in the post step, so the scan could not be cancelled.',
  );
  expect(post.log).toContain(
    `Scan \`${scenario.environment.service.scans()[0]?.id}\` may still be running. Cancel it`,
  );
  expect(scenario.environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'cancelled' },
  ]);
  expect(scenario.environment.service.requests.filter(({ point }) => point === 'scans.cancel')).toEqual([]);
});

test('`post` fails if it cannot reach the service to cancel the scan', async () => {
  const scenario = await prepare(HOLDING);
  const run = await runKilled(scenario);
  const post = await runPost(scenario, {
    state: run.state,
    inputs: { 'base-url': 'http://127.0.0.1:9/api/v1' },
  });
  expect(post.exitCode).toBe(1);
  expect(post.log).toContain('Could not cancel scan');
  expect(scenario.environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'cancelled' },
  ]);
});

test('`post` cancels the scan even if the GitHub token may not write check runs', async () => {
  const scenario = await prepare(HOLDING);
  const run = await runKilled(scenario);
  Object.assign(scenario.environment.github.permissions, { checks: 'none' });
  const post = await runPost(scenario, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(post.log).toContain('checks: write');
  expect(scenario.environment.service.ledger().reserved).toBe(0);
});

/**
 * Runs `main`. GitHub does not answer the first request of the kind `point`. After that request, the machine is lost
 * as soon as `when` returns true.
 */
async function runKilledAt(point: string, when: (scenario: Scenario) => boolean = () => true) {
  let controls: StepControls | undefined;
  let hung = false;
  const scenario = await prepare({
    head: 'clean',
    github: {
      intercept: (request) => {
        if (request.point !== point || hung) return undefined;
        hung = true;
        void scenario.environment.when(() => when(scenario)).then(() => controls?.kill('SIGKILL'));
        return { fault: 'hang-before' };
      },
    },
  });
  const run = await scenario.environment.run({
    inputs: { comment: 'always' },
    onStart: (given) => {
      controls = given;
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  return { scenario, run };
}

test('`post` does not change a verdict that was delivered before the machine was lost', async () => {
  const { scenario, run } = await runKilledAt('comments.create', ({ environment }) =>
    environment.github.checkRuns.every(({ status }) => status === 'completed'),
  );
  const delivered = structuredClone(scenario.environment.github.checkRuns);
  expect(delivered).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  const post = await runPost(scenario, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(scenario.environment.github.checkRuns).toEqual(delivered);
  expect(scenario.environment.service.scans()).toMatchObject([{ status: 'COMPLETED' }]);
});

test('`post` writes the verdict that the lost machine could not deliver', async () => {
  const { scenario, run } = await runKilledAt('check.update');
  expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  const post = await runPost(scenario, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(scenario.environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'success' },
  ]);
});

test('a run creates no second check run if the answer to the first creation is lost', async () => {
  let creations = 0;
  let lostLists = 0;
  const scenario = await prepare({
    head: 'clean',
    github: {
      intercept: ({ point }) => {
        if (point === 'check.create') creations += 1;
        // GitHub creates each check run, but its answer is lost. After the first creation, its answers to three
        // requests for the list of check runs are lost too.
        else if (point !== 'check.list' || creations === 0 || lostLists === 3) return undefined;
        else lostLists += 1;
        return { fault: 'reset-after' };
      },
    },
  });
  const { run } = await runPrepared(scenario);
  expect(run.outputs, run.log).toMatchObject({ outcome: 'passed' });
  expect({ creations, lostLists }).toEqual({ creations: 1, lostLists: 3 });
  expect(scenario.environment.github.checkRuns).toMatchObject([
    { status: 'completed', conclusion: 'success' },
  ]);
  expect(run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
});
