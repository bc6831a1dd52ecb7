import { describe } from 'vitest';
import { fullScan, mergeGroup, NO_COMMIT, push } from './branch-events.ts';
import { failing, forbidden, hanging, refusing } from './effects.ts';
import { base, endedAs, exits, notScanned, omits, paid, passed, requests, says } from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type RunRow, testRuns } from './run-rows.ts';
import type { Timeline } from './timeline.ts';

const CLEAN = { head: 'clean', driver: 'in process' } as const;
const CROSSED = { head: 'crossed', driver: 'in process' } as const;
const notFound = refusing(404, 'Not Found');
const NO_COMPARISON = { compare: failing } as const;
const NO_ANSWER = { compare: failing, git: failing } as const;
const FULL_SCAN = 'full scan once by workflow_dispatch';

const refused = (reason: string, ...texts: readonly string[]) => notScanned(reason, { launches: 0, texts });
/** A refusal of the comparison by GitHub, and the fix. */
const REFUSALS = [
  [401, refusing(401), 'Check github-token'],
  [403, forbidden, 'Add contents: read'],
] as const;

describe('the base of a pull request', () => {
  testRuns([
    {
      name: 'without an answer of GitHub, a run fails if there are several merge bases',
      ...CROSSED,
      baseRef: 'crossing',
      at: NO_COMPARISON,
      ends: refused('service-error', 'several merge bases', 'merge the base branch'),
    },
    {
      name: 'without an answer of GitHub, a run finds that there is no common ancestor',
      ...CLEAN,
      head: 'unrelated',
      at: NO_COMPARISON,
      ends: refused('configuration', 'have no common ancestor', 'Rebase the pull request'),
    },
    {
      name: 'a run that GitHub asks to wait for the head compares four times, and then reports a wrong setup',
      ...CLEAN,
      at: { compare: notFound },
      ends: [refused('configuration', 'A force push may have replaced it.'), requests('compare', 4)],
    },
    ...REFUSALS.map(([status, answer, fix]) => ({
      name: `a run reports a wrong setup if GitHub refuses the comparison with ${status}, and git fails`,
      ...CLEAN,
      at: { compare: answer, git: forbidden },
      ends: refused('configuration', fix),
    })),
    {
      name: 'a run that times out while it computes the base launches nothing',
      ...CLEAN,
      at: { compare: hanging },
      inputs: { 'timeout-minutes': '1', ...EVERYTHING_ALLOWED },
      ends: [endedAs('timeout'), exits(0), paid(0)],
    },
  ]);
});

describe('a base that the workflow gives', () => {
  const rows: readonly (readonly [what: string, commit: string, at: Timeline, ends: RunRow['ends']])[] = [
    ['uses a base that shares no history with the head', 'unrelated', {}, [passed, base('unrelated')]],
    [
      'uses a base that shares no history with the head, by git',
      'unrelated',
      NO_COMPARISON,
      [passed, base('unrelated')],
    ],
    ['uses a base with several merge bases, by git', 'crossing', NO_COMPARISON, [passed, base('crossing')]],
    ['uses a base that the head contains, by git', 'start', NO_COMPARISON, [passed, base('start')]],
    [
      'refuses a base that contains the head, by git',
      'around',
      NO_COMPARISON,
      refused('configuration', 'equals or contains the head'),
    ],
    ...REFUSALS.map(
      ([status, answer, fix]) =>
        [
          `reports a wrong setup if GitHub refuses the comparison with ${status}`,
          'start',
          { compare: answer, git: forbidden },
          refused('configuration', fix),
        ] as const,
    ),
    [
      'launches nothing if it times out while it checks the base',
      'start',
      { compare: hanging },
      [endedAs('timeout'), paid(0)],
    ],
  ];
  testRuns(
    rows.map(([what, commit, at, ends]) => ({
      name: `a run ${what}`,
      ...CROSSED,
      at,
      inputs: ({ repository }: OtherJobs['scenario']) => ({
        'base-commit': repository.id(commit),
        'timeout-minutes': '1',
      }),
      ends,
    })),
  );
  testRuns([
    {
      name: 'a full scan refuses a base that the workflow gives',
      ...CLEAN,
      event: ({ scenario }) => fullScan(scenario, 'schedule'),
      inputs: ({ repository }) => ({ 'base-commit': repository.id('start'), preset: 'full-audit' }),
      ends: refused('configuration', 'scans all files', 'Remove the base'),
    },
  ]);
});

