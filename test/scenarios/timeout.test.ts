import { expect, test } from 'vitest';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-story.ts';
import { tell } from './story.ts';

/** Over before four attempts of thirty seconds are. */
const SHORT = { 'timeout-minutes': '1' };

test.each(BOTH_WAYS)('a scan that does not end in time is cancelled: $way', async ({ allowed }) => {
  const story = await tell({
    service: { pace: { hold: true } },
    inputs: { ...SHORT, ...allowing('timeout', allowed) },
  });
  expectNotScanned(story, 'timeout', {
    allowed,
    launches: 1,
    says: ['The limit of timeout-minutes was reached', 'raise timeout-minutes in the workflow and push'],
  });
  const { service } = story.stage;
  expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(service.requests.filter(({ point }) => point === 'scans.cancel')).toMatchObject([{ status: 200 }]);
  // It had not begun, so that nothing is charged.
  expect(service.ledger()).toMatchObject({ reserved: 0, spent: 0 });
  expect(story.run.outputs['scan-status']).toBe('CANCELLED');
  expect(story.run.summary).toContain('Reserved credits are released');
  expect(story.run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
});

test('a service that does not answer before the launch: nothing is launched', async () => {
  const story = await tell({
    inputs: SHORT,
    service: { intercept: ({ point }) => (point === 'presets' ? { fault: 'hang-before' } : undefined) },
  });
  expectNotScanned(story, 'timeout', {
    launches: 0,
    says: ['The limit of timeout-minutes was reached', 'raise timeout-minutes in the workflow and push'],
  });
});

test('a service that does not answer the cancelling either: the verdict is told all the same', async () => {
  const story = await tell({
    inputs: SHORT,
    service: {
      pace: { hold: true },
      intercept: ({ point }) => (point === 'scans.cancel' ? { fault: 'hang-before' } : undefined),
    },
  });
  expect(story.run.outputs, story.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'timeout' });
  // By the step itself, in the time that is kept for it, and not by `post`.
  expect(story.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
  expect(story.run.summary).toContain('It may still be running and using credits');
  const post = await story.stage.run({ step: 'post', state: story.run.state });
  expect(post.log).toContain('It may still be running and using credits');
  expect(story.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
});
