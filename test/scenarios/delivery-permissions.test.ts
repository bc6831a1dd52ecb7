import { expect, test } from 'vitest';
import type { Permissions } from '../../sandbox/github/access.ts';
import type { Intercept } from '../../sandbox/github/faults.ts';
import { expectStory } from './expect-story.ts';
import { FLAWED, MERGE_BASE } from './repository.ts';
import { play, prepare, type Story, tell } from './story.ts';

const ALL: Permissions = { contents: 'read', checks: 'write', 'pull-requests': 'write' };

/** The lines of the log that are warnings and hold the words. */
function warnings({ run }: Story, words: string): string[] {
  return run.log.split('\n').filter((line) => line.startsWith('##[warning]') && line.includes(words));
}

/** What the gate decided, wherever it could be shown. */
function expectBlocked(story: Story, conclusion: 'failure' | 'none'): void {
  expectStory(story, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion,
    launches: 1,
    says: ['Blocked: 2 findings'],
  });
  expect(story.run.outputs).toMatchObject({
    'base-commit': story.repository.id(MERGE_BASE),
    'findings-total': String(FLAWED.total),
    'findings-reported': '3',
    'findings-blocking': '2',
  });
}

test('with all permissions nothing is warned about, and nothing stands in the log twice', async () => {
  const story = await tell({ github: { permissions: ALL } });
  expectBlocked(story, 'failure');
  expect(warnings(story, '')).toEqual([]);
  expect(story.run.annotations.map(({ file }) => file)).toEqual([undefined]);
  expect(story.stage.github.checkRuns[0]?.annotations).toHaveLength(3);
});

test('without `checks: write` the annotations come through the log, and the permission is named once', async () => {
  const story = await tell({ github: { permissions: { ...ALL, checks: 'none' } } });
  expectBlocked(story, 'none');
  expect(warnings(story, 'checks: write')).toHaveLength(1);
  expect(warnings(story, 'Could not')).toHaveLength(1);
  const placed = story.run.annotations.filter(({ file }) => file !== undefined);
  expect(placed.map(({ level, file, line }) => [level, file, line])).toEqual([
    ['error', 'src/pack.js', 2],
    ['error', 'src/pack.js', 3],
    ['warning', 'src/agent.js', 1],
  ]);
  expect(story.stage.github.comments).toHaveLength(1);
  expect(story.run.summary).toContain('checks');
  // A refusal is no blip: it is not asked again.
  expect(story.stage.github.requests.filter(({ point }) => point === 'check.create')).toHaveLength(1);
});

test('without `pull-requests: write` the comment is missing, and the permission is named once', async () => {
  const story = await tell({ github: { permissions: { ...ALL, 'pull-requests': 'none' } } });
  expectBlocked(story, 'failure');
  expect(warnings(story, 'pull-requests: write')).toHaveLength(1);
  // The first is about reading: the event serves in its place.
  expect(warnings(story, 'Could not read the pull request')).toHaveLength(2);
  expect(warnings(story, 'pull-requests: read')).toHaveLength(1);
  expect(story.run.outputs['comment-url']).toBe('');
  expect(story.stage.github.checkRuns[0]?.annotations).toHaveLength(3);
});

test('a token that may only read: everything stands in the log and the job summary', async () => {
  const story = await tell({
    github: { permissions: { contents: 'read', checks: 'read', 'pull-requests': 'read' } },
  });
  expectBlocked(story, 'none');
  expect(story.stage.github.comments).toEqual([]);
  expect(warnings(story, 'checks: write')).toHaveLength(1);
  expect(warnings(story, 'pull-requests: write')).toHaveLength(1);
  for (const path of ['src/pack.js', 'src/agent.js']) {
    expect(story.run.log).toContain(path);
    expect(story.run.summary).toContain(path);
  }
});

test('a clean change passes with a token that may write nothing', async () => {
  const story = await tell({ head: 'clean', github: { permissions: { contents: 'read' } } });
  expectStory(story, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'none',
    launches: 1,
    says: ['Passed: no findings'],
  });
});

test('without `contents: read` in a private repository there is no base: nothing is launched, and the permission is named', async () => {
  const story = await tell({ github: { permissions: { ...ALL, contents: 'none' } } });
  expectStory(story, {
    outcome: 'not-scanned',
    reason: 'service-error',
    exitCode: 1,
    conclusion: 'failure',
    launches: 0,
    says: ['Could not compute the merge base', 'contents: read'],
  });
});

test('without any permission in a private repository: red, and said where it still can be', async () => {
  const story = await tell({ github: { permissions: {} } });
  expectStory(story, {
    outcome: 'not-scanned',
    reason: 'service-error',
    exitCode: 1,
    conclusion: 'none',
    launches: 0,
    says: ['contents: read'],
  });
});

test('without `contents: read` in a public repository the comparison can be read all the same', async () => {
  const story = await tell({
    visibility: 'public',
    github: { permissions: { checks: 'write', 'pull-requests': 'write' } },
  });
  expectBlocked(story, 'failure');
});

test('without `contents: read` a given base is not used either: that it does not contain the head is not known', async () => {
  const scene = await prepare({ github: { permissions: { checks: 'write', 'pull-requests': 'write' } } });
  const story = await play(scene, { inputs: { 'base-commit': scene.repository.id(MERGE_BASE) } });
  expectStory(story, {
    outcome: 'not-scanned',
    reason: 'service-error',
    exitCode: 1,
    conclusion: 'failure',
    launches: 0,
    says: ['Could not check that the given base does not contain the head', 'contents: read'],
  });
});

test('a comparison that GitHub cannot give: git computes the same merge base', async () => {
  const intercept: Intercept = ({ point }) =>
    point === 'compare' ? { status: 503, body: { message: 'Service Unavailable' } } : undefined;
  const story = await tell({ github: { intercept } });
  expectBlocked(story, 'failure');
  const { repository, headSha, run, stage } = story;
  expect(run.outputs['base-commit']).toBe(await repository.git('merge-base', '--all', 'main', headSha));
  expect(run.log).toContain('merge base, from git');
  expect(stage.github.requests.some(({ point }) => point === 'git')).toBe(true);
});
