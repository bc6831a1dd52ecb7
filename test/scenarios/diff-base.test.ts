import { expect, onTestFinished, test } from 'vitest';
import { fullScan, mergeGroup, NO_COMMIT, push } from './branch-events.ts';
import {
  anEarlierRun,
  changes,
  failing,
  forbidden,
  hanging,
  missing,
  refusing,
  withoutBase,
} from './effects.ts';
import { requests } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import type { OtherJobs } from './other-jobs.ts';
import { createRepository, type Head, MERGE_BASE } from './repository.ts';
import { bothWays, rowsFor, testScans } from './scan-rows.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';

const CLEAN = { head: 'clean', driver: 'in process' } as const;
const CROSSED = { head: 'crossed', driver: 'in process' } as const;
const NO_COMPARISON = { compare: failing };
const NO_ANSWER = { compare: failing, git: failing };
/** Refusals of the comparison by GitHub. */
const REFUSALS = [
  [401, refusing(401)],
  [403, forbidden],
] as const;

// The base of a pull request.
testScans('diff-base', CLEAN, {
  'a change without a common ancestor is a configuration error': {
    head: 'unrelated',
    ends: requests('compare', 1),
  },
  'without an answer of GitHub, a run finds that there is no common ancestor': {
    head: 'unrelated',
    at: NO_COMPARISON,
  },
  'without an answer of GitHub, a run fails if there are several merge bases': {
    head: 'crossed',
    baseRef: 'crossing',
    at: NO_COMPARISON,
  },
  'a run computes the merge base with the current tip of the base branch': {
    event: ({ scenario: { environment, repository } }) => ({
      event: {
        name: 'pull_request',
        payload: environment.pullRequestPayload({ baseSha: repository.id('behind') }),
      },
    }),
  },
  'a run repeats a comparison if GitHub does not know the head yet': { at: { 'compare 1-3': missing } },
  'a run that GitHub asks to wait for the head compares four times, and then reports a wrong setup': {
    at: { compare: missing },
    ends: requests('compare', 4),
  },
  'if GitHub cannot compare commits, git computes the same merge base': { at: NO_COMPARISON },
  ...bothWays('service-error', [NO_ANSWER], (at) => [
    'a run does not guess the merge base if GitHub and git both fail',
    { at },
  ]),
  ...rowsFor(REFUSALS, ([status, answer]) => [
    `a run reports a wrong setup if GitHub refuses the comparison with ${status}, and git fails`,
    { at: { compare: answer, git: forbidden } },
  ]),
  'a run that times out while it computes the base launches nothing': {
    at: { compare: hanging },
    inputs: { 'timeout-minutes': '1', ...EVERYTHING_ALLOWED },
  },
  'a run does not reuse an earlier scan if the base branch is missing': {
    earlier: [anEarlierRun(), changes({ baseRef: 'older' })],
    at: { graphql: withoutBase },
    attempt: 2,
  },
});

test('a run uses the base branch even if a tag has the same name', async () => {
  const ownRepository = await createRepository();
  onTestFinished(ownRepository.remove);
  await ownRepository.git('tag', 'main', ownRepository.id('clean'));
  const result = await runPrepared(await prepare({ head: 'clean', baseRef: 'main', ownRepository }));
  const found = { outcome: 'passed', 'base-commit': ownRepository.id(MERGE_BASE) };
  expect(result.run.outputs, result.run.log).toMatchObject(found);
});

/** Inputs by which the workflow gives this base. */
const byInput =
  (commit: string) =>
  ({ repository }: Scenario) => ({ 'base-commit': repository.id(commit), 'timeout-minutes': '1' });
const byParameters =
  (commit: string) =>
  ({ repository }: Scenario) => ({
    'launch-parameters': JSON.stringify({ baseCommit: repository.id(commit) }),
  });

