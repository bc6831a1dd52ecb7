import { expect } from 'vitest';
import { hiddenLines } from '../../src/github/comment-marker.ts';
import { push } from './branch-events.ts';
import { failing, forbidden, launches, marks, missing, refusing, works } from './effects.ts';
import { readsScans, requests } from './ends.ts';
import type { MarkOptions, OtherJobs } from './other-jobs.ts';
import type { Head } from './repository.ts';
import { pushOf } from './reuse.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

const LISTS = 'check.list';
const ENDED = { runsForMs: 0 } as const;
const FAILED = { ...ENDED, endsAs: 'FAILED' } as const;
const EARLIER = works('earlier', ENDED);
const at = (launchedAt: number, more: MarkOptions['mark'] = {}): MarkOptions => ({
  mark: { launchedAt, ...more },
});

/** A mark for a scan of this change in a comment of the gate, or of another account. */
const inComment =
  (
    scanId: string,
    options: MarkOptions & { readonly by?: string; readonly about?: Head; readonly checkName?: string } = {},
  ): Act =>
  (jobs) => {
    const { environment, headSha, repository } = jobs.scenario;
    const { by, about, checkName = 'Security scan' } = options;
    const marker = { checkName, headSha: about ? repository.id(about) : headSha, runId: 6, runAttempt: 1 };
    const body = `${hiddenLines(marker, scanId === '' ? '' : jobs.markText(scanId, options))}\n## Passed`;
    environment.github.addComment(
      by ? { author: by, type: 'User', body } : { author: 'github-actions[bot]', type: 'Bot', body },
    );
  };
/** A mark in a check run on another head, for a scan of that head. */
const onHead =
  (head: Head, scanId: string): Act =>
  async (jobs, asked) => {
    const headSha = jobs.scenario.repository.id(head);
    return marks(scanId, { headSha, mark: { headSha }, key: { headSha } })(jobs, asked);
  };
/** The heads whose check runs the run has listed before it reads or launches a scan, in any order. */
const searches =
  (...heads: readonly Head[]): End =>
  ({ run, repository }, jobs) => {
    const sent = jobs.sent(`${LISTS}|scans.read|scans.launch`);
    const first = sent.findIndex(({ point }) => point !== LISTS);
    const listed = sent.slice(0, first).map(({ path }) => /commits\/(\w+)/.exec(path)?.[1]);
    expect([...new Set(listed)].toSorted(), run.log).toEqual(heads.map(repository.id).toSorted());
  };
const readsNoComments: End = (_result, jobs) =>
  expect(jobs.sent('comments.list|scans.launch')[0]).toMatchObject({ point: 'scans.launch' });
/** True if this request lists the check runs of the head. */
const isOfHead = ({ scenario }: OtherJobs, path: string) => path.includes(scenario.headSha);
const opened = { event: { action: 'opened' } };
const reopened = { event: { action: 'reopened' } };
/** The run is for a push of this head, which the head `low` was before. */
const afterLow = { event: pushOf('vulnerable', 'low') };
const OWN = { inputs: { 'reuse-scan': 'false' } };
const NO_GRAPHQL = { at: { graphql: failing } };
const SCANS = { scans: {} };
const RERUN = { ...SCANS, attempt: 2 };

testScans('mark-search', SCANS, {
  'a run for a new head reads only the check runs of that head': {
    ...opened,
    ...NO_GRAPHQL,
    ends: [searches('vulnerable'), readsNoComments],
  },
  'a run for a new head uses the mark in a comment if it may not read check runs': {
    ...opened,
    earlier: [
      launches('earlier', ENDED),
      launches('other', ENDED),
      inComment('earlier'),
      inComment('other', { by: 'mona', ...at(1_790_000_009) }),
      inComment('other', { checkName: 'Another scan', ...at(1_790_000_009) }),
    ],
    at: { [LISTS]: forbidden },
  },
  'a run reads the check runs of one older head if the comments name several': {
    earlier: [inComment('', { about: 'medium' }), inComment('', { about: 'low' }), inComment('')],
    ...reopened,
    ends: searches('vulnerable', 'low'),
  },
  'a run reads the check runs of an older head that a mark in a comment names': {
    earlier: [
      (jobs, asked) =>
        inComment('older', { mark: { headSha: jobs.scenario.repository.id('low') } })(jobs, asked),
    ],
    ...reopened,
    ends: searches('vulnerable', 'low'),
  },
  'a run uses the mark on its head if it may not read the check runs of the previous head': {
    earlier: EARLIER,
    ...afterLow,
    at: {
      graphql: failing,
      [LISTS]: (jobs, { path }) => (path.includes('filter') && !isOfHead(jobs, path) ? forbidden : undefined),
    },
    ends: searches('vulnerable', 'low'),
  },
  'a run takes the marks of the previous head from its first read of the pull request': {
    earlier: [onHead('low', 'older')],
    ...afterLow,
    ends: searches('vulnerable'),
  },
  'a run reads the check runs of the previous head if its first read does not show them': {
    earlier: [onHead('low', 'older')],
    ...afterLow,
    ...NO_GRAPHQL,
    ends: searches('vulnerable', 'low'),
  },
  ...rowsFor([{}, NO_GRAPHQL], (more) => [
    `a run does not use a copy of its mark on the previous head (first read: ${'at' in more ? 'REST' : 'GraphQL'})`,
    {
      earlier: [
        launches('earlier', ENDED),
        (jobs, asked) => marks('earlier', { headSha: jobs.scenario.repository.id('low') })(jobs, asked),
      ],
      ...afterLow,
      ...more,
      ends: readsScans(),
    },
  ]),
  'a run reads no check runs with `reuse-scan: false`': {
    earlier: [marks('earlier')],
    ...opened,
    ...OWN,
    ends: searches(),
  },
  'a run reads the check runs of the previous head with `reuse-scan: false`': {
    ...afterLow,
    ...NO_GRAPHQL,
    ...OWN,
    ends: searches('low'),
  },
});

