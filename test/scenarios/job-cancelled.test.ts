import { expect, test } from 'vitest';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-story.ts';
import { type Scene, type Story, type StoryOptions, tell } from './story.ts';

// Of the bundle: what is promised here is to be done within the seconds that GitHub gives.
const REAL_TIME = { timeScale: 1 };

/** A promise, and what keeps it. */
function moment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reached: promise, reach: resolve };
}

/** Before the runner kills it, in a time that no busy machine stretches. */
function expectInTime({ run, stage }: Story): void {
  if (stage.driver === 'in process') expect(run.durationMs).toBeLessThan(7_500);
}

test('SIGINT while the scan runs: it is cancelled, and the step is red whatever is allowed', async () => {
  const story = await tell({
    ...REAL_TIME,
    service: { pace: { hold: true } },
    inputs: EVERYTHING_ALLOWED,
    run: () => ({
      onLine: (line, controls) => {
        if (line.startsWith('Launched scan')) controls.cancel();
      },
    }),
  });
  expectNotScanned(story, 'scan-cancelled', {
    launches: 1,
    says: ['The job was cancelled', 'Re-run this job'],
  });
  expect(story.stage.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(story.stage.service.ledger()).toMatchObject({ reserved: 0, spent: 0 });
  expect(story.run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
  expectInTime(story);
});

test('SIGINT while the launch is under way: its answer is awaited, and the scan cancelled', async () => {
  const launching = moment();
  let stage: Scene['stage'] | undefined;
  const options: StoryOptions = {
    ...REAL_TIME,
    before: (scene) => {
      stage = scene.stage;
    },
    service: {
      pace: { hold: true },
      intercept: async ({ point }) => {
        if (point === 'scans.launch') {
          launching.reach();
          await stage?.pause(300);
        }
        return undefined;
      },
    },
    run: () => ({ cancelAfter: launching.reached }),
  };
  const story = await tell({ ...options, inputs: EVERYTHING_ALLOWED });
  expectNotScanned(story, 'scan-cancelled', {
    launches: 1,
    says: ['The job was cancelled', 'Re-run this job'],
  });
  expect(story.stage.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  // It was never seen running; that it is cancelled is known all the same.
  expect(story.run.outputs).toMatchObject({ 'scan-status': 'CANCELLED' });
});

test('SIGINT before the launch: nothing is launched', async () => {
  const asking = moment();
  const story = await tell({
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
  expectNotScanned(story, 'scan-cancelled', {
    launches: 0,
    says: ['The job was cancelled', 'Re-run this job'],
  });
});
