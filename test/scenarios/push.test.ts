import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { mergeGroup, NO_COMMIT, push } from './branch-events.ts';
import { aLostRun, anEarlierRun } from './effects.ts';
import { outputs, requests, summarizes } from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import type { Head } from './repository.ts';
import type { End } from './run-rows.ts';
import { bothWays, rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

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
testScans('push', {
  'a run for a push compares the head with the commit before the push': {
    event: pushOn('start'),
    inputs: { comment: 'always' },
    ends: [outputs({ 'scan-kind': 'diff' }), requests('graphql', 0)],
  },
  'for a forced push, the base is the merge base of the old and the new commit': { event: pushOn('clean') },
  'a push that only removes commits has nothing to scan': { head: 'behind', event: pushOn('vulnerable') },
  'for a new branch, the base is the merge base with the default branch': { event: newBranch() },
  'a push of a new branch without new commits has nothing to scan': { head: 'behind', event: newBranch() },
  'a re-run for a new branch does not pass after the branch was merged': {
    head: 'behind',
    event: newBranch(),
    attempt: 2,
  },
  ...bothWays('unsupported-event', ['main'], (branch) => [
    'a push that creates the default branch is not scanned',
    { event: newBranch(branch) },
  ]),
  'a forced push is not scanned if GitHub does not know the previous commit': { event: pushOfUnknown },
  'a forced push to an unrelated history is a configuration error': {
    head: 'unrelated',
    event: pushOn('clean'),
  },
  'a push is not scanned if the GitHub token may not read the repository': {
    event: pushOfUnknown,
    github: { permissions: { checks: 'write', 'pull-requests': 'write' } },
  },
  ...rowsFor(
    [
      ['of a tag', { ref: 'refs/tags/v1' }],
      ['that deletes the branch', { after: NO_COMMIT }],
    ],
    ([what, changes]) => [`a push ${what} is not scanned`, { event: pushOn('start', changes) }],
  ),
  'a push is not scanned in a fork without the secret': {
    event: pushOn('start', { fork: true }),
    inputs: { 'api-token': '', 'base-url': '' },
  },
  'outside of forks, a missing secret is a configuration error': {
    event: pushOn('start'),
    inputs: { 'api-token': '' },
  },
  'the summaries of a run for a push say that no SARIF file was written': {
    event: pushOn('start'),
    inputs: { 'sarif-file': 'out.sarif', 'report-file': 'out.json' },
    ends: [outputs({ 'sarif-file': '' }), summarizes('No SARIF file was written'), writesNoSarif],
  },
  'a run for a push cancels no scan of another commit': {
    service: { pace: { hold: true } },
    earlier: [aLostRun({}, pushOn('start'))],
    event: (jobs) => ({ ...pushOn('vulnerable', { as: 'clean' })(jobs), runId: 9_000_000_101 }),
    inputs: { 'timeout-minutes': '1' },
  },
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

testScans('push', {
  ...rowsFor(
    [
      ['squash merge', 'amended'],
      ['merge', 'merged'],
    ] as const,
    ([what, as]) => [
      `a push after a ${what} of a scanned pull request uses no credits`,
      { ...merged(as, 'start'), ends: summarizes('same files as in') },
    ],
  ),
  'a push uses no credits if a merge group with the same head was scanned': {
    head: 'merged',
    baseRef: 'stable',
    earlier: [
      anEarlierRun({}, {}, ({ scenario }) => mergeGroup(scenario, { base: 'start', branch: 'stable' })),
    ],
    event: pushOn('start'),
  },
  'a push is scanned if its base differs from the base of the earlier scan': {
    ...merged('amended', 'behind'),
  },
  'a push is scanned if the GitHub token may not read pull requests': {
    ...merged('amended', 'start'),
    meanwhile: [denyPullRequests],
  },
});
