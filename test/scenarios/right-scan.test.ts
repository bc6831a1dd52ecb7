import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import { isObject, objectAt } from '../../sandbox/json.ts';
import { EVERYTHING_ALLOWED, expectNotScanned, expectStory } from './expect-story.ts';
import { MERGE_BASE } from './repository.ts';
import { tell } from './story.ts';

const RENAMED = { launchFields: { commit: 'headCommit' } };

test('a service that reads the head elsewhere scans another commit: cancelled, and told', async () => {
  const story = await tell({
    service: { ...RENAMED, pace: { phasesPerPoll: 1 } },
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(story, 'configuration', {
    launches: 1,
    says: ['The service is scanning a different commit range', 'commit and baseCommit', 'launch-parameters'],
  });
  expect(story.stage.service.scans()).toMatchObject([
    { status: 'CANCELLED', commit: story.repository.id('moved on') },
  ]);
});

test('another base than asked for: cancelled, and told', async () => {
  const otherBase = (answer: Answer): Answer => {
    const body = isObject(answer.body) ? answer.body : {};
    return { ...answer, body: { ...body, scan: { ...objectAt(body, 'scan'), baseCommit: 'e'.repeat(40) } } };
  };
  const story = await tell({
    service: {
      pace: { hold: true },
      intercept: ({ point }) => (point === 'scans.read' ? { rewrite: otherBase } : undefined),
    },
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(story, 'configuration', {
    launches: 1,
    says: ['The service is scanning a different commit range', 'launch-parameters'],
  });
  expect(story.stage.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
});

test('a scan of another commit that is already over is no pass either', async () => {
  const story = await tell({
    service: { ...RENAMED, pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(story, 'configuration', {
    launches: 1,
    says: ['The service is scanning a different commit range', 'launch-parameters'],
  });
});

test('a scan whose commit the service does not show passes, and the report says so', async () => {
  const hidden = ['commit', 'baseCommit'];
  const story = await tell({
    head: 'clean',
    service: { hideFields: { scanItem: hidden, scanDetail: hidden } },
  });
  expectStory(story, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    says: ['Passed: no findings'],
  });
  expect(story.run.summary).toContain('commit not confirmed by the service');
});

describe('launch-parameters', () => {
  test('renames a field, and exactly the change is scanned', async () => {
    const story = await tell({
      service: { launchFields: { commit: 'headCommit', repository: 'repository' } },
      inputs: ({ headSha }) => ({
        'launch-parameters': JSON.stringify({
          commit: null,
          headCommit: headSha,
          repositoryId: null,
          repository: 'repo_octo-repo',
        }),
      }),
    });
    expectStory(story, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      says: ['Blocked: 2 findings'],
    });
    expect(story.stage.service.scans()).toMatchObject([
      { commit: story.headSha, baseCommit: story.repository.id(MERGE_BASE) },
    ]);
    const launch = story.stage.service.requests.find(({ point }) => point === 'scans.launch');
    expect(Object.keys(isObject(launch?.body) ? launch.body : {}).sort()).toEqual([
      'baseCommit',
      'creditBudget',
      'headCommit',
      'presetRef',
      'repository',
    ]);
  });

  test('a renamed field that names another commit is no scan of this change', async () => {
    const story = await tell({
      service: RENAMED,
      inputs: ({ repository }) => ({
        'launch-parameters': JSON.stringify({ commit: null, headCommit: repository.id('clean') }),
      }),
    });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['launch-parameters'],
    });
  });

  test('sets another base: the change is measured from there, and every place says so', async () => {
    const story = await tell({
      inputs: ({ repository }) => ({
        'launch-parameters': JSON.stringify({ baseCommit: repository.id('behind') }),
      }),
    });
    expectStory(story, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      says: ['Blocked: 2 findings'],
    });
    expect(story.run.outputs['base-commit']).toBe(story.repository.id('behind'));
    expect(story.run.log).toContain(
      `Change: ${story.repository.id('behind')}..${story.headSha} (base: set in the workflow).`,
    );
    expect(story.stage.service.scans()).toMatchObject([{ baseCommit: story.repository.id('behind') }]);
  });

  test.each([
    ['the head', 'vulnerable'],
    ['a commit that contains the head', 'behind'],
  ] as const)('that set the base to %s: nothing is launched', async (what, head) => {
    const story = await tell({
      head,
      inputs: ({ headSha, repository }) => ({
        ...EVERYTHING_ALLOWED,
        'launch-parameters': JSON.stringify({
          baseCommit: what === 'the head' ? headSha : repository.id(MERGE_BASE),
        }),
      }),
    });
    expectNotScanned(story, 'configuration', { launches: 0, says: ['launch-parameters'] });
  });

  test.each<[what: string, parameters: (id: string) => object, says: string]>([
    ['another commit', (commit) => ({ commit }), 'sets commit to something else than the head'],
    ['a branch', () => ({ commit: 'main' }), 'sets commit to something else than the head'],
    ['a branch as the base', () => ({ baseCommit: 'main' }), 'sets baseCommit to something else than a full'],
  ])('%s is refused before anything is launched', async (_what, parameters, says) => {
    const story = await tell({
      inputs: ({ repository }) => ({
        ...EVERYTHING_ALLOWED,
        'launch-parameters': JSON.stringify(parameters(repository.id('clean'))),
      }),
    });
    expectNotScanned(story, 'configuration', { launches: 0, says: [says, 'from launch-parameters'] });
  });
});
