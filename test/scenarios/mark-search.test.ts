import { describe, expect } from 'vitest';
import { hiddenLines } from '../../src/github/comment-marker.ts';
import { push } from './branch-events.ts';
import { failing, forbidden, launches, marks, refusing } from './effects.ts';
import { checkRuns, endedAs, exits, paid, requests, uses } from './ends.ts';
import type { MarkOptions, OtherJobs } from './other-jobs.ts';
import type { Head } from './repository.ts';
import { pushed } from './reuse.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const LISTS = 'check.list';
const ENDED = { runsForMs: 0 } as const;
const FAILED = { ...ENDED, endsAs: 'FAILED' } as const;
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
  async (jobs) => {
    const headSha = jobs.scenario.repository.id(head);
    await jobs.mark(scanId, { headSha, mark: { headSha }, key: { headSha } });
  };
const listsOf = (jobs: OtherJobs) => {
  const sent = jobs.sent(`${LISTS}|scans.read|scans.launch`);
  const first = sent.findIndex(({ point }) => point !== LISTS);
  return first < 0 ? sent : sent.slice(0, first);
};
/** The heads whose check runs the run has listed before it reads or launches a scan, in any order. */
const searches =
  (...heads: readonly Head[]): End =>
  ({ run, repository }, jobs) => {
    const listed = listsOf(jobs).map(({ path }) => /commits\/(\w+)/.exec(path)?.[1]);
    expect([...new Set(listed)].toSorted(), run.log).toEqual(heads.map(repository.id).toSorted());
  };
/** The scans that the run has read, in their order, without those of its own. */
const reads =
  (...scanIds: readonly string[]): End =>
  ({ run }, jobs) => {
    const read = jobs.sent('scans.read').map(({ scanId }) => scanId);
    expect([...new Set(read.filter((scanId) => !scanId.startsWith('own-')))], run.log).toEqual(scanIds);
  };
const readsNoComments: End = (_result, jobs) =>
  expect(jobs.sent('comments.list|scans.launch')[0]).toMatchObject({ point: 'scans.launch' });
const RERUN = { attempt: 2 } as const;
const reopened = { event: { action: 'reopened' } } as const;
/** The run is for a push of this head, which the head `low` was before. */
const afterLow: Pick<RunRow, 'event'> = {
  event: ({ scenario }) => pushed(scenario, scenario.repository.id('low'), scenario.headSha),
};
const OWN = uses('own-1', 1);
const WARNING = /Could not look up earlier scans in check runs\. .* may be paid for again\./;
const warns: End = ({ run }) => expect(run.log).toMatch(WARNING);
const quiet: End = ({ run }) => expect(run.log).not.toMatch(WARNING);
const withoutReuse = { inputs: { 'reuse-scan': 'false' } } as const;

