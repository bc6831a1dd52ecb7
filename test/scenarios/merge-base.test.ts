import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import type { Intercept } from '../../sandbox/github/faults.ts';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned, expectResult } from './expect-result.ts';
import { createRepository, MERGE_BASE } from './repository.ts';
import { prepare, runPrepared, runScenario } from './scenario.ts';

const CLEAN = {
  outcome: 'passed',
  exitCode: 0,
  conclusion: 'success',
  launches: 1,
  texts: ['Passed: no findings'],
} as const;
const DOWN = { status: 502, body: 'Bad Gateway' };

test('a change without a common ancestor is a configuration error', async () => {
  const result = await runScenario({ head: 'unrelated', inputs: EVERYTHING_ALLOWED });
  expectNotScanned(result, 'configuration', {
    launches: 0,
    texts: [
      'The head and the base branch have no common ancestor.',
      'Rebase the pull request',
      'base-commit',
    ],
  });
  expect(result.environment.service.ledger().entries).toHaveLength(1);
});

describe('an open pull request whose base branch is missing on GitHub', () => {
  test.each(BOTH_WAYS)(
    'a run launches no scan if the base branch is missing in two answers of GitHub ($way)',
    async ({ allowed }) => {
      const result = await runScenario({ baseRef: 'gone', inputs: allowing('service-error', allowed) });
      expectNotScanned(result, 'service-error', {
        allowed,
        launches: 0,
        texts: ['GitHub shows the pull request as open, but not its base branch "gone".'],
      });
    },
  );

  const NO_REF = { status: 404, body: { message: 'Not Found' } };
  const noBaseRef = (answer: Answer): Answer => ({
    ...answer,
    body: JSON.parse(JSON.stringify(answer.body).replace(/"baseRef":\{[^}]*\}\}/, '"baseRef":null')),
  });

  test.each<[string, Intercept]>([
    [
      'GraphQL shows no base branch',
      ({ point, count }) => (point === 'graphql' && count === 1 ? { rewrite: noBaseRef } : undefined),
    ],
    [
      'GraphQL fails, and REST answers 404 for the branch',
      ({ point, count }) => {
        if (point === 'graphql') return { status: 404, body: { message: 'Not Found' } };
        return point === 'ref' && count === 1 ? NO_REF : undefined;
      },
    ],
  ])(
    'a run scans the pull request if a second request finds the base branch (at first, %s)',
    async (_, intercept) => {
      const result = await runScenario({ head: 'clean', github: { intercept } });
      expectResult(result, CLEAN);
      expect(result.run.outputs['base-commit']).toBe(result.repository.id(MERGE_BASE));
    },
  );

  test('a run does not reuse an earlier scan if the base branch is missing', async () => {
    let gone = false;
    const scenario = await prepare({
      head: 'clean',
      github: {
        intercept: ({ point }) => (gone && point === 'graphql' ? { rewrite: noBaseRef } : undefined),
      },
    });
    const first = await runPrepared(scenario);
    expect(first.run.outputs).toMatchObject({ outcome: 'passed' });
    gone = true;
    const { environment } = scenario;
    environment.github.setBase(environment.pullRequest, 'older');
    const again = await runPrepared(scenario, { run: () => ({ runAttempt: 2 }), inputs: EVERYTHING_ALLOWED });
    expect(again.run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
  });
});

test('a run repeats a comparison if GitHub does not know the head yet', async () => {
  const result = await runScenario({
    head: 'clean',
    github: {
      intercept: ({ point, count }) =>
        point === 'compare' && count <= 3 ? { status: 404, body: { message: 'Not Found' } } : undefined,
    },
  });
  expectResult(result, CLEAN);
});

test('a run uses the base branch even if a tag has the same name', async () => {
  const ownRepository = await createRepository();
  onTestFinished(ownRepository.remove);
  await ownRepository.git('tag', 'main', ownRepository.id('clean'));
  const result = await runPrepared(await prepare({ head: 'clean', baseRef: 'main', ownRepository }));
  expectResult(result, CLEAN);
  expect(result.run.outputs['base-commit']).toBe(result.repository.id(MERGE_BASE));
});

