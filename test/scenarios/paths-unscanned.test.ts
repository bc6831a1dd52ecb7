import { describe } from 'vitest';
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
import { base, notScanned, outputs, paid, passed, requests, says, showsPassed, summarizes } from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { GUIDANCE_FILE, type Head } from './repository.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const INPUTS = { 'paths-unscanned': 'docs/**\n**/*.md' };
const DOCUMENTS = { head: 'documents', inputs: INPUTS } as const;
const ALL_MATCH = 'All 2 changed files match paths-unscanned: README.md, docs/guide/start.md.';
/** The run passes without a scan. Every output shows these texts. */
const unscanned = (...texts: readonly string[]): End =>
  notScanned('paths', { allowed: true, launches: 0, texts });
/** The run scans the change, and says why the input does not apply. */
const scannedBecause = (why: string): readonly End[] => [
  outputs({ reason: '' }),
  says('`paths-unscanned` does not apply', why),
  paid(1),
];
const onStable = ({ scenario }: OtherJobs) => mergeGroup(scenario, { base: 'start', branch: 'stable' });
const CUT = { status: 200, body: { sha: 'x', tree: [], truncated: true } };

describe('a change that touches only documents', () => {
  testRuns([
    {
      name: 'the run passes without a scan, and the check run is neutral',
      ...DOCUMENTS,
      inputs: { ...INPUTS, comment: 'always' },
      ends: [
        unscanned(ALL_MATCH),
        summarizes(
          'Not scanned (allowed): only files that need no scan',
          'Passing because the workflow sets',
        ),
        // The action reads five folders: the root, `docs` and `docs/guide` of the head, the root of the base, and the
        // root of the base branch's tip. The base has no `docs`.
        requests('tree', 5),
        base('start'),
      ],
    },
    {
      name: 'the run passes even if the service is down',
      ...DOCUMENTS,
      at: { 'token|repositories|presets|scans.list': unavailable },
      ends: unscanned(ALL_MATCH),
    },
    {
      name: 'a merge group that touches only documents is not scanned',
      ...DOCUMENTS,
      baseRef: 'stable',
      event: onStable,
      ends: unscanned(ALL_MATCH),
    },
    {
      name: 'a push that touches only documents is scanned',
      ...DOCUMENTS,
      baseRef: 'stable',
      event: ({ scenario }) => push(scenario, { before: scenario.repository.id('start') }),
      ends: [passed, paid(1), requests('tree', 0)],
    },
    {
      name: 'the run does not use the scan of an earlier run',
      ...DOCUMENTS,
      earlier: [anEarlierRun()],
      attempt: 2,
      ends: [outputs({ outcome: 'not-scanned', reason: 'paths', 'scan-id': '' }), paid(1)],
    },
    {
      name: 'the run fails if an input is wrong',
      ...DOCUMENTS,
      inputs: { ...INPUTS, ...EVERYTHING_ALLOWED, 'fail-on': 'nothing' },
      ends: notScanned('configuration', { launches: 0, texts: ['fail-on'] }),
    },
    ...(
      [
        ['another head', pushes('low'), 'superseded', 'now has another head commit'],
        ['another base branch', changes({ baseRef: 'older' }), 'superseded', 'now has another base branch'],
        ['no open pull request', close, 'unsupported-event', 'is closed'],
      ] as const
    ).map(([what, change, reason, text]) => ({
      name: `a change in documents does not pass if GitHub shows ${what} at the end of the run`,
      ...DOCUMENTS,
      at: { 'tree 1': change },
      ends: notScanned(reason, { launches: 0, texts: [text] }),
    })),
  ]);
});

describe('a base branch that changed since the merge base', () => {
  const inputs = { 'paths-unscanned': 'docs/**' };
  /** The answer to a read of the files of the base branch. */
  const atTip =
    (answer: ReturnType<typeof refusing>): Act =>
    ({ scenario: { repository } }, { path }) =>
      path.includes(repository.id('other docs')) ? answer : undefined;
  testRuns([
    ...(['edits docs', 'adds to docs'] as const).flatMap((head) => [
      {
        name: `a head that ${head} is not scanned if the base branch has only added another file to docs`,
        head,
        baseRef: 'elsewhere',
        inputs,
        ends: unscanned(),
      },
      {
        name: `a head that ${head} is scanned if the base branch has moved a file out of docs`,
        head,
        baseRef: 'relocated',
        inputs,
        ends: scannedBecause('`docs` has changed on the base branch'),
      },
    ]),
    ...(
      [
        ['status 403', forbidden],
        ['a list that is cut', CUT],
      ] as const
    ).map(([what, answer]) => ({
      name: `a change in docs is scanned if the files of the base branch cannot be read (${what})`,
      head: 'edits docs' as const,
      baseRef: 'elsewhere',
      inputs,
      at: { tree: atTip(answer) },
      ends: scannedBecause('the files of the base branch could not be read'),
    })),
  ]);
});

const heads: readonly (readonly [head: Head, why: string, baseRef?: string])[] = [
  ['documents and code', '`src/sum.js` does not match'],
  ['301 documents', 'more than 300 files'],
  ['moved out of docs', '`src/sum.js` does not match', 'documented'],
  ['docs submodule', '`docs/more` is no regular file'],
  ['docs symlink', '`docs/app.md` is no regular file'],
  ['docs workflow', '`.github/workflows/README.md` is always scanned'],
  ['changes guidance', 'is always scanned', 'guided'],
];

describe('a change is scanned', () => {
  testRuns([
    ...heads.map(
      ([head, why, baseRef]): RunRow => ({
        name: `the input \`paths-unscanned\` does not apply to the head "${head}"`,
        head,
        ...(baseRef && { baseRef }),
        inputs: {
          'paths-unscanned': 'docs/**\n**/*.md\n.github/**',
          ...(baseRef === 'guided' && { 'guidance-file': GUIDANCE_FILE }),
        },
        ends: scannedBecause(why),
      }),
    ),
    {
      name: 'the input `paths-unscanned` does not apply to a merge group that touches code',
      head: 'documents and code',
      baseRef: 'stable',
      event: onStable,
      inputs: INPUTS,
      ends: paid(1),
    },
    ...(
      [
        ['status 403', forbidden],
        ['status 500', refusing(500, 'Server Error')],
        ['a list that is cut', CUT],
        ['a body that is cut', { fault: 'cut-body' }],
      ] as const
    ).map(([what, answer]) => ({
      name: `the input \`paths-unscanned\` does not apply if the files of the change cannot be read (${what})`,
      ...DOCUMENTS,
      at: { tree: answer },
      ends: showsPassed('Could not read which files changed, so paths-unscanned does not apply.'),
    })),
    {
      name: 'the input `paths-unscanned` does not apply to a file of an unknown mode',
      ...DOCUMENTS,
      at: { tree: showing([/"100644"/g, '"100600"']) },
      ends: scannedBecause('is no regular file'),
    },
    {
      name: 'the input `paths-unscanned` does not apply if the workflow sets the base',
      head: 'documents',
      inputs: ({ repository }) => ({ ...INPUTS, 'base-commit': repository.id('start') }),
      ends: scannedBecause('the workflow sets the base'),
    },
  ]);
});
