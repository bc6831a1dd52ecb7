import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { mergeGroup, NO_COMMIT, push } from './branch-events.ts';
import { aLostRun, anEarlierRun } from './effects.ts';
import {
  asksNoService,
  base,
  blocked,
  comments,
  notScanned,
  outputs,
  paid,
  requests,
  reusesOldest,
  scans,
  showsBlocked,
  showsUnchanged,
  summarizes,
} from './ends.ts';
import { allowing, BOTH_WAYS } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import type { Head } from './repository.ts';
import { type End, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const FULL_SCAN = 'Run a full scan once by workflow_dispatch.';
const UNKNOWN = 'f'.repeat(40);

type Changes = Partial<Parameters<typeof push>[1]> & { readonly as?: Head };

/** The run for a push from `before` to the head, or to the commit `as`. */
const pushOn =
  (before: Head, { as, ...changes }: Changes = {}) =>
  ({ scenario }: OtherJobs) => {
    const { id } = scenario.repository;
    return push(scenario, { before: id(before), ...(as && { after: id(as) }), ...changes });
  };
/** The run for the first push of a branch. */
const newBranch =
  (branch = 'topic') =>
  ({ scenario }: OtherJobs) =>
    push(scenario, { before: NO_COMMIT, branch });
const pushOfUnknown = pushOn('start', { before: UNKNOWN });

const writesNoSarif: End = ({ workspace, environment: { github } }) => {
  expect(existsSync(path.join(workspace, 'out.sarif'))).toBe(false);
  expect(existsSync(path.join(workspace, 'out.json'))).toBe(true);
  expect(github.checkRuns[0]?.output.summary).toContain('No SARIF file was written');
};
const hasNoBase: End = ({ run }) =>
  expect(['configuration', 'service-error']).toContain(run.outputs['reason']);

describe('a push', () => {
  testRuns([
    {
      name: 'a run for a push compares the head with the commit before the push',
      event: pushOn('start'),
      inputs: { comment: 'always' },
      ends: [
        showsBlocked,
        base('start'),
        outputs({ 'comment-url': '', 'scan-kind': 'diff', 'findings-total': '4' }),
        comments(0),
        requests('graphql', 0),
      ],
    },
    {
      name: 'for a forced push, the base is the merge base of the old and the new commit',
      event: pushOn('clean'),
      ends: [blocked, base('start')],
    },
    {
      name: 'a push that only removes commits has nothing to scan',
      head: 'behind',
      event: pushOn('vulnerable'),
      ends: showsUnchanged,
    },
    {
      name: 'for a new branch, the base is the merge base with the default branch',
      event: newBranch(),
      ends: [blocked, base('start')],
    },
    {
      name: 'a push of a new branch without new commits has nothing to scan',
      head: 'behind',
      event: newBranch(),
      ends: showsUnchanged,
    },
    {
      name: 'a re-run for a new branch does not pass after the branch was merged',
      head: 'behind',
      event: newBranch(),
      attempt: 2,
      ends: notScanned('unsupported-event', {
        launches: 0,
        texts: ['The default branch contains the pushed commit now', FULL_SCAN],
      }),
    },
    ...BOTH_WAYS.map(({ way, allowed }) => ({
      name: `a push that creates the default branch is not scanned (${way})`,
      event: newBranch('main'),
      inputs: allowing('unsupported-event', allowed),
      ends: notScanned('unsupported-event', {
        allowed,
        launches: 0,
        texts: ['The push created the default branch', FULL_SCAN],
      }),
    })),
    {
      name: 'a forced push is not scanned if GitHub does not know the previous commit',
      event: pushOfUnknown,
      ends: notScanned('unsupported-event', {
        launches: 0,
        texts: [`GitHub does not know the commit ${UNKNOWN}`, FULL_SCAN],
      }),
    },
    {
      name: 'a forced push to an unrelated history is a configuration error',
      head: 'unrelated',
      event: pushOn('clean'),
      ends: notScanned('configuration', { launches: 0, texts: ['have no common ancestor', FULL_SCAN] }),
    },
    {
      name: 'a push is not scanned if the GitHub token may not read the repository',
      event: pushOfUnknown,
      github: { permissions: { checks: 'write', 'pull-requests': 'write' } },
      ends: [outputs({ outcome: 'not-scanned' }), hasNoBase],
    },
    ...(
      [
        [
          'of a tag',
          { ref: 'refs/tags/v1' },
          ['A push of "refs/tags/v1" is not to a branch', 'add branches to the push event'],
        ],
        [
          'that deletes the branch',
          { after: NO_COMMIT },
          [
            'The push deleted the branch "stable"',
            'add if: github.event.deleted != true to the job for push',
          ],
        ],
      ] as const
    ).map(([what, changes, texts]) => ({
      name: `a push ${what} is not scanned`,
      event: pushOn('start', changes),
      ends: [
        notScanned('unsupported-event', { checkRun: false, launches: 0, texts }),
        outputs({ 'scan-kind': '' }),
        asksNoService,
      ],
    })),
    {
      name: 'a push is not scanned in a fork without the secret',
      event: pushOn('start', { fork: true }),
      inputs: { 'api-token': '', 'base-url': '' },
      ends: notScanned('missing-token', { launches: 0, texts: ['add the secret to the fork'] }),
    },
    {
      name: 'outside of forks, a missing secret is a configuration error',
      event: pushOn('start'),
      inputs: { 'api-token': '' },
      ends: notScanned('configuration', { launches: 0, texts: ['api-token is empty'] }),
    },
    {
      name: 'the summaries of a run for a push say that no SARIF file was written',
      event: pushOn('start'),
      inputs: { 'sarif-file': 'out.sarif', 'report-file': 'out.json' },
      ends: [blocked, outputs({ 'sarif-file': '' }), summarizes('No SARIF file was written'), writesNoSarif],
    },
    {
      name: 'a run for a push cancels no scan of another commit',
      service: { pace: { hold: true } },
      earlier: [aLostRun({}, pushOn('start'))],
      event: (jobs) => ({ ...pushOn('vulnerable', { as: 'clean' })(jobs), runId: 9_000_000_101 }),
      inputs: { 'timeout-minutes': '1' },
      // At its timeout, the run cancels its own scan, and no other.
      ends: [scans({ status: 'CANCELLED' }, { status: 'QUEUED' }), requests('scans.cancel', 1)],
    },
  ]);
});

/** The pull request is merged as this commit. */
const merge =
  (as: Head): Act =>
  ({ scenario: { environment, repository } }) =>
    void environment.github.edit(environment.pullRequest, {
      state: 'merged',
      mergeCommitSha: repository.id(as),
    });
/** The run for the push of the merge of a pull request onto `stable`, which was scanned. */
const merged = (as: Head, before: Head) => ({
  baseRef: 'stable',
  earlier: [anEarlierRun(), merge(as)],
  event: pushOn(before, { as }),
});
const denyPullRequests: Act = ({ scenario: { environment } }) =>
  void Object.assign(environment.github.permissions, { 'pull-requests': 'none' });
const isNew = outputs({ outcome: 'blocked', 'scan-reused': 'false' });

describe('a push of files that were scanned before', () => {
  testRuns([
    ...(
      [
        ['squash merge', 'amended'],
        ['merge', 'merged'],
      ] as const
    ).map(([what, as]) => ({
      name: `a push after a ${what} of a scanned pull request uses no credits`,
      ...merged(as, 'start'),
      ends: [
        blocked,
        reusesOldest,
        outputs(({ repository }) => ({ 'head-commit': repository.id(as) })),
        paid(1),
        summarizes('same files as in'),
      ],
    })),
    {
      name: 'a push uses no credits if a merge group with the same head was scanned',
      head: 'merged',
      baseRef: 'stable',
      earlier: [
        anEarlierRun({}, {}, ({ scenario }) => mergeGroup(scenario, { base: 'start', branch: 'stable' })),
      ],
      event: pushOn('start'),
      ends: [blocked, reusesOldest, paid(1)],
    },
    {
      name: 'a push is scanned if its base differs from the base of the earlier scan',
      ...merged('amended', 'behind'),
      ends: [isNew, paid(2)],
    },
    {
      name: 'a push is scanned if the GitHub token may not read pull requests',
      ...merged('amended', 'start'),
      meanwhile: [denyPullRequests],
      ends: [outputs({ 'scan-reused': 'false' }), paid(2)],
    },
  ]);
});
