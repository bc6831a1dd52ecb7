import { expect, onTestFinished, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import type { FakeScanService } from '../../sandbox/scan-service/scan-service.ts';
import { startFakeScanService } from '../../sandbox/scan-service/server.ts';
import { play, prepare, type Scene, type Story, tell } from './story.ts';

const MARKER = /^<!-- scangate:v1 /;
const WRITES = ['comments.create', 'comments.update', 'comments.delete'];

/** The requests that wrote a comment since the `from`th request. */
function writes({ stage }: Scene, from = 0): string[] {
  return stage.github.requests
    .slice(from)
    .map(({ point }) => String(point))
    .filter((point) => WRITES.includes(point));
}

/** Plays once more as a later run of the workflow. */
function playAgain(scene: Scene, inputs: Readonly<Record<string, string>> = {}): Promise<Story> {
  return play(scene, { inputs, run: () => ({ runId: 9_000_000_002 }) });
}

/** Another service of the same project, whose first scan has the same id: to it this change is new. */
async function sameServiceAgain({ stage, repository }: Scene): Promise<FakeScanService> {
  const [owner = '', name = ''] = stage.repository.split('/');
  const url = `${stage.github.serverUrl}/${stage.repository}`;
  const service = await startFakeScanService({
    repositories: [{ owner, name, url, gitDir: repository.dir }],
  });
  onTestFinished(() => service.close());
  return service;
}

test('findings make one comment, which the output names', async () => {
  const story = await tell({});
  const { comments } = story.stage.github;
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toMatch(MARKER);
  expect(comments[0]?.body).toContain('Blocked: 2 findings');
  expect(story.run.outputs['comment-url']).toBe(comments[0]?.htmlUrl);
});

test.each([
  ['on-findings', 'clean', 0],
  ['always', 'clean', 1],
  ['never', 'vulnerable', 0],
] as const)('`comment: %s` on a %s change: %i comments', async (comment, head, count) => {
  const story = await tell({ head, inputs: { comment } });
  expect(story.stage.github.comments).toHaveLength(count);
  if (comment === 'never') {
    const points = story.stage.github.requests.map(({ point }) => point);
    // The pull request itself is read, once at the start.
    expect(points.filter((point) => /^comments|graphql/.test(point))).toEqual(['graphql']);
  }
});

test('a second run brings the same comment up to date', async () => {
  const scene = await prepare({});
  await play(scene);
  const [first] = scene.stage.github.comments;
  await playAgain(scene, { 'fail-on': 'critical' });
  expect(scene.stage.github.comments).toHaveLength(1);
  expect(scene.stage.github.comments[0]?.id).toBe(first?.id);
  expect(scene.stage.github.comments[0]?.body).toContain('Blocked: 1 finding at or above critical');
  expect(writes(scene)).toEqual(['comments.create', 'comments.update']);
});

test('a later run that has the same to say writes nothing', async () => {
  const scene = await prepare({});
  const first = await play(scene);
  const from = scene.stage.github.requests.length;
  const service = await sameServiceAgain(scene);
  const second = await playAgain(scene, { 'base-url': service.baseUrl, 'api-token': service.token });
  expect(second.run.outputs['scan-id']).toBe(first.run.outputs['scan-id']);
  expect(writes(scene, from)).toEqual([]);
  expect(second.run.outputs['comment-url']).toBe(first.run.outputs['comment-url']);
});

test('a comment is told when the pull request is clean again, and nobody gets a new one', async () => {
  const scene = await prepare({});
  await play(scene);
  const { service } = scene.stage;
  for (const id of service.scans()[0]?.findingIds ?? [])
    service.control.triage(id, { resolutionStatus: 'FALSE_POSITIVE' });
  const story = await playAgain(scene);
  expect(story.run.outputs['outcome']).toBe('passed');
  expect(scene.stage.github.comments).toHaveLength(1);
  expect(scene.stage.github.comments[0]?.body).toContain('Passed: no open findings');
  expect(writes(scene)).toEqual(['comments.create', 'comments.update']);
});

test('a comment is told when the next run could not scan: it does not go on saying what is not known any more', async () => {
  const scene = await prepare({ service: { credits: 20 } });
  await play(scene);
  const story = await playAgain(scene, { 'credit-budget': '21' });
  expect(story.run.outputs['reason']).toBe('insufficient-credits');
  expect(scene.stage.github.comments).toHaveLength(1);
  expect(scene.stage.github.comments[0]?.body).toContain('Not scanned');
  expect(scene.stage.github.comments[0]?.body).not.toContain('src/pack.js');
});

test("somebody else's comment with our marker is never touched", async () => {
  const scene = await prepare({});
  await play(scene);
  const ours = scene.stage.github.comments[0]?.body ?? '';
  const other = await prepare({});
  const copies = [
    other.stage.github.addComment({ author: 'mallory', body: ours }),
    other.stage.github.addComment({ author: 'github-actions[bot]', type: 'User', body: ours }),
    other.stage.github.addComment({ author: 'other-app[bot]', type: 'Bot', body: ours }),
  ];
  const story = await play(other);
  expect(other.stage.github.comments.slice(0, 3)).toEqual(copies);
  expect(other.stage.github.comments).toHaveLength(4);
  expect(story.run.outputs['comment-url']).toBe(other.stage.github.comments[3]?.htmlUrl);
});

test('our own comment is found behind a hundred others', async () => {
  const scene = await prepare({});
  for (let count = 0; count < 120; count += 1) scene.stage.github.addComment({ body: `Chat ${count}` });
  await play(scene);
  await playAgain(scene, { 'fail-on': 'critical' });
  expect(scene.stage.github.comments).toHaveLength(121);
  expect(writes(scene)).toEqual(['comments.create', 'comments.update']);
});

test('a head that moved on meanwhile: the comment is left alone, and the verdict stands', async () => {
  let moves = false;
  const scene = await prepare({
    service: {
      intercept: ({ point }) => {
        if (moves && point === 'findings.list') {
          scene.stage.github.setHead(scene.stage.pullRequest, scene.repository.id('clean'));
        }
        return undefined;
      },
    },
  });
  await play(scene);
  const before = scene.stage.github.comments[0];
  const from = scene.stage.github.requests.length;
  moves = true;
  const story = await playAgain(scene, { 'fail-on': 'critical' });
  expect(story.run.outputs['outcome']).toBe('blocked');
  expect(writes(scene, from)).toEqual([]);
  expect(scene.stage.github.comments).toEqual([before]);
  expect(story.run.log).toContain('Did not update the comment');
});

test('an earlier run that ends later does not overwrite what the later one said', async () => {
  const scene = await prepare({});
  await playAgain(scene, { 'fail-on': 'critical' });
  const from = scene.stage.github.requests.length;
  await play(scene);
  expect(writes(scene, from)).toEqual([]);
  expect(scene.stage.github.comments[0]?.body).toContain('at or above critical');
});

test('two checks have two comments, and each finds its own', async () => {
  const scene = await prepare({});
  await play(scene);
  await playAgain(scene, { 'check-name': 'Strict scan', 'fail-on': 'medium' });
  await play(scene, { inputs: { 'fail-on': 'critical' }, run: () => ({ runId: 9_000_000_003 }) });
  const bodies = scene.stage.github.comments.map(({ body }) => body);
  expect(bodies).toEqual([
    expect.stringContaining('Blocked: 1 finding at or above critical'),
    expect.stringContaining('Blocked: 3 findings at or above medium'),
  ]);
});

test('a merge queue has no comment', async () => {
  const scene = await prepare({});
  const { stage, repository, headSha } = scene;
  const payload = mergeGroupEvent({
    repository: stage.repository,
    visibility: 'private',
    serverUrl: stage.github.serverUrl,
    headSha,
    baseSha: repository.id('start'),
    baseRef: 'main',
  });
  const story = await play(scene, {
    inputs: { comment: 'always' },
    run: () => ({ event: { name: 'merge_group', payload } }),
  });
  expect(story.run.outputs, story.run.log).toMatchObject({ outcome: 'blocked', 'comment-url': '' });
  expect(stage.github.comments).toEqual([]);
});
