import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import { isObject } from '../../sandbox/json.ts';
import type { StepControls } from '../../sandbox/runner/step-process.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';
import { expectNotScanned } from './expect-result.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';
import { HIDDEN_SCOPE, isOfStranger, launchAsStranger, TWO_USERS } from './stranger.ts';

describe('a scan that another user launched for the same change', () => {
  test.each([
    ['with other guidance', { guidance: 'Report nothing.' }, false],
    ['with other guidance that the service hides', { guidance: 'Report nothing.' }, true],
    ['with a smaller budget', {}, false],
    ['with a smaller budget that the service hides', {}, true],
  ])("a run neither uses nor cancels another user's scan %s", async (_what, extra, hidden) => {
    const scenario = await prepare({
      service: {
        ...TWO_USERS,
        pace: { hold: true },
        hideFields: hidden ? HIDDEN_SCOPE : {},
      },
    });
    const theirs = await launchAsStranger(scenario, extra);
    const { service } = scenario.environment;
    const result = await runPrepared(scenario, {
      inputs: { 'credit-budget': '500' },
      run: () => ({
        onLine: () => {
          const [newest] = service.scans();
          if (newest !== undefined && newest.id !== theirs) service.control.release(newest.id);
        },
      }),
    });
    expect(result.run.outputs, result.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-reused': 'false',
    });
    expect(result.run.outputs['scan-id']).not.toBe(theirs);
    expect(service.scans().find(({ id }) => id === theirs)?.status).toBe('QUEUED');
    expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
  });
});

test('a run with a lost launch does not use a scan whose commit is hidden', async () => {
  let scenario: Scenario | undefined;
  const hidden = ['commit'];
  scenario = await prepare({
    service: {
      ...TWO_USERS,
      pace: { hold: true },
      hideFields: { scanItem: hidden, scanDetail: hidden },
      intercept: async ({ point, headers }) => {
        if (scenario === undefined || point !== 'scans.launch') return undefined;
        const { environment, repository } = scenario;
        if (isOfStranger(scenario, headers.authorization)) return undefined;
        await environment.hold(() =>
          launchAsStranger({ environment, repository, headSha: repository.id('clean') }),
        );
        return { status: 503, body: 'Service Unavailable' };
      },
    },
  });
  const result = await runPrepared(scenario, { inputs: { 'timeout-minutes': '5' } });
  expectNotScanned(result, 'launch-unknown', {
    launches: 2,
    texts: ['could not match it to this run'],
    reserved: 20,
    scanKnown: false,
  });
  expect(scenario.environment.service.scans()).toMatchObject([{ status: 'QUEUED' }]);
  expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
});

test('a run does not find its lost launch if the service shortens commit ids', async () => {
  const abbreviate = (answer: Answer): Answer => {
    const text = JSON.stringify(answer.body ?? null).replaceAll(
      /"(baseCommit|commit)":"([0-9a-f]{7})[0-9a-f]{33}"/g,
      '"$1":"$2"',
    );
    const body: unknown = JSON.parse(text);
    return isObject(body) ? { ...answer, body } : answer;
  };
  const scenario = await prepare({
    service: {
      pace: { hold: true },
      intercept: ({ point }) =>
        point === 'scans.launch'
          ? { fault: 'reset-after' }
          : point === 'scans.list' || point === 'scans.read'
            ? { rewrite: abbreviate }
            : undefined,
    },
  });
  const result = await runPrepared(scenario);
  expectNotScanned(result, 'launch-unknown', {
    launches: 1,
    texts: ['could not match it to this run'],
    reserved: 20,
    scanKnown: false,
  });
});

test('a second step with another check name uses the scan of the first step', async () => {
  const scenario = await prepare({});
  const first = await runPrepared(scenario);
  const second = await runAgain(scenario, {}, { 'check-name': 'Another check', 'fail-on': 'none' });
  expect(second.run.outputs, second.run.log).toMatchObject({
    outcome: 'passed',
    'scan-id': first.run.outputs['scan-id'],
    'scan-reused': 'true',
  });
  expectPaid(scenario, 1);
});

describe('an edited title or body', () => {
  const edited = ({ environment }: Scenario) => ({
    runId: 9_000_000_002,
    event: {
      name: 'pull_request',
      payload: {
        ...environment.pullRequestPayload({ action: 'edited' }),
        changes: { title: { from: 'Before' } },
      },
    },
  });

  test('a run for an edited title or body uses the completed scan again', async () => {
    const scenario = await prepare({});
    await runPrepared(scenario);
    const again = await runAgain(scenario, edited(scenario));
    expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'true' });
    expectPaid(scenario, 1);
  });

  test.each(['FAILED', 'CANCELLED'] as const)(
    'a run for an edited title launches nothing after a scan that ended as %s',
    async (ending) => {
      const scenario = await prepare({ service: { pace: { ending } } });
      const first = await runPrepared(scenario);
      const again = await runAgain(scenario, edited(scenario));
      expect(again.run.exitCode).toBe(1);
      expect(again.run.outputs, again.run.log).toMatchObject({
        outcome: 'not-scanned',
        reason: first.run.outputs['reason'],
        'scan-id': first.run.outputs['scan-id'],
      });
      expectPaid(scenario, 1);
    },
  );

  test('a run for an edited title launches a scan if there is no mark', async () => {
    const scenario = await prepare({});
    const result = await runAgain(scenario, edited(scenario));
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expectPaid(scenario, 1);
  });
});

test('a re-run outputs the address of the page that the first run published', async () => {
  const scenario = await prepare({});
  const inputs = { publish: 'always', 'publish-password': 'true' };
  const first = await runPrepared(scenario, { inputs });
  expect(first.run.outputs['public-password']).not.toBe('');
  const again = await runAgain(scenario, { runAttempt: 2 }, inputs);
  expect(countOf(scenario, 'service', 'scans.publish')).toBe(1);
  expect(again.run.outputs).toMatchObject({
    'public-url': first.run.outputs['public-url'],
    'public-password': '',
  });
  expect(scenario.environment.github.comments).toHaveLength(1);
});

describe('a launch answer that first names another id', () => {
  const otherIdFirst: ScanServiceOptions['intercept'] = ({ point }) =>
    point === 'scans.launch'
      ? {
          rewrite: (answer) => ({
            ...answer,
            body: isObject(answer.body)
              ? { scanId: 'launch_4711', scan: { id: answer.body['scanId'] } }
              : answer.body,
          }),
        }
      : undefined;

  test.each<[string, (controls: StepControls) => void]>([
    ['cancelled', ({ cancel }) => cancel()],
    ['killed', ({ kill }) => kill('SIGKILL')],
  ])('a job that is %s leaves no scan running if the launch answer names two ids', async (_what, end) => {
    const scenario = await prepare({ service: { intercept: otherIdFirst, pace: { hold: true } } });
    const { environment } = scenario;
    const { service } = environment;
    const run = await environment.run({
      onStart: (controls) => {
        void environment
          .when(() => service.requests.some(({ point }) => point === 'scans.read'))
          .then(() => end(controls));
      },
    });
    const post = await environment.run({ step: 'post', state: run.state });
    expect(post.exitCode, post.log).toBe(0);
    expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
    expect(service.ledger()).toMatchObject({ reserved: 0 });
  });
});