describe('where a run looks for marks', () => {
  testRuns([
    {
      name: 'a run tries the scans of check runs and comments in the order of their launches',
      scans: {},
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
      ...RERUN,
      ends: [reads('first', 'second', 'third', 'fourth'), OWN],
    },
    {
      name: 'a run for a new head reads only the check runs of that head',
      scans: {},
      event: { action: 'opened' },
      at: { graphql: failing },
      ends: [searches('vulnerable'), OWN, readsNoComments],
    },
    {
      name: 'a run for a new head uses the mark in a comment if it may not read check runs',
      scans: {},
      event: { action: 'opened' },
      earlier: [
        launches('earlier', ENDED),
        launches('other', ENDED),
        inComment('earlier'),
        inComment('other', { by: 'mona', ...at(1_790_000_009) }),
        inComment('other', { checkName: 'Another scan', ...at(1_790_000_009) }),
      ],
      at: { [LISTS]: forbidden },
      ends: [uses('earlier', 0), quiet],
    },
    {
      name: 'a run ignores the mark in a comment if the gate writes no comments',
      scans: {},
      earlier: [launches('earlier', ENDED), inComment('earlier')],
      ...RERUN,
      inputs: { comment: 'never' },
      ends: [reads(), OWN],
    },
    {
      name: 'a run reads the check runs of one older head if the comments name several',
      scans: {},
      earlier: [inComment('', { about: 'medium' }), inComment('', { about: 'low' }), inComment('')],
      ...reopened,
      ends: [searches('vulnerable', 'low'), OWN],
    },
    {
      name: 'a run reads the check runs of an older head that a mark in a comment names',
      scans: {},
      earlier: [
        (jobs, asked) =>
          inComment('older', { mark: { headSha: jobs.scenario.repository.id('low') } })(jobs, asked),
      ],
      ...reopened,
      ends: [searches('vulnerable', 'low'), OWN],
    },
    {
      name: 'a run uses the mark on its head if it may not read the check runs of the previous head',
      scans: {},
      earlier: [launches('earlier', ENDED), marks('earlier')],
      ...afterLow,
      at: {
        graphql: failing,
        [LISTS]: (_jobs, { path }) =>
          path.includes('filter') && !isOfHead(_jobs, path) ? forbidden : undefined,
      },
      ends: [searches('vulnerable', 'low'), uses('earlier', 0)],
    },
    {
      name: 'a run takes the marks of the previous head from its first read of the pull request',
      scans: {},
      earlier: [onHead('low', 'older')],
      ...afterLow,
      ends: [searches('vulnerable'), OWN],
    },
    {
      name: 'a run reads the check runs of the previous head if its first read does not show them',
      scans: {},
      earlier: [onHead('low', 'older')],
      ...afterLow,
      at: { graphql: failing },
      ends: [searches('vulnerable', 'low'), OWN],
    },
    ...[{}, { graphql: failing }].map((more) => ({
      name: `a run does not use a copy of its mark on the previous head (first read: ${'graphql' in more ? 'REST' : 'GraphQL'})`,
      scans: {},
      earlier: [
        launches('earlier', ENDED),
        async (jobs: OtherJobs) =>
          void (await jobs.mark('earlier', { headSha: jobs.scenario.repository.id('low') })),
      ],
      ...afterLow,
      at: more,
      ends: [reads(), OWN],
    })),
    {
      name: 'a re-run reads the comments separately if its first read does not show them',
      scans: {},
      earlier: [launches('earlier', ENDED), inComment('earlier')],
      ...RERUN,
      at: { graphql: failing },
      ends: uses('earlier', 0),
    },
    {
      name: 'a run reads no check runs with `reuse-scan: false`',
      scans: {},
      earlier: [marks('earlier')],
      event: { action: 'opened' },
      ...withoutReuse,
      ends: [searches(), OWN],
    },
    {
      name: 'a run reads the check runs of the previous head with `reuse-scan: false`',
      scans: {},
      ...afterLow,
      at: { graphql: failing },
      ...withoutReuse,
      ends: [searches('low'), OWN],
    },
    {
      name: 'a re-run reads the check runs of its head with `reuse-scan: false`',
      scans: {},
      earlier: [launches('earlier', ENDED), marks('earlier')],
      ...RERUN,
      ...withoutReuse,
      ends: [searches('vulnerable'), reads(), OWN],
    },
  ]);
});

/** True if this request lists the check runs of the head. */
function isOfHead({ scenario }: OtherJobs, path: string): boolean {
  return path.includes(scenario.headSha);
}

describe('where a run for a push looks for marks', () => {
  const afterStart: Pick<RunRow, 'event'> = {
    event: ({ scenario }) => push(scenario, { before: scenario.repository.id('start') }),
  };
  /** GitHub shows these heads of merged pull requests. */
  const merged =
    (...heads: readonly Head[]): Act =>
    ({ scenario: { repository } }) => ({
      status: 200,
      body: heads.map((head) => ({ head: { sha: repository.id(head) }, merge_commit_sha: null })),
    });
  testRuns([
    {
      name: 'a run for a push reads the check runs of two merged pull requests',
      scans: {},
      ...afterStart,
      at: { 'commit.pulls': merged('vulnerable', 'low', 'medium', 'clean') },
      ends: [searches('vulnerable', 'low', 'medium'), OWN],
    },
    {
      name: 'a run for a push may not read the check runs of a merged pull request',
      scans: {},
      earlier: [launches('earlier', ENDED), marks('earlier', { key: { pullRequest: undefined } })],
      ...afterStart,
      at: {
        'commit.pulls': merged('low'),
        [LISTS]: (jobs, { path }) => (isOfHead(jobs, path) ? undefined : forbidden),
      },
      ends: [searches('vulnerable', 'low'), uses('earlier', 0)],
    },
    {
      name: 'a run for a push launches a scan if it may not read merged pull requests',
      scans: {},
      ...afterStart,
      at: { 'commit.pulls': forbidden },
      ends: [searches('vulnerable'), OWN],
    },
    {
      name: 'a run for a push reads no merged pull requests with `reuse-scan: false`',
      scans: {},
      ...afterStart,
      ...withoutReuse,
      ends: [searches(), requests('commit.pulls', 0), OWN],
    },
  ]);
});

