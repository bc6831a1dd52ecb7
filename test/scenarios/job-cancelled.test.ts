import { expect, test } from 'vitest';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-result.ts';
import { runScenario, type Scenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts';

// The bundle runs in real time, because GitHub kills a cancelled step after a few seconds.
const REAL_TIME = { timeScale: 1 };

/** A promise, and the function that resolves it. */
function moment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reached: promise, reach: resolve };
}

/**
 * Checks that the step ended before the runner would kill it. Only virtual time is checked, because real time depends on
 * the machine.
 */
function expectInTime({ run, environment }: ScenarioResult): void {
  if (environment.driver === 'in process') expect(run.durationMs).toBeLessThan(7_500);
}

test('a step that gets SIGINT during the scan cancels the scan, and fails', async () => {
  const result = await runScenario({
    ...REAL_TIME,
    service: { pace: { hold: true } },
    inputs: EVERYTHING_ALLOWED,
    run: () => ({
      onLine: (line, controls) => {
        if (line.startsWith('Launched scan')) controls.cancel();
      },
    }),
  });
  expectNotScanned(result, 'scan-cancelled', {
    launches: 1,
    texts: ['The job was cancelled', 'Re-run this job'],
  });
  expect(result.environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(result.environment.service.ledger()).toMatchObject({ reserved: 0, spent: 0 });
  expect(result.run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
  expectInTime(result);
});

test('a step that gets SIGINT during the launch waits for the answer, and then cancels the scan', async () => {
  const launching = moment();
  let environment: Scenario['environment'] | undefined;
  const options: ScenarioOptions = {
    ...REAL_TIME,
    before: (scenario) => {
      environment = scenario.environment;
    },
    service: {
      pace: { hold: true },
      intercept: async ({ point }) => {
        if (point === 'scans.launch') {
          launching.reach();
          await environment?.pause(300);
        }
        return undefined;
      },
    },
    run: () => ({ cancelAfter: launching.reached }),
  };
  const result = await runScenario({ ...options, inputs: EVERYTHING_ALLOWED });
  expectNotScanned(result, 'scan-cancelled', {
    launches: 1,
    texts: ['The job was cancelled', 'Re-run this job'],
  });
  expect(result.environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  // The run never read the scan, but the answer to its cancel request shows the status.
  expect(result.run.outputs).toMatchObject({ 'scan-status': 'CANCELLED' });
});

test('a step that gets SIGINT before the launch launches no scan', async () => {
  const asking = moment();
  const result = await runScenario({
    ...REAL_TIME,
    service: {
      intercept: ({ point }) => {
        if (point !== 'presets') return undefined;
        asking.reach();
        return { fault: 'hang-before' };
      },
    },
    inputs: EVERYTHING_ALLOWED,
    run: () => ({ cancelAfter: asking.reached }),
  });
  expectNotScanned(result, 'scan-cancelled', {
    launches: 0,
    texts: ['The job was cancelled', 'Re-run this job'],
  });
});
