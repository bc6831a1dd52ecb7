import { describe, expect, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import { isObject, objectAt } from '../../sandbox/json.ts';
import { EVERYTHING_ALLOWED, expectNotScanned, expectResult } from './expect-result.ts';
import { MERGE_BASE } from './repository.ts';
import { runScenario } from './scenario.ts';

const RENAMED = { launchFields: { commit: 'headCommit' } };

test('a run cancels and reports a scan of another commit if the service ignores the field `commit`', async () => {
  const result = await runScenario({
    service: { ...RENAMED, pace: { phasesPerPoll: 1 } },
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(result, 'configuration', {
    launches: 1,
    texts: ['The service is scanning a different commit range', 'commit and baseCommit', 'launch-parameters'],
  });
  expect(result.environment.service.scans()).toMatchObject([
    { status: 'CANCELLED', commit: result.repository.id('moved on') },
  ]);
});

test('a run cancels and reports a scan that shows another base', async () => {
  const otherBase = (answer: Answer): Answer => {
    const body = isObject(answer.body) ? answer.body : {};
    return { ...answer, body: { ...body, scan: { ...objectAt(body, 'scan'), baseCommit: 'e'.repeat(40) } } };
  };
  const result = await runScenario({
    service: {
      pace: { hold: true },
      intercept: ({ point }) => (point === 'scans.read' ? { rewrite: otherBase } : undefined),
    },
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(result, 'configuration', {
    launches: 1,
    texts: ['The service is scanning a different commit range', 'launch-parameters'],
  });
  expect(result.environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
});

test('a run fails if its completed scan is of another commit than the head', async () => {
  const result = await runScenario({
    service: { ...RENAMED, pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(result, 'configuration', {
    launches: 1,
    texts: ['The service is scanning a different commit range', 'launch-parameters'],
  });
});

test.each([
  ['commit', ['commit not confirmed by the service']],
  ['baseCommit', ['base not confirmed by the service']],
  ['both', ['commit not confirmed by the service', 'base not confirmed by the service']],
])(
  'a run adds a note to the report if the service hides commits of the scan (hidden: %s)',
  async (what, sentences) => {
    const hidden = what === 'both' ? ['commit', 'baseCommit'] : [what];
    const result = await runScenario({
      head: 'clean',
      service: { hideFields: { scanItem: hidden, scanDetail: hidden } },
    });
    expectResult(result, {
      outcome: 'passed',
      exitCode: 0,
      conclusion: 'success',
      launches: 1,
      texts: ['Passed: no findings'],
    });
    expect(result.run.summary.match(/\b(?:commit|base) not confirmed by the service/g)).toEqual(sentences);
  },
);

describe('launch-parameters', () => {
  test('the input `launch-parameters` can rename a field of the launch request', async () => {
    const result = await runScenario({
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
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings'],
    });
    expect(result.environment.service.scans()).toMatchObject([
      { commit: result.headSha, baseCommit: result.repository.id(MERGE_BASE) },
    ]);
    const launch = result.environment.service.requests.find(({ point }) => point === 'scans.launch');
    expect(Object.keys(isObject(launch?.body) ? launch.body : {}).sort()).toEqual([
      'baseCommit',
      'creditBudget',
      'headCommit',
      'presetRef',
      'repository',
    ]);
  });

  test('a run launches nothing if `launch-parameters` renames the field `commit` and names another commit', async () => {
    const result = await runScenario({
      service: RENAMED,
      inputs: ({ repository }) => ({
        'launch-parameters': JSON.stringify({ commit: null, headCommit: repository.id('clean') }),
      }),
    });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['launch-parameters'],
    });
  });

  test('the input `launch-parameters` can set another base', async () => {
    const result = await runScenario({
      inputs: ({ repository }) => ({
        'launch-parameters': JSON.stringify({ baseCommit: repository.id('behind') }),
      }),
    });
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings'],
    });
    expect(result.run.outputs['base-commit']).toBe(result.repository.id('behind'));
    expect(result.run.log).toContain(
      `Change: ${result.repository.id('behind')}..${result.headSha} (base: set in the workflow).`,
    );
    expect(result.environment.service.scans()).toMatchObject([
      { baseCommit: result.repository.id('behind') },
    ]);
  });

  test.each([
    ['the head', 'vulnerable'],
    ['a commit that contains the head', 'behind'],
  ] as const)(
    'a run launches nothing if the input `launch-parameters` sets the base to %s',
    async (what, head) => {
      const result = await runScenario({
        head,
        inputs: ({ headSha, repository }) => ({
          ...EVERYTHING_ALLOWED,
          'launch-parameters': JSON.stringify({
            baseCommit: what === 'the head' ? headSha : repository.id(MERGE_BASE),
          }),
        }),
      });
      expectNotScanned(result, 'configuration', { launches: 0, texts: ['launch-parameters'] });
    },
  );

  test.each<[what: string, parameters: (id: string) => object, texts: string]>([
    ['another commit', (commit) => ({ commit }), 'sets commit to a value that is not the head SHA'],
    ['a branch', () => ({ commit: 'main' }), 'sets commit to a value that is not the head SHA'],
    ['a branch as the base', () => ({ baseCommit: 'main' }), 'sets baseCommit to a value that is not a full'],
  ])(
    'the input `launch-parameters` is refused before the launch if it names %s',
    async (_what, parameters, texts) => {
      const result = await runScenario({
        inputs: ({ repository }) => ({
          ...EVERYTHING_ALLOWED,
          'launch-parameters': JSON.stringify(parameters(repository.id('clean'))),
        }),
      });
      expectNotScanned(result, 'configuration', { launches: 0, texts: [texts, 'from launch-parameters'] });
    },
  );

  test('the input `launch-parameters` is refused before the launch if it removes the field `commit`', async () => {
    const result = await runScenario({
      inputs: { ...EVERYTHING_ALLOWED, 'launch-parameters': '{"commit": null}' },
    });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['removes commit, and no other value in it is the head SHA'],
    });
  });
});
