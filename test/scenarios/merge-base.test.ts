import { describe, expect, onTestFinished, test } from 'vitest';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned, expectStory } from './expect-story.ts';
import { MERGE_BASE } from './repository.ts';
import { play, prepare, tell } from './story.ts';

const CLEAN = {
  outcome: 'passed',
  exitCode: 0,
  conclusion: 'success',
  launches: 1,
  says: ['Passed: no findings'],
} as const;
const DOWN = { status: 502, body: 'Bad Gateway' };

test('no common ancestor is a wrong setup', async () => {
  const story = await tell({ head: 'unrelated', inputs: EVERYTHING_ALLOWED });
  expectNotScanned(story, 'configuration', {
    launches: 0,
    says: ['The head and the base branch have no common ancestor.', 'Rebase the pull request', 'base-commit'],
  });
  expect(story.stage.service.ledger().entries).toHaveLength(1);
});

test.each(BOTH_WAYS)('a base branch that is gone is no change to scan: $way', async ({ allowed }) => {
  const story = await tell({ baseRef: 'gone', inputs: allowing('unsupported-event', allowed) });
  expectNotScanned(story, 'unsupported-event', {
    allowed,
    launches: 0,
    says: ['its base branch "gone" is gone', 'Reopen the pull request'],
  });
});

test('a tag with the name of the base branch does not stand in for it', async () => {
  const scene = await prepare({ head: 'clean', baseRef: 'main' });
  const { repository } = scene;
  await repository.git('tag', 'main', scene.headSha);
  onTestFinished(async () => void (await repository.git('tag', '-d', 'main')));
  const story = await play(scene);
  expectStory(story, CLEAN);
  expect(story.run.outputs['base-commit']).toBe(story.repository.id(MERGE_BASE));
});

describe('a base that the workflow gives', () => {
  test('is used as it is, once GitHub has shown that it does not contain the head', async () => {
    const story = await tell({
      head: 'clean',
      inputs: ({ repository }) => ({ 'base-commit': repository.id('behind').toUpperCase() }),
    });
    expectStory(story, { ...CLEAN, says: ['Passed: 1 finding, none at or above high'] });
    expect(story.run.outputs['base-commit']).toBe(story.repository.id('behind'));
    expect(story.stage.service.scans()).toMatchObject([{ baseCommit: story.repository.id('behind') }]);
    expect(story.stage.github.requests.filter(({ point }) => point === 'compare')).toHaveLength(1);
  });

  const byInput = (commit: string) => ({ 'base-commit': commit });
  const byParameters = (commit: string) => ({ 'launch-parameters': JSON.stringify({ baseCommit: commit }) });

  test.each([
    ['the head', '`base-commit`', 'vulnerable', byInput],
    ["GitHub's test merge commit", '`base-commit`', 'test merge', byInput],
    ['the head', '`launch-parameters`', 'vulnerable', byParameters],
    ["GitHub's test merge commit", '`launch-parameters`', 'test merge', byParameters],
  ])('that is %s is a wrong setup, never unchanged: by %s', async (_what, _by, commit, inputs) => {
    const story = await tell({
      inputs: ({ repository }) => ({ ...EVERYTHING_ALLOWED, ...inputs(repository.id(commit)) }),
    });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['equals or contains the head', 'Remove it from the workflow and push'],
    });
  });

  test('from which the service sees no change is a wrong setup too', async () => {
    const story = await tell({
      head: 'reverted',
      inputs: ({ repository }) => ({ ...EVERYTHING_ALLOWED, ...byInput(repository.id('start')) }),
    });
    expectNotScanned(story, 'configuration', { launches: 1, says: ['The service found no change'] });
  });

  test('that GitHub does not know is a wrong setup', async () => {
    const story = await tell({ inputs: { ...EVERYTHING_ALLOWED, ...byInput('d'.repeat(40)) } });
    expectNotScanned(story, 'configuration', {
      launches: 0,
      says: ['GitHub does not know the base', 'Fix the base in base-commit'],
    });
  });

  const compareIsDown = {
    intercept: ({ point }: { readonly point: string }) => (point === 'compare' ? DOWN : undefined),
  };

  test('is checked by git where GitHub does not compare', async () => {
    const options = { github: compareIsDown, run: () => ({ timeScale: 5 }) };
    const contains = await tell({
      ...options,
      inputs: ({ repository }) => ({ ...EVERYTHING_ALLOWED, ...byInput(repository.id('test merge')) }),
    });
    expectNotScanned(contains, 'configuration', { launches: 0, says: ['equals or contains the head'] });
    const story = await tell({
      ...options,
      head: 'clean',
      inputs: ({ repository }) => byInput(repository.id('start')),
    });
    expectStory(story, CLEAN);
  });

  test('that neither can check is not used', async () => {
    const story = await tell({
      github: {
        intercept: ({ point }) => (point === 'compare' || point === 'git' ? DOWN : undefined),
      },
      inputs: ({ repository }) => byInput(repository.id('start')),
    });
    expectNotScanned(story, 'service-error', {
      launches: 0,
      says: ['Could not check that the given base does not contain the head', 'contents: read'],
    });
  });
});

test("the base is the base branch's tip now, not what the payload remembers", async () => {
  const story = await tell({
    head: 'clean',
    run: ({ stage, repository }) => ({
      event: {
        name: 'pull_request',
        payload: stage.pullRequestPayload({ baseSha: repository.id('behind') }),
      },
    }),
  });
  expectStory(story, CLEAN);
  expect(story.run.outputs['base-commit']).toBe(story.repository.id(MERGE_BASE));
});

describe("where GitHub's comparison is not available", () => {
  test('git computes the same merge base', async () => {
    const story = await tell({
      head: 'clean',
      github: { intercept: ({ point }) => (point === 'compare' ? DOWN : undefined) },
      timeScale: 5,
    });
    expectStory(story, CLEAN);
    expect(story.run.outputs['base-commit']).toBe(story.repository.id(MERGE_BASE));
    expect(story.run.log).toContain('merge base, from git');
  });

  test.each(BOTH_WAYS)('nor git: the merge base is never guessed: $way', async ({ allowed }) => {
    const story = await tell({
      github: {
        intercept: ({ point }) => (point === 'compare' || point === 'git' ? DOWN : undefined),
      },
      inputs: allowing('service-error', allowed),
    });
    expectNotScanned(story, 'service-error', {
      allowed,
      launches: 0,
      says: ['Could not compute the merge base.', 'contents: read'],
    });
    expect(story.stage.service.ledger().entries).toHaveLength(1);
  });
});
