import { describe, expect, test } from 'vitest';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned } from './expect-story.ts';
import { countOf, expectPaid, playAgain, pushed } from './reuse.ts';
import { play, prepare, type Scene, type StoryOptions, tell } from './story.ts';

const PUSHED = 'now has another head';
const RETARGETED = 'now has another base branch: "stable"';

/** Changes the pull request while the action waits for this request. */
function changing(
  of: 'service' | 'github',
  point: string,
  change: (scene: Scene) => void,
): Pick<StoryOptions, 'service' | 'github' | 'before'> {
  let scene: Scene | undefined;
  const intercept = (request: { readonly point: string; readonly count: number }) => {
    if (scene !== undefined && request.point === point && request.count === 1) change(scene);
    return undefined;
  };
  return {
    [of]: { intercept },
    before: (opened) => {
      scene = opened;
    },
  };
}

const push = ({ stage, repository }: Scene) => stage.github.setHead(stage.pullRequest, repository.id('low'));
const retarget = ({ stage }: Scene) => stage.github.setBase(stage.pullRequest, 'stable');

test('a re-run for a head that the pull request no longer has launches nothing', async () => {
  const scene = await prepare({ head: 'clean' });
  const payload = scene.stage.pullRequestPayload();
  pushed(scene, scene.headSha, scene.repository.id('low'));
  const story = await playAgain(scene, { event: { name: 'pull_request', payload }, runAttempt: 2 });
  expectNotScanned(story, 'superseded', { launches: 0, says: [PUSHED, 'See the run for that commit'] });
});

test('so does the first run, where the push came before it began', async () => {
  const scene = await prepare({ head: 'clean' });
  const payload = scene.stage.pullRequestPayload();
  push(scene);
  const story = await playAgain(scene, { event: { name: 'pull_request', payload } });
  expectNotScanned(story, 'superseded', { launches: 0, says: [PUSHED] });
});

describe.each([
  ['pushed to', push, PUSHED],
  ['moved to another base branch', retarget, RETARGETED],
] as const)('a pull request that is %s while the scan runs', (_, change, says) => {
  test.each(BOTH_WAYS)('is not green by what was scanned: $way', async ({ allowed }) => {
    const story = await tell({
      head: 'clean',
      ...changing('service', 'scans.read', change),
      inputs: { comment: 'always', ...allowing('superseded', allowed) },
    });
    expectNotScanned(story, 'superseded', { allowed, launches: 1, says: [says] });
    expect(story.run.outputs['scan-status']).toBe('COMPLETED');
  });
});

test.each([
  ['unchanged', { head: 'behind' }, {}],
  ['a reason that is allowed', { service: { credits: 0 } }, { 'allow-unscanned': 'insufficient-credits' }],
] as const)('%s does not pass either', async (_, options, inputs) => {
  const story = await tell({
    ...options,
    ...changing('github', 'compare', retarget),
    ...('service' in options ? { service: options.service } : {}),
    inputs,
  });
  expect(story.run.outputs, story.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'superseded' });
  expect(story.run.exitCode).toBe(1);
});

const close = ({ stage }: Scene) => stage.github.edit(stage.pullRequest, { state: 'closed' });

test('unchanged is not green for a pull request that is closed meanwhile', async () => {
  const story = await tell({ head: 'behind', ...changing('github', 'compare', close) });
  expectNotScanned(story, 'unsupported-event', { launches: 0, says: ['is closed'] });
});

test('a completed scan passes, also where the pull request is closed meanwhile', async () => {
  const story = await tell({ head: 'clean', ...changing('service', 'scans.read', close) });
  expect(story.run.outputs, story.run.log).toMatchObject({ outcome: 'passed' });
  expect(story.run.exitCode).toBe(0);
});

test('what is red anyway stays what it is', async () => {
  const story = await tell({ ...changing('service', 'scans.read', retarget), inputs: EVERYTHING_ALLOWED });
  expect(story.run.outputs).toMatchObject({ outcome: 'blocked' });
  expect(story.run.exitCode).toBe(1);
  expect(story.stage.github.pullRequests.get(story.stage.pullRequest)?.baseRef).toBe('stable');
});

test('a comment and the confirmation share one request', async () => {
  const scene = await prepare({ head: 'clean' });
  const story = await play(scene, { inputs: { comment: 'always' } });
  expect(story.run.outputs).toMatchObject({
    outcome: 'passed',
    'comment-url': expect.stringMatching(/^http/),
  });
  expect(countOf(scene, 'github', 'graphql')).toBe(2);
  expectPaid(scene, 1);
});

describe('a pull request that cannot be read', () => {
  const permissions = { contents: 'read', checks: 'write' } as const;

  test('leaves a young event to serve, with a warning', async () => {
    const story = await tell({ head: 'clean', github: { permissions } });
    expect(story.run.outputs, story.run.log).toMatchObject({ outcome: 'passed' });
    expect(story.run.log).toContain('pull-requests: read');
  });

  test('is a wrong setup on a re-run', async () => {
    const story = await tell({
      head: 'clean',
      github: { permissions },
      inputs: EVERYTHING_ALLOWED,
      run: () => ({ runAttempt: 2 }),
    });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['pull-requests: read', 'A re-run keeps the old permissions'],
    });
  });

  test.each(BOTH_WAYS)('because GitHub fails, is an error on a re-run: $way', async ({ allowed }) => {
    const story = await tell({
      head: 'clean',
      github: {
        intercept: ({ point }) =>
          point === 'graphql' || point === 'pulls.read' ? { status: 502, body: 'Bad Gateway' } : undefined,
      },
      inputs: allowing('service-error', allowed),
      run: () => ({ runAttempt: 2 }),
    });
    expectNotScanned(story, 'service-error', { allowed, launches: 0, says: ['Re-run this job later.'] });
  });
});
