import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { EVERYTHING_ALLOWED, expectNotScanned } from './expect-story.ts';
import { play, prepare, type Scene, type Story, type StoryOptions } from './story.ts';

/** Of the bundle: the seconds after a signal are few. */
const SCALE = 3;
const CANCELLED = { launches: 1, says: ['The job was cancelled'] };

/**
 * Plays with a runner that kills what is still there after its waits, and cancels the workflow when the service is
 * asked for `point`, which gets the answer `answer`.
 */
async function playCancelledAt(
  point: string,
  answer: Interception | undefined,
  options: Pick<StoryOptions, 'github'> = {},
): Promise<Story> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const scene = await prepare({
    timeScale: SCALE,
    ...options,
    service: {
      intercept: (request) => {
        if (request.point !== point) return undefined;
        resolve();
        return answer;
      },
    },
  });
  return playCancelled(scene, asked);
}

async function playCancelled(scene: Scene, cancelAfter: Promise<void>): Promise<Story> {
  const story = await play(scene, {
    inputs: EVERYTHING_ALLOWED,
    run: () => ({ cancelAfter }),
  });
  const { conclusion, exitCode, signal } = story.run;
  // It ended by itself, before the runner had to kill it.
  expect({ conclusion, exitCode, signal }, story.run.log).toEqual({
    conclusion: 'cancelled',
    exitCode: 1,
    signal: null,
  });
  return story;
}

/** What `post`, which GitHub runs afterwards, leaves behind. */
async function playPost({ stage, run }: Story): Promise<void> {
  const post = await stage.run({ step: 'post', state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expectNothingLeft({ stage });
}

function expectNothingLeft({ stage }: Pick<Scene, 'stage'>): void {
  expect(stage.service.ledger().reserved).toBe(0);
  expect(stage.github.checkRuns.filter(({ status }) => status !== 'completed')).toEqual([]);
}

test.each([
  ['a preflight that hangs', 'repositories', 0],
  ['findings that hang', 'findings.list', 1],
])('%s: red in time, and nothing is left', async (_what, point, launches) => {
  const story = await playCancelledAt(point, { fault: 'hang-before' });
  expectNotScanned(story, 'scan-cancelled', { ...CANCELLED, launches });
  await playPost(story);
});

test('a launch that never answers: red in time, with what to check', async () => {
  const story = await playCancelledAt('scans.launch', { fault: 'hang-before' });
  expect(story.run.outputs, story.run.log).toMatchObject({
    outcome: 'not-scanned',
    reason: 'scan-cancelled',
  });
  expect(story.run.log).toContain('Check project');
  expectNothingLeft(story);
});

test('a poll that hangs: the scan is cancelled at once', async () => {
  const story = await playCancelledAt('scans.read', { fault: 'hang-before' });
  expect(story.run.outputs, story.run.log).toMatchObject({
    outcome: 'not-scanned',
    reason: 'scan-cancelled',
  });
  await playPost(story);
});

test('a GitHub that hangs does not keep the credits: the scan is cancelled, `post` does the rest', async () => {
  let broken = true;
  const story = await playCancelledAt('scans.read', undefined, {
    github: {
      intercept: ({ point }) => (broken && point === 'check.update' ? { fault: 'hang-before' } : undefined),
    },
  });
  expect(story.stage.service.ledger().reserved).toBe(0);
  broken = false;
  await playPost(story);
});

test('a cancel that fails is tried again by `post`, which also completes the check run', async () => {
  const { promise: launched, resolve } = Promise.withResolvers<void>();
  let broken = true;
  const scene = await prepare({
    timeScale: SCALE,
    service: {
      pace: { hold: true },
      intercept: ({ point }) => {
        if (point === 'scans.read') resolve();
        return broken && point === 'scans.cancel' ? { fault: 'hang-before' } : undefined;
      },
    },
  });
  const story = await playCancelled(scene, launched);
  expect(story.stage.service.ledger().reserved).toBe(20);
  expect(story.run.log).toContain('Could not cancel scan');
  broken = false;
  await playPost(story);
  expect(story.stage.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
});