describe('a base that the workflow gives', () => {
  test('a run uses the base that the workflow gives if this base does not contain the head', async () => {
    const result = await runScenario({
      head: 'clean',
      inputs: ({ repository }) => ({ 'base-commit': repository.id('behind').toUpperCase() }),
    });
    expectResult(result, { ...CLEAN, texts: ['Passed: 1 finding, none at or above high'] });
    expect(result.run.outputs['base-commit']).toBe(result.repository.id('behind'));
    expect(result.environment.service.scans()).toMatchObject([
      { baseCommit: result.repository.id('behind') },
    ]);
    expect(result.environment.github.requests.filter(({ point }) => point === 'compare')).toHaveLength(1);
  });

  const byInput = (commit: string) => ({ 'base-commit': commit });
  const byParameters = (commit: string) => ({ 'launch-parameters': JSON.stringify({ baseCommit: commit }) });

  test.each([
    ['the head', '`base-commit`', 'vulnerable', byInput],
    ["GitHub's test merge commit", '`base-commit`', 'test merge', byInput],
    ['the head', '`launch-parameters`', 'vulnerable', byParameters],
    ["GitHub's test merge commit", '`launch-parameters`', 'test merge', byParameters],
  ])('%s as the base in %s is a configuration error', async (_what, _by, commit, inputs) => {
    const result = await runScenario({
      inputs: ({ repository }) => ({ ...EVERYTHING_ALLOWED, ...inputs(repository.id(commit)) }),
    });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['equals or contains the head', 'Remove it from the workflow and push'],
    });
  });

  test('a base that the workflow gives is a configuration error if the service finds no change from that base', async () => {
    const result = await runScenario({
      head: 'reverted',
      inputs: ({ repository }) => ({ ...EVERYTHING_ALLOWED, ...byInput(repository.id('start')) }),
    });
    expectNotScanned(result, 'configuration', { launches: 1, texts: ['The service found no change'] });
  });

  test('a base that the workflow gives is a configuration error if GitHub does not know that commit', async () => {
    const result = await runScenario({ inputs: { ...EVERYTHING_ALLOWED, ...byInput('d'.repeat(40)) } });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['GitHub does not know the base', 'Fix the base in base-commit'],
    });
  });

  const compareIsDown = {
    intercept: ({ point }: { readonly point: string }) => (point === 'compare' ? DOWN : undefined),
  };

  test('git checks the base that the workflow gives if GitHub cannot compare commits', async () => {
    const options = { github: compareIsDown, run: () => ({ timeScale: 5 }) };
    const contains = await runScenario({
      ...options,
      inputs: ({ repository }) => ({ ...EVERYTHING_ALLOWED, ...byInput(repository.id('test merge')) }),
    });
    expectNotScanned(contains, 'configuration', { launches: 0, texts: ['equals or contains the head'] });
    const result = await runScenario({
      ...options,
      head: 'clean',
      inputs: ({ repository }) => byInput(repository.id('start')),
    });
    expectResult(result, CLEAN);
  });

  test('a run launches no scan if it cannot check the base that the workflow gives', async () => {
    const result = await runScenario({
      github: {
        intercept: ({ point }) => (point === 'compare' || point === 'git' ? DOWN : undefined),
      },
      inputs: ({ repository }) => byInput(repository.id('start')),
    });
    expectNotScanned(result, 'service-error', {
      launches: 0,
      texts: ['Could not compare the base that the workflow sets with the head', 'contents: read'],
    });
  });
});

test('a run computes the merge base with the current tip of the base branch', async () => {
  const result = await runScenario({
    head: 'clean',
    run: ({ environment, repository }) => ({
      event: {
        name: 'pull_request',
        payload: environment.pullRequestPayload({ baseSha: repository.id('behind') }),
      },
    }),
  });
  expectResult(result, CLEAN);
  expect(result.run.outputs['base-commit']).toBe(result.repository.id(MERGE_BASE));
});

describe('if GitHub cannot compare commits', () => {
  test('if GitHub cannot compare commits, git computes the same merge base', async () => {
    const result = await runScenario({
      head: 'clean',
      github: { intercept: ({ point }) => (point === 'compare' ? DOWN : undefined) },
      timeScale: 5,
    });
    expectResult(result, CLEAN);
    expect(result.run.outputs['base-commit']).toBe(result.repository.id(MERGE_BASE));
    expect(result.run.log).toContain('merge base, from git');
  });

  test.each(BOTH_WAYS)(
    'a run does not guess the merge base if GitHub and git both fail ($way)',
    async ({ allowed }) => {
      const result = await runScenario({
        github: {
          intercept: ({ point }) => (point === 'compare' || point === 'git' ? DOWN : undefined),
        },
        inputs: allowing('service-error', allowed),
      });
      expectNotScanned(result, 'service-error', {
        allowed,
        launches: 0,
        texts: ['Could not compute the merge base.', 'contents: read'],
      });
      expect(result.environment.service.ledger().entries).toHaveLength(1);
    },
  );
});
