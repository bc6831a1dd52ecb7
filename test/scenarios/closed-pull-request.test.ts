import { describe, expect, test } from 'vitest';
import { aLostRun, close as closes, failing } from './effects.ts';
import { endedAs, exits, paid, scans } from './ends.ts';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import { openRepository } from './repository.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { testRuns } from './run-rows.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';

const HOLDING = { pace: { hold: true } };

function close({ environment }: Scenario): void {
  environment.github.edit(environment.pullRequest, { state: 'closed' });
}

function reopen({ environment }: Scenario): void {
  environment.github.edit(environment.pullRequest, { state: 'open' });
}

/** Runs a job whose machine is lost while its scan runs. `post` never runs. */
async function runLost(
  { environment }: Scenario,
  inputs: Readonly<Record<string, string>> = {},
): Promise<string> {
  const run = await environment.run({
    inputs,
    onLine: (line, { kill }) => {
      if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  return environment.service.scans().at(-1)?.id ?? '';
}

test.each([1, 2])(
  'on a closed pull request, a run for an older head creates no check run and no comment (attempt %i)',
  async (runAttempt) => {
    const scenario = await prepare({ head: 'clean' });
    const { environment, repository } = scenario;
    const payload = environment.pullRequestPayload();
    environment.github.setHead(environment.pullRequest, repository.id('low'));
    close(scenario);
    const inputs = { comment: 'always', ...EVERYTHING_ALLOWED };
    const result = await runAgain(scenario, { event: { name: 'pull_request', payload }, runAttempt }, inputs);
    expectNotScanned(result, 'unsupported-event', { launches: 0, texts: ['is closed'], checkRun: false });
    expect(environment.github.comments).toEqual([]);
  },
);

describe('a pull request that was scanned, and then closed', () => {
  test.each(['clean', 'vulnerable'] as const)(
    'a re-run for a closed pull request does not reuse the scan of a %s head',
    async (head) => {
      const scenario = await prepare({ head });
      const inputs = { comment: 'always' };
      await runPrepared(scenario, { inputs });
      const { checkRuns, comments } = scenario.environment.github;
      const shown = structuredClone({ checkRuns, comments });
      close(scenario);
      const again = await runAgain(scenario, { runAttempt: 2 }, { ...inputs, ...EVERYTHING_ALLOWED });
      expect(again.run.exitCode).toBe(1);
      expect(again.run.outputs, again.run.log).toMatchObject({
        outcome: 'not-scanned',
        reason: 'unsupported-event',
        'scan-id': '',
        'check-run-url': '',
        'comment-url': '',
      });
      expectPaid(scenario, 1);
      // The check run and the comment did not change.
      expect(scenario.environment.github).toMatchObject(shown);
    },
  );

  test('a run for a reopened pull request reuses the earlier scan', async () => {
    const scenario = await prepare({});
    const first = await runPrepared(scenario);
    close(scenario);
    await runAgain(scenario, { runAttempt: 2 });
    reopen(scenario);
    const payload = scenario.environment.pullRequestPayload({ action: 'reopened' });
    const again = await runAgain(scenario, {
      event: { name: 'pull_request', payload },
      runId: 9_000_000_002,
    });
    expect(again.run.outputs, again.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': first.run.outputs['scan-id'],
      'scan-reused': 'true',
    });
    expectPaid(scenario, 1);
  });

  test('a re-run for a closed pull request does not pass a head that is blocked on another pull request', async () => {
    const { id } = await openRepository();
    const headSha = id('vulnerable');
    const scenario = await prepare({
      github: {
        pullRequests: [
          { number: 7, headSha, baseRef: 'main' },
          { number: 8, headSha, baseRef: 'stacked' },
        ],
      },
    });
    const { environment } = scenario;
    const second = environment.pullRequestPayload({ number: 8, baseRef: 'stacked' });
    const passing = await runAgain(scenario, {
      event: { name: 'pull_request', payload: second },
      runId: 9_000_000_002,
    });
    expect(passing.run.outputs, passing.run.log).toMatchObject({ outcome: 'unchanged' });
    environment.github.edit(8, { state: 'closed' });
    const first = await runPrepared(scenario, { inputs: EVERYTHING_ALLOWED });
    expect(first.run.outputs, first.run.log).toMatchObject({ outcome: 'blocked' });
    const again = await runAgain(
      scenario,
      { event: { name: 'pull_request', payload: second }, runId: 9_000_000_002, runAttempt: 2 },
      EVERYTHING_ALLOWED,
    );
    expect(again.run.exitCode).toBe(1);
    expect(environment.github.checkRuns.at(-1)).toMatchObject({ conclusion: 'failure' });
    expect(environment.github.checkRuns).toHaveLength(2);
  });
});

test.each([
  ['reached GitHub', 'reset-after', [{ status: 'completed', conclusion: 'failure' }]],
  ['did not reach GitHub', 'reset-before', []],
] as const)(
  'a run leaves no check run in progress if a push comes and the pull request is closed: the request for the check run %s',
  async (_what, fault, checkRuns) => {
    let creations = 0;
    let lostLists = 0;
    const scenario: Scenario = await prepare({
      head: 'clean',
      service: {
        intercept: ({ point }) => {
          if (point !== 'findings.list') return undefined;
          const { environment, repository } = scenario;
          environment.github.setHead(environment.pullRequest, repository.id('low'));
          close(scenario);
          return undefined;
        },
      },
      github: {
        intercept: ({ point }) => {
          if (point === 'check.create') creations += 1;
          else if (point !== 'check.list' || creations === 0 || lostLists === 3) return undefined;
          else lostLists += 1;
          return { fault };
        },
      },
    });
    const { run } = await runPrepared(scenario);
    expect(run.outputs, run.log).toMatchObject({ reason: 'superseded' });
    expect(creations).toBe(1);
    expect(scenario.environment.github.checkRuns).toMatchObject(checkRuns);
    expect(run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
  },
);

describe('a re-run on a closed pull request after the machine of an earlier attempt was lost', () => {
  test('a re-run on a closed pull request completes the check run and cancels the scan of the lost attempt', async () => {
    const scenario = await prepare({ service: HOLDING });
    const scanId = await runLost(scenario);
    close(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 }, EVERYTHING_ALLOWED);
    expectNotScannedAt(again.run);
    expectPaid(scenario, 1);
    expect(scenario.environment.service.scans()).toMatchObject([{ id: scanId, status: 'CANCELLED' }]);
    expect(again.run.log).toContain(`Cancelled scan \`${scanId}\``);
    // Each attempt asked once: the re-run used the answer that it already had.
    expect(countOf(scenario, 'service', 'token')).toBe(2);
    const { checkRuns } = scenario.environment.github;
    expect(checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    // The check run still names the scan, so that later runs can find the scan.
    expect(checkRuns[0]?.externalId).toContain(scanId);
  });

  test('a re-run on a closed pull request cancels both scans of a lost attempt with two gate steps', async () => {
    const scenario = await prepare({ service: HOLDING });
    await runLost(scenario);
    await runLost(scenario, { 'credit-budget': '40' });
    close(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 });
    expectNotScannedAt(again.run);
    expectPaid(scenario, 2);
    expect(scenario.environment.service.scans()).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'CANCELLED' },
    ]);
  });

  test('a re-run on a closed pull request ignores the check run and the scan of another run', async () => {
    const scenario = await prepare({ service: HOLDING });
    await runLost(scenario);
    close(scenario);
    const again = await runAgain(scenario, { runId: 9_000_000_002, runAttempt: 2 });
    expectNotScannedAt(again.run);
    expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
    expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  });

  test('if a re-run on a closed pull request cannot cancel the scan, the post step cancels it', async () => {
    let down = true;
    const scenario = await prepare({
      service: {
        ...HOLDING,
        intercept: ({ point }) =>
          down && point === 'scans.cancel' ? { status: 503, body: 'Service Unavailable' } : undefined,
      },
    });
    const scanId = await runLost(scenario);
    close(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 });
    expectNotScannedAt(again.run);
    expect(again.run.summary).toContain('may still be running');
    down = false;
    const post = await scenario.environment.run({ step: 'post', state: again.run.state, runAttempt: 2 });
    expect(post.exitCode, post.log).toBe(0);
    expect(scenario.environment.service.scans()).toMatchObject([{ id: scanId, status: 'CANCELLED' }]);
  });

  test('a stopped re-run on a closed pull request asks for its project once more, and cancels the scan', async () => {
    let isRerun = false;
    let hung = 0;
    const listing = Promise.withResolvers<void>();
    const scenario = await prepare({
      service: {
        ...HOLDING,
        intercept: ({ point }) => {
          if (!isRerun || point !== 'token' || hung > 0) return undefined;
          hung += 1;
          return { fault: 'hang-before' };
        },
      },
      github: {
        intercept: ({ point }) => {
          if (isRerun && point === 'check.list') listing.resolve();
          return undefined;
        },
      },
    });
    const scanId = await runLost(scenario);
    isRerun = true;
    close(scenario);
    const again = await runAgain(scenario, { runAttempt: 2, cancelAfter: listing.promise });
    expectNotScannedAt(again.run);
    expect(hung).toBe(1);
    expect(scenario.environment.service.scans()).toMatchObject([{ id: scanId, status: 'CANCELLED' }]);
  });

  test('a re-run on a closed pull request names the scan of the lost attempt if the service is down', async () => {
    let down = false;
    const scenario = await prepare({
      service: {
        ...HOLDING,
        intercept: ({ point }) =>
          down && point === 'token' ? { status: 503, body: 'Service Unavailable' } : undefined,
      },
    });
    const scanId = await runLost(scenario);
    down = true;
    close(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 });
    expectNotScannedAt(again.run);
    expect(again.run.log).toContain(`Scan \`${scanId}\` of an earlier attempt may still be running`);
  });
});

