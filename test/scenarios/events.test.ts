import { describe, expect, test } from 'vitest';
import { workflowDispatchEvent } from '../../sandbox/events.ts';
import type { MergeQueue } from '../../sandbox/github/merge-queues.ts';
import { mergeGroup } from './branch-events.ts';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned, expectResult } from './expect-result.ts';
import { MERGE_BASE } from './repository.ts';
import { runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const SUPPORTED = 'Run this workflow on pull_request, pull_request_target, merge_group';
const NOTHING_TO_SCAN: readonly [
  what: string,
  run: NonNullable<ScenarioOptions['run']>,
  cause: string,
  next: string,
][] = [
  [
    'a release',
    ({ environment }) => ({
      event: {
        name: 'release',
        payload: { action: 'published', repository: environment.pullRequestPayload()['repository'] },
      },
    }),
    'The event `release` has no change to scan',
    SUPPORTED,
  ],
  [
    'a merge group that is destroyed',
    (scenario) => mergeGroup(scenario, { action: 'destroyed' }),
    'A `merge_group` event of type "destroyed" requests no checks',
    SUPPORTED,
  ],
  [
    'a tag on which the workflow is started by hand',
    ({ environment: { repository }, headSha: sha }) => ({
      event: {
        name: 'workflow_dispatch',
        payload: workflowDispatchEvent({ repository, ref: 'refs/tags/v1.0.0' }),
      },
      sha,
    }),
    'The workflow was started on "refs/tags/v1.0.0", which is not a branch.',
    'Start it on a branch.',
  ],
];

describe.each(NOTHING_TO_SCAN)('%s', (what, run, cause, next) => {
  test.each(BOTH_WAYS)(`${what} is not scanned ($way)`, async ({ allowed }) => {
    const result = await runScenario({ run, inputs: allowing('unsupported-event', allowed) });
    expectNotScanned(result, 'unsupported-event', {
      allowed,
      checkRun: false,
      launches: 0,
      texts: [cause, next],
    });
    expect(result.environment.service.requests).toEqual([]);
  });
});

const REVIEW = (scenario: Scenario) => ({
  event: { name: 'pull_request_review', payload: scenario.environment.pullRequestPayload() },
});

test('the reason `unsupported-event` cannot be allowed for an event of a pull request', async () => {
  const result = await runScenario({ run: REVIEW, inputs: EVERYTHING_ALLOWED });
  expectNotScanned(result, 'unsupported-event', {
    checkRun: false,
    launches: 0,
    texts: ['The event `pull_request_review` has no change to scan'],
  });
});

const CLOSED: readonly [what: string, state: 'closed' | 'merged', action: string][] = [
  ['that is closed', 'closed', 'closed'],
  ['whose title changes after the merge', 'merged', 'edited'],
  ['that was closed after the event', 'closed', 'opened'],
];

const WAYS_OUT = [
  'Pull request #7 is closed, so it is not scanned.',
  'Reopen the pull request to have it scanned.',
  'If another open pull request has this commit as its head, re-run the job of that one.',
];

describe.each(CLOSED)('a pull request %s', (what, state, action) => {
  test.each([
    ['no reason', {}],
    ['every reason', EVERYTHING_ALLOWED],
  ])(
    `a pull request ${what} gets no verdict, no check run and no comment (allowed: %s)`,
    async (_allowed, inputs) => {
      const result = await runScenario({
        inputs: { ...inputs, comment: 'always' },
        run: ({ environment }) => {
          const opened = environment.pullRequestPayload();
          environment.github.edit(environment.pullRequest, { state });
          const payload = action === 'opened' ? opened : environment.pullRequestPayload({ action });
          return { event: { name: 'pull_request', payload } };
        },
      });
      expectNotScanned(result, 'unsupported-event', { checkRun: false, launches: 0, texts: WAYS_OUT });
      expect(result.environment.github.comments).toEqual([]);
    },
  );
});

test('a run for the event `closed` scans nothing, even if the pull request is open', async () => {
  const result = await runScenario({
    run: ({ environment }) => {
      environment.github.edit(environment.pullRequest, { state: 'closed' });
      const payload = environment.pullRequestPayload({ action: 'closed' });
      environment.github.edit(environment.pullRequest, { state: 'open' });
      return { event: { name: 'pull_request', payload }, runAttempt: 2 };
    },
    inputs: EVERYTHING_ALLOWED,
  });
  expectNotScanned(result, 'unsupported-event', { launches: 0, texts: ['It is open now.'] });
});

test('a draft is scanned', async () => {
  const result = await runScenario({
    head: 'clean',
    run: ({ environment }) => ({
      event: { name: 'pull_request', payload: environment.pullRequestPayload({ draft: true }) },
    }),
  });
  expect(result.run.outputs).toMatchObject({ outcome: 'passed', 'scan-status': 'COMPLETED' });
});

describe('a merge group', () => {
  test('a merge group passes without a comment', async () => {
    const result = await runScenario({ head: 'clean', run: mergeGroup, inputs: { comment: 'always' } });
    expectResult(result, {
      outcome: 'passed',
      exitCode: 0,
      conclusion: 'success',
      launches: 1,
      texts: ['Passed: no findings'],
    });
    expect(result.run.outputs['base-commit']).toBe(result.repository.id(MERGE_BASE));
    expect(result.environment.github.comments).toEqual([]);
  });

  test('a merge group with blocking findings is blocked, and gets no comment', async () => {
    const result = await runScenario({ run: mergeGroup, inputs: { comment: 'always' } });
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings at or above high'],
    });
    expect(result.environment.github.comments).toEqual([]);
  });

  describe('a merge group whose first entry is vulnerable, and whose second entry is clean', () => {
    const second = (queue?: MergeQueue): ScenarioOptions => ({
      head: 'entry 2',
      github: queue === undefined ? {} : { mergeQueues: { main: queue } },
      run: (scenario) => mergeGroup(scenario, { base: 'entry 1' }),
    });
    const INCLUDES = 'includes the entries ahead of it';

    test('a merge group with a vulnerable first entry is blocked if the queue checks only the last entry', async () => {
      const result = await runScenario(second({ rules: ['HEADGREEN'], mergingStrategy: 'HEADGREEN' }));
      expect(result.run.outputs, result.run.log).toMatchObject({
        outcome: 'blocked',
        'base-commit': result.repository.id('moved on'),
      });
      expect(result.run.exitCode).toBe(1);
      expect(result.run.summary).not.toContain(INCLUDES);
    });

    test('a merge group with a vulnerable first entry is blocked if the queue settings are unreadable', async () => {
      const result = await runScenario(second());
      expect(result.run.outputs).toMatchObject({
        outcome: 'blocked',
        'base-commit': result.repository.id('moved on'),
      });
      expect(result.run.summary).toContain(INCLUDES);
    });

    test.each([
      ['a rule of the branch', { rules: ['ALLGREEN'], mergingStrategy: 'HEADGREEN' }],
      ['branch protection', { rules: [], mergingStrategy: 'ALLGREEN' }],
    ] as const)(
      'a merge group with a vulnerable first entry passes if %s requires checks for each entry',
      async (_, queue) => {
        const result = await runScenario(second(queue));
        expect(result.run.outputs, result.run.log).toMatchObject({
          outcome: 'passed',
          'base-commit': result.repository.id('entry 1'),
        });
        expect(result.run.summary).not.toContain(INCLUDES);
      },
    );
  });

  test('a re-run for a merge group does not pass after the merge', async () => {
    const result = await runScenario({
      head: 'behind',
      run: (scenario) => ({ ...mergeGroup(scenario), runAttempt: 2 }),
    });
    expectNotScanned(result, 'unsupported-event', {
      launches: 0,
      texts: ['The base branch contains the head of the merge group now', 'Run a full scan once'],
    });
  });

  test('a run for a merge group reports a configuration error if the API token is empty', async () => {
    const result = await runScenario({ run: mergeGroup, inputs: { 'api-token': '' } });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['api-token is empty', 'secrets: inherit'],
    });
  });
});
