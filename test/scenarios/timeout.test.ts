import { expect, test } from 'vitest';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-result.ts';
import { runScenario } from './scenario.ts';

/** This timeout is shorter than four attempts of a request. An attempt can take thirty seconds. */
const SHORT = { 'timeout-minutes': '1' };

test.each(BOTH_WAYS)(
  'a run cancels a scan that does not end before the timeout ($way)',
  async ({ allowed }) => {
    const result = await runScenario({
      service: { pace: { hold: true } },
      inputs: { ...SHORT, ...allowing('timeout', allowed) },
    });
    expectNotScanned(result, 'timeout', {
      allowed,
      launches: 1,
      texts: [
        'reached its time limit (the input timeout-minutes)',
        'raise the input timeout-minutes in the workflow and push',
      ],
    });
    const { service } = result.environment;
    expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
    expect(service.requests.filter(({ point }) => point === 'scans.cancel')).toMatchObject([{ status: 200 }]);
    // The scan had not started, so the service charges nothing.
    expect(service.ledger()).toMatchObject({ reserved: 0, spent: 0 });
    expect(result.run.outputs['scan-status']).toBe('CANCELLED');
    expect(result.run.summary).toContain('The service releases its reserved credits');
    expect(result.run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
  },
);

test('a run launches nothing if the service does not answer before the timeout', async () => {
  const result = await runScenario({
    inputs: SHORT,
    service: { intercept: ({ point }) => (point === 'presets' ? { fault: 'hang-before' } : undefined) },
  });
  expectNotScanned(result, 'timeout', {
    launches: 0,
    texts: [
      'reached its time limit (the input timeout-minutes)',
      'raise the input timeout-minutes in the workflow and push',
    ],
  });
});

test('a run reports that it timed out even if the service does not answer the cancel request', async () => {
  const result = await runScenario({
    inputs: SHORT,
    service: {
      pace: { hold: true },
      intercept: ({ point }) => (point === 'scans.cancel' ? { fault: 'hang-before' } : undefined),
    },
  });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'timeout' });
  // Although the cancel request hangs, the step completes its check run, so `post` does not have to complete it.
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
  expect(result.run.summary).toContain('It may still be running and using credits');
  const post = await result.environment.run({ step: 'post', state: result.run.state });
  expect(post.log).toContain('It may still be running and using credits');
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
});