testScans('mark-search', RERUN, {
  'a run tries the scans of check runs and comments in the order of their launches': {
    earlier: [
      launches('third', FAILED),
      launches('first', FAILED),
      launches('second', FAILED),
      launches('fourth', FAILED),
      marks('second', at(1_790_000_003)),
      marks('fourth', at(1_790_000_001)),
      inComment('third', at(1_790_000_002)),
      inComment('first', at(1_790_000_004)),
    ],
  },
  'a run ignores the mark in a comment if the gate writes no comments': {
    earlier: [launches('earlier', ENDED), inComment('earlier')],
    inputs: { comment: 'never' },
    ends: readsScans(),
  },
  'a re-run reads the comments separately if its first read does not show them': {
    earlier: [launches('earlier', ENDED), inComment('earlier')],
    ...NO_GRAPHQL,
  },
  'a re-run reads the check runs of its head with `reuse-scan: false`': {
    earlier: EARLIER,
    ...OWN,
    ends: [searches('vulnerable'), readsScans()],
  },
  'a re-run lists the check runs of its name if GitHub cannot list all': {
    earlier: EARLIER,
    at: { [LISTS]: (_jobs, { path }) => (path.includes('check_name') ? undefined : failing) },
  },
  ...rowsFor(
    [
      [
        'launches nothing if the list of check runs is malformed',
        { status: 200, body: { check_runs: [{}] } },
      ],
      [
        'launches nothing if the list of check runs has a rate limit',
        refusing(429, 'no', { 'retry-after': '600' }),
      ],
      ['launches a scan if the list of check runs refuses the token', refusing(401)],
      ['launches a scan if the list of check runs does not exist', missing],
    ],
    ([what, answer]) => [`a re-run ${what}`, { at: { [LISTS]: answer } }],
  ),
  'a re-run with `reuse-scan: false` does not warn': { ...OWN, at: { [LISTS]: failing } },
});

// A run that cannot list the check runs of its head.
const UNLISTED = { ...SCANS, at: { [LISTS]: failing } };
/** The run for a push to a branch. */
const afterStart = ({ scenario }: OtherJobs) => push(scenario, { before: scenario.repository.id('start') });
testScans('mark-search', UNLISTED, {
  'a run for a new head launches a scan, and does not warn': opened,
  'a run for a new head warns if it cannot read the comments either': {
    ...opened,
    at: { [LISTS]: failing, 'graphql|comments.list': failing },
  },
  'a run for a new base launches a scan, and warns': {
    event: { action: 'edited', changes: { base: { ref: { from: 'stable' } } } },
  },
  'the first run for a push launches a scan, and does not warn': { event: afterStart },
});

/** GitHub shows these heads of merged pull requests. */
const merged =
  (...heads: readonly Head[]): Act =>
  ({ scenario: { repository } }) => ({
    status: 200,
    body: heads.map((head) => ({ head: { sha: repository.id(head) }, merge_commit_sha: null })),
  });
const OF_PUSH = { ...SCANS, event: afterStart };
testScans('mark-search', OF_PUSH, {
  'a run for a push reads the check runs of two merged pull requests': {
    at: { 'commit.pulls': merged('vulnerable', 'low', 'medium', 'clean') },
    ends: searches('vulnerable', 'low', 'medium'),
  },
  'a run for a push may not read the check runs of a merged pull request': {
    earlier: works('earlier', ENDED, { key: { pullRequest: undefined } }),
    at: {
      'commit.pulls': merged('low'),
      [LISTS]: (jobs, { path }) => (isOfHead(jobs, path) ? undefined : forbidden),
    },
    ends: searches('vulnerable', 'low'),
  },
  'a run for a push launches a scan if it may not read merged pull requests': {
    at: { 'commit.pulls': forbidden },
    ends: searches('vulnerable'),
  },
  'a run for a push reads no merged pull requests with `reuse-scan: false`': {
    ...OWN,
    ends: [searches(), requests('commit.pulls', 0)],
  },
});

/** An earlier attempt of the run has left two check runs in progress. The run ends before it looks for marks. */
const left = (scanId: string, launchedAt: number) =>
  marks(scanId, at(launchedAt, { runId: 9_000_000_001, runAttempt: 1 }));
const LEFT = {
  ...RERUN,
  earlier: [left('older', 1_790_000_000), left('newer', 1_790_000_005)],
  inputs: { preset: 'missing' },
};
testScans('mark-search', LEFT, {
  'a re-run completes the newest check run that an earlier attempt left in progress': {},
  'a re-run creates a check run if it may not list check runs': { at: { [LISTS]: forbidden } },
  'a re-run with a wrong input completes the check run of an earlier attempt': {
    inputs: { 'base-url': 'none' },
  },
  'a first attempt with a wrong input looks for no check run': {
    inputs: { 'base-url': 'none' },
    attempt: 1,
    ends: requests(LISTS, 0),
  },
  'a re-run without a token looks for no check run, because it can prove no mark': {
    inputs: { 'api-token': '' },
    ends: requests(LISTS, 0),
  },
});
