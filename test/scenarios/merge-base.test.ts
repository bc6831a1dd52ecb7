import { describe, expect, test } from 'vitest';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned, expectStory } from './expect-story.ts';
import { MERGE_BASE } from './repository.ts';
import { tell } from './story.ts';

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
    says: ['no common ancestor with the base branch', 'Rebase the pull request', 'base-commit'],
  });
  expect(story.stage.service.ledger().entries).toHaveLength(1);
});

test('a base branch that is gone is a wrong setup', async () => {
  const story = await tell({ baseRef: 'gone', inputs: EVERYTHING_ALLOWED });
  expectNotScanned(story, 'configuration', {
    launches: 0,
    says: ['GitHub shows no base branch "gone"', 'Point the pull request at a branch that exists'],
  });
});

test('a head that was replaced meanwhile is told from a base branch that is gone', async () => {
  const story = await tell({
    inputs: EVERYTHING_ALLOWED,
    run: ({ stage }) => ({
      event: { name: 'pull_request', payload: stage.pullRequestPayload({ headSha: 'd'.repeat(40) }) },
    }),
  });
  expect(story.run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
  expect(story.run.exitCode).toBe(1);
  expect(story.run.summary).toContain('does not know the commit');
  expect(story.stage.service.scans()).toEqual([]);
});

test('base-commit is used as it is, and GitHub is not asked', async () => {
  const story = await tell({
    head: 'clean',
    inputs: ({ repository }) => ({ 'base-commit': repository.id('behind').toUpperCase() }),
  });
  expectStory(story, CLEAN);
  expect(story.run.outputs['base-commit']).toBe(story.repository.id('behind'));
  expect(story.stage.service.scans()).toMatchObject([{ baseCommit: story.repository.id('behind') }]);
  expect(story.stage.github.requests.map(({ point }) => point)).not.toContain('compare');
});

test('base-commit that is the head is unchanged', async () => {
  const story = await tell({ inputs: ({ headSha }) => ({ 'base-commit': headSha }) });
  expectStory(story, {
    outcome: 'unchanged',
    exitCode: 0,
    conclusion: 'success',
    launches: 0,
    says: ['Nothing to scan'],
  });
});

test('base-commit that the service does not know is refused by it', async () => {
  const story = await tell({ inputs: { 'base-commit': 'd'.repeat(40), ...EVERYTHING_ALLOWED } });
  expectNotScanned(story, 'configuration', {
    launches: 1,
    says: ['The service does not know the base commit', 'Check that the input base-commit'],
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
      run: () => ({ timeScale: 5 }),
    });
    expectStory(story, CLEAN);
    expect(story.run.outputs['base-commit']).toBe(story.repository.id(MERGE_BASE));
    expect(story.run.log).toContain('computed by git');
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
      says: ['The merge base could not be computed.', 'contents: read', 'base-commit'],
    });
    expect(story.stage.service.ledger().entries).toHaveLength(1);
  });
});