// A base that the workflow gives.
testScans('diff-base', CROSSED, {
  'a run uses a base in upper case, and asks for one comparison': {
    inputs: ({ repository }) => ({ 'base-commit': repository.id('behind').toUpperCase() }),
    ends: requests('compare', 1),
  },
  'a run uses a base that shares no history with the head': { inputs: byInput('unrelated') },
  ...rowsFor(['unrelated', 'crossing', 'start', 'around'], (commit) => [
    `if GitHub cannot compare commits, git checks the base that the workflow gives: ${commit}`,
    { at: NO_COMPARISON, inputs: byInput(commit) },
  ]),
  ...rowsFor(
    [
      ['`base-commit`', 'vulnerable', byInput],
      ['`base-commit`', 'test merge', byInput],
      ['`launch-parameters`', 'vulnerable', byParameters],
      ['`launch-parameters`', 'test merge', byParameters],
    ],
    ([input, commit, inputs]) => [
      `the commit "${commit}" as the base of the head "vulnerable" in ${input} is a configuration error`,
      { head: 'vulnerable', inputs: inputs(commit) },
    ],
  ),
  'a base that equals the head is a configuration error, without any comparison': {
    head: 'vulnerable',
    inputs: byInput('vulnerable'),
    ends: requests('compare', 0),
  },
  'a base that the workflow gives is a configuration error if the service finds no change from that base': {
    head: 'reverted',
    inputs: byInput('start'),
  },
  'a base that the workflow gives is a configuration error if GitHub does not know that commit': {
    inputs: { 'base-commit': 'd'.repeat(40) },
  },
  'a run launches no scan if it cannot check the base that the workflow gives': {
    at: NO_ANSWER,
    inputs: byInput('start'),
  },
  ...rowsFor(REFUSALS, ([status, answer]) => [
    `a run reports a wrong setup if GitHub refuses the comparison with the base that the workflow gives: ${status}`,
    { at: { compare: answer, git: forbidden }, inputs: byInput('start') },
  ]),
  'a run launches nothing if it times out while it checks the base': {
    at: { compare: hanging },
    inputs: byInput('start'),
  },
  'a full scan refuses a base that the workflow gives': {
    event: ({ scenario }) => fullScan(scenario, 'schedule'),
    inputs: ({ repository }) => ({ 'base-commit': repository.id('start'), preset: 'full-audit' }),
  },
});

const pushes =
  (before: Head | 'crossing', branch = 'stable') =>
  ({ scenario }: OtherJobs) =>
    push(scenario, { branch, before: scenario.repository.id(before) });
const firstPush =
  (branch: string) =>
  ({ scenario }: OtherJobs) =>
    push(scenario, { branch, before: NO_COMMIT });
const NEW_BRANCH = firstPush('topic');
testScans('diff-base', CLEAN, {
  'without an answer of GitHub, a run fails if a push has several merge bases': {
    head: 'crossed',
    event: pushes('crossing'),
    at: NO_COMPARISON,
  },
  'a run for a push fails if neither GitHub nor git answers, and does not ask for the head twice': {
    event: pushes('start'),
    at: NO_ANSWER,
    ends: requests('commit', 1),
  },
  'a run does not guess the base of a new branch if the default branch is missing': {
    event: NEW_BRANCH,
    at: { ref: missing },
  },
  'a run reports a wrong setup if GitHub shows neither the head nor the commit before the push': {
    event: ({ scenario }) => push(scenario, { before: 'f'.repeat(40) }),
    at: { commit: missing },
  },
  'a run for a new branch without a common ancestor names the default branch': {
    head: 'unrelated',
    event: NEW_BRANCH,
  },
  'git finds that a new branch has no common ancestor, although GitHub refuses to show the default branch': {
    head: 'unrelated',
    event: NEW_BRANCH,
    at: { ref: forbidden },
  },
  'a run for a new branch reports a wrong setup if GitHub cannot find its commits': {
    event: NEW_BRANCH,
    at: { compare: missing },
    ends: requests('commit', 1),
  },
  'a run for a new branch fails if neither GitHub nor git shows the default branch': {
    event: NEW_BRANCH,
    at: { ref: failing, git: failing },
  },
  'a run for a new branch uses git if the tip of the default branch cannot be read': {
    event: NEW_BRANCH,
    at: { ref: refusing(422) },
  },
  ...rowsFor(REFUSALS, ([status, answer]) => [
    `a run for a new branch reports a wrong setup if GitHub answers ${status}, and git fails`,
    { event: NEW_BRANCH, at: { ref: answer, git: forbidden } },
  ]),
  'the first push of the default branch is scanned from the base that the workflow gives': {
    event: firstPush('main'),
    inputs: byInput('start'),
  },
});

const queue = (grouping: 'ALLGREEN' | 'HEADGREEN') => ({
  mergeQueues: { main: { rules: [grouping], mergingStrategy: grouping } },
});
/** The merge group of the second entry of a queue. */
const SECOND = {
  head: 'entry 2',
  driver: 'in process',
  event: ({ scenario }: OtherJobs) => mergeGroup(scenario, { base: 'entry 1' }),
} as const;
testScans('diff-base', SECOND, {
  'with ALLGREEN, a merge group is measured from the commit that the group is built on': {
    github: queue('ALLGREEN'),
    ends: requests('ref', 0),
  },
  'the base of a merge group is computed by git if GitHub does not show the tip': { at: { ref: forbidden } },
  'a run for a merge group without a base does not say what the change includes': {
    at: { ref: forbidden, git: forbidden },
  },
  'a run for a merge group fails if the base branch was deleted': {
    github: queue('HEADGREEN'),
    at: { ref: missing },
  },
  'a run for a merge group fails if the base branch was deleted, and its queue is not known': {
    at: { ref: missing },
  },
});