describe('a run that cannot list the check runs of its head', () => {
  const ends = { launches: [OWN, warns], nothing: [endedAs('service-error'), exits(1), paid(0), warns] };
  const malformed = { status: 200, body: { check_runs: [{}] } };
  testRuns([
    {
      name: 'a re-run lists the check runs of its name if GitHub cannot list all',
      scans: {},
      earlier: [launches('earlier', ENDED), marks('earlier')],
      ...RERUN,
      at: { [LISTS]: (_jobs, { path }) => (path.includes('check_name') ? undefined : failing) },
      ends: [uses('earlier', 0), quiet],
    },
    ...(
      [
        ['is malformed', malformed, ends.nothing],
        ['has a rate limit', refusing(429, 'no', { 'retry-after': '600' }), ends.nothing],
        ['refuses the token', refusing(401), ends.launches],
        ['does not exist', refusing(404), ends.launches],
      ] as const
    ).map(([what, answer, ends]) => ({
      name: `a re-run ${ends.length > 2 ? 'launches nothing' : 'launches a scan'} if the list of check runs ${what}`,
      scans: {},
      ...RERUN,
      at: { [LISTS]: answer },
      ends,
    })),
    {
      name: 'a run for a new head launches a scan, and does not warn',
      scans: {},
      event: { action: 'opened' },
      at: { [LISTS]: failing },
      ends: [OWN, quiet],
    },
    {
      name: 'a run for a new head warns if it cannot read the comments either',
      scans: {},
      event: { action: 'opened' },
      at: { [LISTS]: failing, 'graphql|comments.list': failing },
      ends: ends.launches,
    },
    {
      name: 'a run for a new base launches a scan, and warns',
      scans: {},
      event: { action: 'edited', changes: { base: { ref: { from: 'stable' } } } },
      at: { [LISTS]: failing },
      ends: ends.launches,
    },
    {
      name: 'the first run for a push launches a scan, and does not warn',
      scans: {},
      event: ({ scenario }) => push(scenario, { before: scenario.repository.id('start') }),
      at: { [LISTS]: failing },
      ends: [OWN, quiet],
    },
    {
      name: 'a re-run with `reuse-scan: false` does not warn',
      scans: {},
      ...RERUN,
      ...withoutReuse,
      at: { [LISTS]: failing },
      ends: [OWN, quiet],
    },
  ]);
});

describe('a run that ends before it looks for marks', () => {
  /** The mark of an earlier attempt of the run. */
  const left = (scanId: string, launchedAt: number): Act =>
    marks(scanId, at(launchedAt, { runId: 9_000_000_001, runAttempt: 1 }));
  const row = (more: Partial<RunRow>, ...ends: readonly End[]): Omit<RunRow, 'name'> => ({
    scans: {},
    earlier: [left('older', 1_790_000_000), left('newer', 1_790_000_005)],
    inputs: { preset: 'missing' },
    ...more,
    ends: [endedAs('configuration'), ...ends],
  });
  const open = { status: 'in_progress' };
  const done = { status: 'completed', conclusion: 'failure' };
  testRuns([
    {
      name: 'a re-run completes the newest check run that an earlier attempt left in progress',
      ...row(RERUN, checkRuns(open, done)),
    },
    {
      name: 'a re-run creates a check run if it may not list check runs',
      ...row({ ...RERUN, at: { [LISTS]: forbidden } }, checkRuns(open, open, done)),
    },
    {
      name: 'a re-run with a wrong input completes the check run of an earlier attempt',
      ...row({ ...RERUN, inputs: { 'base-url': 'none' } }, checkRuns(open, done)),
    },
    {
      name: 'a first attempt with a wrong input looks for no check run',
      ...row({ inputs: { 'base-url': 'none' } }, requests(LISTS, 0)),
    },
    {
      name: 'a re-run without a token looks for no check run, because it can prove no mark',
      ...row({ ...RERUN, inputs: { 'api-token': '' } }, requests(LISTS, 0)),
    },
  ]);
});