testRuns([
  {
    name: 'a re-run on a closed pull request cancels the scan of the lost attempt in the project that `project-id` names',
    service: HOLDING,
    earlier: [aLostRun(), closes],
    attempt: 2,
    at: { token: failing },
    inputs: { 'project-id': 'prj_7f3a91c2' },
    ends: [endedAs('unsupported-event'), exits(1), paid(1), scans({ status: 'CANCELLED' })],
  },
]);

function expectNotScannedAt({
  outputs,
  exitCode,
  log,
}: {
  readonly outputs: object;
  readonly exitCode: number | null;
  readonly log: string;
}) {
  expect(outputs, log).toMatchObject({ outcome: 'not-scanned', reason: 'unsupported-event' });
  expect(exitCode).toBe(1);
}

test('a run for a closed pull request does not wait for the service', async () => {
  const scenario = await prepare({
    // Uses virtual time, because a slow machine may need more than a second of real time for a run.
    driver: 'in process',
    service: { intercept: () => ({ fault: 'hang-before' }) },
  });
  close(scenario);
  const began = scenario.environment.now();
  const { run } = await runPrepared(scenario);
  expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'unsupported-event' });
  expect(scenario.environment.now() - began).toBeLessThan(1_000);
  expect(scenario.environment.service.requests.map(({ point }) => point)).toEqual(['token']);
});
