import { expect, test } from 'vitest';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-story.ts';
import { type StoryOptions, tell } from './story.ts';

// In real time: what is promised here is to be done within the seconds that GitHub gives.
const REAL_TIME = { timeScale: 1 };

/** A promise, and what keeps it. */
function moment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reached: promise, reach: resolve };
}

test('SIGINT while the scan runs: it is cancelled, and the step is red whatever is allowed', async () => {
  const story = await tell({
    service: { pace: { hold: true } },
    inputs: EVERYTHING_ALLOWED,
    run: () => ({
      ...REAL_TIME,
      onLine: (line, controls) => {
        if (line.includes('was launched')) controls.cancel();
      },
    }),
  });
  expectNotScanned(story, 'scan-cancelled', {
    launches: 1,
    says: ['The job was cancelled', 'Run the job again'],
  });
  expect(story.stage.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(story.stage.service.ledger()).toMatchObject({ reserved: 0, spent: 0 });
  expect(story.run.state).toEqual({ 'running-scan': '' });
  expect(story.run.durationMs).toBeLessThan(7_500);
});

test('SIGINT while the launch is under way: its answer is awaited, and the scan cancelled', async () => {
  const launching = moment();
  const options: StoryOptions = {
    service: {
      pace: { hold: true },
      intercept: async ({ point }) => {
        if (point === 'scans.launch') {
          launching.reach();
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
        return undefined;
      },
    },
    run: () => ({ ...REAL_TIME, cancelAfter: launching.reached }),
  };
  const story = await tell({ ...options, inputs: EVERYTHING_ALLOWED });
  expectNotScanned(story, 'scan-cancelled', {
    launches: 1,
    says: ['The job was cancelled', 'Run the job again'],
  });
  expect(story.stage.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  // It was never seen running; that it is cancelled is known all the same.
  expect(story.run.outputs).toMatchObject({ 'scan-status': 'CANCELLED' });
});

test('SIGINT before the launch: nothing is launched', async () => {
  const asking = moment();
  const story = await tell({
    service: {
      intercept: ({ point }) => {
        if (point !== 'presets') return undefined;
        asking.reach();
        return { fault: 'hang-before' };
      },
    },
    inputs: EVERYTHING_ALLOWED,
    run: () => ({ ...REAL_TIME, cancelAfter: asking.reached }),
  });
  expectNotScanned(story, 'scan-cancelled', {
    launches: 0,
    says: ['The job was cancelled', 'Run the job again'],
  });
});
