import { describe, expect } from 'vitest';
import { workflowDispatchEvent } from '../../sandbox/events.ts';
import type { MergeQueue } from '../../sandbox/github/merge-queues.ts';
import { mergeGroup } from './branch-events.ts';
import { changes, close, reopen } from './effects.ts';
import { base } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { MERGE_BASE } from './repository.ts';
import { type End, inBothWays, type RunRow, testRuns } from './run-rows.ts';

const group =
  (options: Parameters<typeof mergeGroup>[1] = {}): NonNullable<RunRow['event']> =>
  ({ scenario }) =>
    mergeGroup(scenario, options);

testRuns(
  [
    ...inBothWays('unsupported-event', {
      name: 'a release is not scanned',
      event: ({ scenario: { environment } }) => {
        const { repository } = environment.pullRequestPayload();
        return { event: { name: 'release', payload: { action: 'published', repository } } };
      },
    }),
    { name: 'a merge group that is destroyed is not scanned', event: group({ action: 'destroyed' }) },
    {
      name: 'a tag on which the workflow is started by hand is not scanned',
      event: ({ scenario: { environment, headSha: sha } }) => {
        const { repository } = environment;
        const payload = workflowDispatchEvent({ repository, ref: 'refs/tags/v1.0.0' });
        return { event: { name: 'workflow_dispatch', payload }, sha };
      },
    },
    {
      name: 'the reason `unsupported-event` cannot be allowed for an event of a pull request',
      eventName: 'pull_request_review',
      inputs: EVERYTHING_ALLOWED,
    },
    ...[{}, { ...EVERYTHING_ALLOWED, comment: 'always' }].map((inputs, index) => ({
      name: `a closed pull request gets no verdict and no check run (allowed: ${index === 0 ? 'no' : 'every'} reason)`,
      earlier: [close],
      event: { action: 'closed' },
      inputs,
    })),
    {
      name: 'a pull request whose title changes after the merge gets no verdict and no check run',
      earlier: [changes({ state: 'merged' })],
      event: { action: 'edited' },
      inputs: EVERYTHING_ALLOWED,
    },
    {
      name: 'a pull request that was closed after the event gets no verdict and no check run',
      meanwhile: [close],
      inputs: EVERYTHING_ALLOWED,
    },
    {
      name: 'a run for the event `closed` scans nothing, even if the pull request is open',
      earlier: [close],
      event: { action: 'closed' },
      meanwhile: [reopen],
      attempt: 2,
      inputs: EVERYTHING_ALLOWED,
    },
    { name: 'a draft is scanned', head: 'clean', event: { draft: true } },
  ],
  'events',
);

describe('a merge group', () => {
  const INCLUDES = 'includes the entries ahead of it';
  const names =
    (commit: string, hasNote: boolean): End =>
    (result, jobs) => {
      base(commit)(result, jobs);
      expect(result.run.summary.includes(INCLUDES)).toBe(hasNote);
    };
  /** The first entry of the group is vulnerable, and the second entry is clean. */
  const second = (queue?: MergeQueue) => ({
    head: 'entry 2' as const,
    github: queue === undefined ? {} : { mergeQueues: { main: queue } },
    event: group({ base: 'entry 1' }),
  });
  testRuns(
    [
      ...(['clean', 'vulnerable'] as const).map((head) => ({
        name: `a ${head} merge group gets no comment`,
        head,
        event: group(),
        inputs: { comment: 'always' },
        ends: base(MERGE_BASE),
      })),
      {
        name: 'a merge group with a vulnerable first entry is blocked if the queue checks only the last entry',
        ...second({ rules: ['HEADGREEN'], mergingStrategy: 'HEADGREEN' }),
        ends: names('moved on', false),
      },
      {
        name: 'a merge group with a vulnerable first entry is blocked if the queue settings are unreadable',
        ...second(),
        ends: names('moved on', true),
      },
      {
        name: 'a merge group with a vulnerable first entry passes if a rule of the branch requires checks for each entry',
        ...second({ rules: ['ALLGREEN'], mergingStrategy: 'HEADGREEN' }),
        ends: names('entry 1', false),
      },
      {
        name: 'a merge group with a vulnerable first entry passes if branch protection requires checks for each entry',
        ...second({ rules: [], mergingStrategy: 'ALLGREEN' }),
        ends: names('entry 1', false),
      },
      {
        name: 'a re-run for a merge group does not pass after the merge',
        head: 'behind',
        event: ({ scenario }) => ({ ...mergeGroup(scenario), runAttempt: 2 }),
      },
    ],
    'events',
  );
});
