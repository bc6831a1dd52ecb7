import { mergeGroup, push } from './branch-events.ts';
import {
  anEarlierRun,
  changes,
  close,
  forbidden,
  pushes,
  refusing,
  showing,
  unavailable,
} from './effects.ts';
import { requests, summarizes } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import type { OtherJobs } from './other-jobs.ts';
import { GUIDANCE_FILE, type Head } from './repository.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

const INPUTS = { 'paths-unscanned': 'docs/**\n**/*.md' };
const DOCUMENTS = { head: 'documents', inputs: INPUTS } as const;
const ON_STABLE = {
  baseRef: 'stable',
  event: ({ scenario }: OtherJobs) => mergeGroup(scenario, { base: 'start', branch: 'stable' }),
};
const CUT = { status: 200, body: { sha: 'x', tree: [], truncated: true } };

testScans('paths-unscanned', DOCUMENTS, {
  'a run for documents passes without a scan, and the check run is neutral': {
    inputs: { ...INPUTS, comment: 'always' },
    // The action reads five folders: the root, `docs` and `docs/guide` of the head, the root of the base, and the root
    // of the base branch's tip. The base has no `docs`.
    ends: [summarizes('Passing because the workflow sets'), requests('tree', 5)],
  },
  'a run for documents passes even if the service is down': {
    at: { 'token|repositories|presets|scans.list': unavailable },
  },
  'a merge group that touches only documents is not scanned': ON_STABLE,
  'a push that touches only documents is scanned': {
    baseRef: 'stable',
    event: ({ scenario }) => push(scenario, { before: scenario.repository.id('start') }),
    ends: requests('tree', 0),
  },
  'a run for documents does not use the scan of an earlier run': { earlier: [anEarlierRun()], attempt: 2 },
  'a run for documents fails if an input is wrong': {
    inputs: { ...INPUTS, ...EVERYTHING_ALLOWED, 'fail-on': 'nothing' },
  },
  ...rowsFor(
    [
      ['another head', pushes('low')],
      ['another base branch', changes({ baseRef: 'older' })],
      ['no open pull request', close],
    ],
    ([what, change]) => [
      `a change in documents does not pass if GitHub shows ${what} at the end of the run`,
      { at: { 'tree 1': change } },
    ],
  ),
  ...rowsFor(
    [
      ['status 403', forbidden],
      ['status 500', refusing(500, 'Server Error')],
      ['a list that is cut', CUT],
      ['a body that is cut', { fault: 'cut-body' }],
    ],
    ([what, answer]) => [
      `the input \`paths-unscanned\` does not apply if the files of the change cannot be read (${what})`,
      { at: { tree: answer } },
    ],
  ),
  'the input `paths-unscanned` does not apply to a file of an unknown mode': {
    at: { tree: showing([/"100644"/g, '"100600"']) },
  },
  'the input `paths-unscanned` does not apply if the workflow sets the base': {
    inputs: ({ repository }) => ({ ...INPUTS, 'base-commit': repository.id('start') }),
  },
  'the input `paths-unscanned` does not apply to a merge group that touches code': {
    ...ON_STABLE,
    head: 'documents and code',
  },
});

/** The answer to a read of the files of the base branch. */
const atTip =
  (answer: ReturnType<typeof refusing>): Act =>
  ({ scenario: { repository } }, { path }) =>
    path.includes(repository.id('other docs')) ? answer : undefined;
/** The base branch has changed since the merge base. */
const ELSEWHERE = {
  head: 'edits docs',
  baseRef: 'elsewhere',
  inputs: { 'paths-unscanned': 'docs/**' },
} as const;
testScans('paths-unscanned', ELSEWHERE, {
  ...rowsFor(['edits docs', 'adds to docs'], (head) => [
    `a head that ${head} is not scanned if the base branch has only added another file to docs`,
    { head },
  ]),
  ...rowsFor(['edits docs', 'adds to docs'], (head) => [
    `a head that ${head} is scanned if the base branch has moved a file out of docs`,
    { head, baseRef: 'relocated' },
  ]),
  ...rowsFor(
    [
      ['status 403', forbidden],
      ['a list that is cut', CUT],
    ],
    ([what, answer]) => [
      `a change in docs is scanned if the files of the base branch cannot be read (${what})`,
      { at: { tree: atTip(answer) } },
    ],
  ),
});

const SCANNED: readonly (readonly [head: Head, baseRef?: string])[] = [
  ['documents and code'],
  ['301 documents'],
  ['moved out of docs', 'documented'],
  ['docs submodule'],
  ['docs symlink'],
  ['docs workflow'],
  ['changes guidance', 'guided'],
];
testScans('paths-unscanned', {
  ...rowsFor(SCANNED, ([head, baseRef = 'main']) => [
    `the input \`paths-unscanned\` does not apply to the head "${head}"`,
    {
      head,
      baseRef,
      inputs: {
        'paths-unscanned': 'docs/**\n**/*.md\n.github/**',
        ...(baseRef === 'guided' && { 'guidance-file': GUIDANCE_FILE }),
      },
    },
  ]),
});
