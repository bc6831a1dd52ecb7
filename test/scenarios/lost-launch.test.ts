import { describe, expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import type { HiddenFields, ScanServiceOptions } from '../../sandbox/scan-service/options.ts';
import { countOf } from './reuse.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';
import { HIDDEN_SCOPE, isOfStranger, launchAsStranger, TWO_USERS } from './stranger.ts';

const atLaunch = (interception: Interception): Pick<ScanServiceOptions, 'intercept'> => ({
  intercept: ({ point }) => (point === 'scans.launch' ? interception : undefined),
});

describe('a service that hides what a scan covers', () => {
  test.each<[string, HiddenFields]>([
    ['budget, audit areas and guidance are hidden', HIDDEN_SCOPE],
    [
      'budget, audit areas, guidance, repository and preset are hidden',
      { ...HIDDEN_SCOPE, scanDetail: [...(HIDDEN_SCOPE.scanDetail ?? []), 'repositoryId', 'presetRef'] },
    ],
  ])('`post` cancels the scan of a run that was killed during its launch (%s)', async (_what, hideFields) => {
    const { environment } = await prepare({
      service: { hideFields, pace: { hold: true }, ...atLaunch({ fault: 'hang-after' }) },
    });
    const { service } = environment;
    const main = await environment.run({
      onStart: ({ kill }) => {
        void environment.when(() => service.scans().length > 0).then(() => kill('SIGKILL'));
      },
    });
    expect(service.scans()).toMatchObject([{ status: 'QUEUED' }]);
    const post = await environment.run({ step: 'post', state: main.state });
    expect(post.exitCode, post.log).toBe(0);
    expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
    expect(service.ledger()).toMatchObject({ reserved: 0 });
  });
});

test("a run with a lost launch does not cancel another user's scan that has half the budget", async () => {
  const hideFields = { scanDetail: [...(HIDDEN_SCOPE.scanDetail ?? [])] };
  const { result, scenario } = await runBesideStranger(
    { hideFields, pace: { hold: true } },
    {},
    {
      'credit-budget': '40',
    },
  );
  expect(result.run.outputs, result.run.log).toMatchObject({ reason: 'launch-unknown' });
  expect(scenario.environment.service.scans()).toMatchObject([{ status: 'QUEUED' }]);
  expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
});

describe('a launch answer with an unknown id', () => {
  const renamed: Interception = {
    rewrite: (answer) => ({ ...answer, body: { scanId: 'launch_4711', status: 'QUEUED' } }),
  };

  test('`post` cancels the scan of a killed run if the launch answer has an unknown id', async () => {
    const { environment } = await prepare({ service: { pace: { hold: true }, ...atLaunch(renamed) } });
    const { service } = environment;
    const main = await environment.run({
      onStart: ({ kill }) => {
        void environment
          .when(() => service.requests.some(({ point }) => point === 'scans.read'))
          .then(() => kill('SIGKILL'));
      },
    });
    const post = await environment.run({ step: 'post', state: main.state });
    expect(post.exitCode, post.log).toBe(0);
    expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  });
});

/**
 * Runs the action. Another user launches a scan of the same change. Then the service answers the action's launch with
 * 503, and starts no scan for it.
 */
async function runBesideStranger(
  service: Partial<ScanServiceOptions>,
  extra: Readonly<Record<string, unknown>>,
  inputs: Readonly<Record<string, string>> = {},
) {
  let scenario: Scenario | undefined;
  scenario = await prepare({
    service: {
      ...TWO_USERS,
      ...service,
      intercept: async ({ point, headers }) => {
        if (point !== 'scans.launch' || scenario === undefined) return undefined;
        const own = scenario;
        if (isOfStranger(own, headers.authorization)) return undefined;
        await own.environment.hold(() => launchAsStranger(own, extra));
        return { status: 503, body: 'Service Unavailable' };
      },
    },
  });
  return { scenario, result: await runPrepared(scenario, { inputs }) };
}
