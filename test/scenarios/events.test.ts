import { describe, expect, test } from 'vitest';
import { mergeGroupEvent } from '../../src/sandbox/events.ts';
import { allowing, BOTH_WAYS, expectNotScanned, expectStory } from './expect-story.ts';
import { MERGE_BASE } from './repository.ts';
import { type Scene, type StoryOptions, tell } from './story.ts';

const mergeGroup = ({ stage, repository, headSha }: Scene, action = 'checks_requested') => ({
  event: {
    name: 'merge_group',
    payload: {
      ...mergeGroupEvent({
        repository: stage.repository,
        visibility: 'private',
        serverUrl: stage.github.serverUrl,
        headSha,
        baseSha: repository.id('moved on'),
        baseRef: 'main',
      }),
      action,
    },
  },
});

const NOTHING_TO_SCAN: readonly [what: string, run: NonNullable<StoryOptions['run']>, says: string][] = [
  [
    'a push',
    ({ stage, headSha }) => ({
      event: {
        name: 'push',
        payload: {
          ref: 'refs/heads/main',
          after: headSha,
          repository: stage.pullRequestPayload()['repository'],
        },
      },
    }),
    'the event "push" names no change to scan',
  ],
  [
    'a pull request that is closed',
    ({ stage }) => ({
      event: { name: 'pull_request', payload: stage.pullRequestPayload({ action: 'closed' }) },
    }),
    'pull request #7 is closed',
  ],
  [
    'a merge group that is destroyed',
    (scene) => mergeGroup(scene, 'destroyed'),
    'a merge_group event of type "destroyed" asks for no checks',
  ],
];

describe.each(NOTHING_TO_SCAN)('%s', (_what, run, says) => {
  test.each(BOTH_WAYS)('is no event to scan: $way', async ({ allowed }) => {
    const story = await tell({ run, inputs: allowing('unsupported-event', allowed) });
    expectNotScanned(story, 'unsupported-event', {
      allowed,
      checkRun: false,
      launches: 0,
      says: [says, 'pull_request, pull_request_target and merge_group'],
    });
    expect(story.stage.service.requests).toEqual([]);
  });
});

test('a draft is scanned', async () => {
  const story = await tell({
    head: 'clean',
    run: ({ stage }) => ({
      event: { name: 'pull_request', payload: stage.pullRequestPayload({ draft: true }) },
    }),
  });
  expect(story.run.outputs).toMatchObject({ outcome: 'passed', 'scan-status': 'COMPLETED' });
});

describe('a merge group', () => {
  test('passes without a comment', async () => {
    const story = await tell({ head: 'clean', run: mergeGroup, inputs: { comment: 'always' } });
    expectStory(story, {
      outcome: 'passed',
      exitCode: 0,
      conclusion: 'success',
      launches: 1,
      says: ['Passed: no findings'],
    });
    expect(story.run.outputs['base-commit']).toBe(story.repository.id(MERGE_BASE));
    expect(story.stage.github.comments).toEqual([]);
  });

  test('blocks without a comment', async () => {
    const story = await tell({ run: mergeGroup, inputs: { comment: 'always' } });
    expectStory(story, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      says: ['Blocked: 2 findings at or above high'],
    });
    expect(story.stage.github.comments).toEqual([]);
  });

  test('has its secrets: an empty token is a wrong setup', async () => {
    const story = await tell({ run: mergeGroup, inputs: { 'api-token': '' } });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['Input api-token is empty', 'secrets: inherit'],
    });
  });
});
