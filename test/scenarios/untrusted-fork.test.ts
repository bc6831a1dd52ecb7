import { describe, expect, test } from 'vitest';
import { objectAt } from '../../sandbox/json.ts';
import { allowing, BOTH_WAYS, expectNotScanned, expectStory } from './expect-story.ts';
import { play, prepare, type Scene, tell } from './story.ts';

const fromFork = (headRepository: string | null) => (scene: Scene) => ({
  event: {
    name: 'pull_request_target',
    payload: scene.stage.pullRequestPayload({ headRepository, author: 'mallory' }),
  },
});

describe.each(['mallory/octo-repo', null])('a stranger under pull_request_target (fork: %s)', (fork) => {
  test.each(BOTH_WAYS)('is not scanned at the expense of the maintainer: $way', async ({ allowed }) => {
    const story = await tell({ run: fromFork(fork), inputs: allowing('untrusted-fork', allowed) });
    expectNotScanned(story, 'untrusted-fork', {
      allowed,
      launches: 0,
      says: ['from a fork', 'mallory has no write access', 'Ask a maintainer to review the change'],
    });
    expect(story.stage.service.requests).toEqual([]);
  });
});

test.each(['write', 'admin'] as const)('an author with %s permission is scanned', async (permission) => {
  const story = await tell({
    run: fromFork('mallory/octo-repo'),
    github: { collaborators: { mallory: permission } },
  });
  expectStory(story, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    says: ['Blocked: 2 findings at or above high'],
  });
});

test('an author whose permission GitHub refuses to show is not trusted, whatever the association', async () => {
  const payload = ({ stage }: Scene) => {
    const event = stage.pullRequestPayload({ headRepository: 'mallory/octo-repo', author: 'mallory' });
    return { ...event, pull_request: { ...objectAt(event, 'pull_request'), author_association: 'MEMBER' } };
  };
  const refusal = { status: 403, body: { message: 'Resource not accessible by integration' } };
  const story = await tell({
    run: (scene) => ({ event: { name: 'pull_request_target', payload: payload(scene) } }),
    github: { intercept: ({ point }) => (point === 'permission' ? refusal : undefined) },
  });
  expectNotScanned(story, 'untrusted-fork', {
    launches: 0,
    says: ['Resource not accessible by integration', 'metadata: read', 'github-token'],
  });
  expect(story.stage.service.requests).toEqual([]);
});

test('an author whose permission GitHub cannot tell is not trusted', async () => {
  const story = await tell({
    run: fromFork('mallory/octo-repo'),
    github: { intercept: ({ point }) => (point === 'permission' ? { status: 500, body: '' } : undefined) },
  });
  expectNotScanned(story, 'service-error', {
    launches: 0,
    says: ['Could not check whether the author of the fork is trusted.', 'Re-run this job.'],
  });
});

test('`scan-forks: all`: a stranger is scanned, and GitHub is not asked for the permission', async () => {
  const story = await tell({ run: fromFork('mallory/octo-repo'), inputs: { 'scan-forks': 'all' } });
  expectStory(story, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    says: ['Blocked: 2 findings at or above high'],
  });
  expect(story.stage.github.requests.filter(({ point }) => point === 'permission')).toEqual([]);
});

test('`scan-forks: none`: not even an author who may write', async () => {
  const story = await tell({
    run: fromFork('mallory/octo-repo'),
    github: { collaborators: { mallory: 'admin' } },
    inputs: { 'scan-forks': 'none' },
  });
  expectNotScanned(story, 'untrusted-fork', {
    launches: 0,
    says: ['from a fork', '`scan-forks` is none', 'Ask a maintainer to review the change'],
  });
  expect(story.stage.service.requests).toEqual([]);
});

test('a misspelt `scan-forks` spends nothing', async () => {
  const story = await tell({ run: fromFork('mallory/octo-repo'), inputs: { 'scan-forks': 'everybody' } });
  expectNotScanned(story, 'configuration', {
    launches: 0,
    says: ['scan-forks is everybody', 'trusted, all, none'],
  });
});

test('a closed pull request of a fork keeps its verdict, whatever may be launched now', async () => {
  const scene = await prepare({ github: { collaborators: { mallory: 'write' } } });
  const first = await play(scene, { run: fromFork('mallory/octo-repo') });
  scene.stage.github.edit(scene.stage.pullRequest, { state: 'closed' });
  const again = await play(scene, {
    run: (stage) => ({ ...fromFork('mallory/octo-repo')(stage), runId: 9_000_000_002 }),
    inputs: { 'scan-forks': 'none' },
  });
  expect(again.run.outputs, again.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': first.run.outputs['scan-id'],
    'scan-reused': 'true',
  });
});
