import { describe, expect, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import type { MergeQueue } from '../../sandbox/github/merge-queues.ts';
import { allowing, BOTH_WAYS, expectNotScanned, expectStory } from './expect-story.ts';
import { MERGE_BASE } from './repository.ts';
import { type Scene, type StoryOptions, tell } from './story.ts';

const mergeGroup = (
  { stage, repository, headSha }: Scene,
  action = 'checks_requested',
  base = 'moved on',
) => ({
  event: {
    name: 'merge_group',
    payload: {
      ...mergeGroupEvent({
        repository: stage.repository,
        visibility: 'private',
        serverUrl: stage.github.serverUrl,
        headSha,
        baseSha: repository.id(base),
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
    'The event `push` has no change to scan',
  ],
  [
    'a merge group that is destroyed',
    (scene) => mergeGroup(scene, 'destroyed'),
    'A `merge_group` event of type "destroyed" requests no checks',
  ],
];

describe.each(NOTHING_TO_SCAN)('%s', (_what, run, says) => {
  test.each(BOTH_WAYS)('is no event to scan: $way', async ({ allowed }) => {
    const story = await tell({ run, inputs: allowing('unsupported-event', allowed) });
    expectNotScanned(story, 'unsupported-event', {
      allowed,
      checkRun: false,
      launches: 0,
      says: [says, 'pull_request, pull_request_target or merge_group'],
    });
    expect(story.stage.service.requests).toEqual([]);
  });
});

const CLOSED: readonly [what: string, state: 'closed' | 'merged', action: string, says: string][] = [
  ['that is closed', 'closed', 'closed', 'Pull request #7 is closed'],
  ['that is merged, and gets another title', 'merged', 'edited', 'Pull request #7 is closed'],
  ['that was closed after the event', 'closed', 'opened', 'Pull request #7 is closed'],
];

describe.each(CLOSED)('a pull request %s', (_what, state, action, says) => {
  test.each(BOTH_WAYS)('is not scanned: $way', async ({ allowed }) => {
    const story = await tell({
      inputs: allowing('unsupported-event', allowed),
      run: ({ stage }) => {
        const opened = stage.pullRequestPayload();
        stage.github.edit(stage.pullRequest, { state });
        const payload = action === 'opened' ? opened : stage.pullRequestPayload({ action });
        return { event: { name: 'pull_request', payload } };
      },
    });
    expectNotScanned(story, 'unsupported-event', {
      allowed,
      launches: 0,
      says: [says, 'Reopen the pull request'],
    });
  });
});

test('a pull request that was closed at the time of the event and is open again is not scanned', async () => {
  const story = await tell({
    run: ({ stage }) => {
      stage.github.edit(stage.pullRequest, { state: 'closed' });
      const payload = stage.pullRequestPayload({ action: 'closed' });
      stage.github.edit(stage.pullRequest, { state: 'open' });
      return { event: { name: 'pull_request', payload }, runAttempt: 2 };
    },
  });
  expectNotScanned(story, 'unsupported-event', { launches: 0, says: ['is open again'] });
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

  describe('whose second entry is harmless, and whose first is not', () => {
    const second = (queue?: MergeQueue): StoryOptions => ({
      head: 'entry 2',
      github: queue === undefined ? {} : { mergeQueues: { main: queue } },
      run: (scene) => mergeGroup(scene, 'checks_requested', 'entry 1'),
    });
    const INCLUDES = 'includes the entries ahead of it';

    test('blocks where the checks of the last entry let all of them merge', async () => {
      const story = await tell(second({ rules: ['HEADGREEN'], mergingStrategy: 'HEADGREEN' }));
      expect(story.run.outputs, story.run.log).toMatchObject({
        outcome: 'blocked',
        'base-commit': story.repository.id('moved on'),
      });
      expect(story.run.exitCode).toBe(1);
      expect(story.run.summary).not.toContain(INCLUDES);
    });

    test('blocks, and says why, where the grouping cannot be read', async () => {
      const story = await tell(second());
      expect(story.run.outputs).toMatchObject({
        outcome: 'blocked',
        'base-commit': story.repository.id('moved on'),
      });
      expect(story.run.summary).toContain(INCLUDES);
    });

    test.each([
      ['the rules of the branch', { rules: ['ALLGREEN'], mergingStrategy: 'HEADGREEN' }],
      ['branch protection', { rules: [], mergingStrategy: 'ALLGREEN' }],
    ] as const)('passes where each entry has to pass itself, by %s', async (_, queue) => {
      const story = await tell(second(queue));
      expect(story.run.outputs, story.run.log).toMatchObject({
        outcome: 'passed',
        'base-commit': story.repository.id('entry 1'),
      });
      expect(story.run.summary).not.toContain(INCLUDES);
    });
  });

  test('has its secrets: an empty token is a wrong setup', async () => {
    const story = await tell({ run: mergeGroup, inputs: { 'api-token': '' } });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['api-token is empty', 'secrets: inherit'],
    });
  });
});