describe('the base of a push', () => {
  const pushes =
    (before: string, branch = 'stable') =>
    ({ scenario }: OtherJobs) =>
      push(scenario, { branch, before: before === NO_COMMIT ? before : scenario.repository.id(before) });
  const NEW_BRANCH = pushes(NO_COMMIT, 'topic');
  const unknownBefore = ({ scenario }: OtherJobs) => push(scenario, { before: 'f'.repeat(40) });
  testRuns([
    {
      name: 'without an answer of GitHub, a run fails if a push has several merge bases',
      ...CROSSED,
      event: pushes('crossing'),
      at: NO_COMPARISON,
      ends: refused(
        'service-error',
        'The pushed commit and the commit before it have several merge bases',
        'Re-run this job later.',
      ),
    },
    {
      name: 'a run for a push fails if neither GitHub nor git answers, and does not ask for the head twice',
      ...CLEAN,
      event: pushes('start'),
      at: NO_ANSWER,
      ends: [refused('service-error', 'Could not compute the merge base'), requests('commit', 1)],
    },
    {
      name: 'a run does not guess the base of a new branch if the default branch is missing',
      ...CLEAN,
      event: NEW_BRANCH,
      at: { ref: notFound },
      ends: refused('configuration', '"main"', 'contents: read', FULL_SCAN),
    },
    {
      name: 'a run reports a wrong setup if GitHub shows neither the head nor the commit before the push',
      ...CLEAN,
      event: unknownBefore,
      at: { commit: notFound },
      ends: refused('configuration', 'does not know the commit'),
    },
    {
      name: 'a run for a new branch without a common ancestor names the default branch',
      ...CLEAN,
      head: 'unrelated',
      event: NEW_BRANCH,
      ends: refused('configuration', 'The pushed commit and the default branch have no common ancestor.'),
    },
    {
      name: 'a run for a new branch reports a wrong setup if GitHub cannot find its commits',
      ...CLEAN,
      event: NEW_BRANCH,
      at: { compare: notFound },
      ends: [refused('configuration', 'does not know the commit'), requests('commit', 1)],
    },
    {
      name: 'a run for a new branch uses git if the tip of the default branch cannot be read',
      ...CLEAN,
      event: NEW_BRANCH,
      at: { ref: refusing(422) },
      ends: [passed, base('start'), says('merge base, from git')],
    },
    ...REFUSALS.flatMap(([status, answer, fix]) => [
      {
        name: `a run for a new branch reports a wrong setup if GitHub answers ${status}, and git fails`,
        ...CLEAN,
        event: NEW_BRANCH,
        at: { ref: answer, git: forbidden },
        ends: refused('configuration', fix),
      },
      {
        name: `a run for a push reports a wrong setup if GitHub refuses the comparison with ${status}`,
        ...CLEAN,
        event: pushes('start'),
        at: { compare: answer, git: forbidden },
        ends: refused('configuration', fix),
      },
    ]),
    {
      name: 'the first push of the default branch is scanned from the base that the workflow gives',
      ...CLEAN,
      event: pushes(NO_COMMIT, 'main'),
      inputs: ({ repository }) => ({ 'base-commit': repository.id('start') }),
      ends: [passed, base('start')],
    },
  ]);
});

describe('the base of a merge group', () => {
  const queue = (grouping: 'ALLGREEN' | 'HEADGREEN') => ({
    github: { mergeQueues: { main: { rules: [grouping], mergingStrategy: grouping } } },
  });
  const SECOND = {
    head: 'entry 2',
    driver: 'in process',
    event: ({ scenario }: OtherJobs) => mergeGroup(scenario, { base: 'entry 1' }),
  } as const;
  const INCLUDES = 'includes the entries ahead of it';
  testRuns([
    {
      name: 'with ALLGREEN, a merge group is measured from the commit that the group is built on',
      ...SECOND,
      ...queue('ALLGREEN'),
      ends: [passed, base('entry 1'), omits(INCLUDES), requests('ref', 0)],
    },
    {
      name: 'the base of a merge group is computed by git if GitHub does not show the tip',
      ...SECOND,
      at: { ref: forbidden },
      ends: [base('moved on'), says(INCLUDES, 'merge base, from git')],
    },
    {
      name: 'a run for a merge group without a base does not say what the change includes',
      ...SECOND,
      at: { ref: forbidden, git: forbidden },
      ends: [endedAs('configuration'), omits(INCLUDES)],
    },
    {
      name: 'a run for a merge group fails if the base branch was deleted',
      ...SECOND,
      ...queue('HEADGREEN'),
      at: { ref: notFound },
      ends: refused('configuration', '"main"', 'choose another base branch'),
    },
  ]);
});
