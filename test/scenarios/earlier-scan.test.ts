import {
  anEarlierRun,
  cancelJob,
  forbidden,
  hanging,
  launches,
  lost,
  marks,
  missing,
  refusingAs,
  showing,
  unavailable,
  unknown,
} from './effects.ts';
import { requests, summarizes } from './ends.ts';
import type { Course, OtherJobs } from './other-jobs.ts';
import { type Head, MERGE_BASE } from './repository.ts';
import { pushOf } from './reuse.ts';
import type { RunRow } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act, Effect } from './timeline.ts';

const POLLS = 'scans.read';
const HOUR = 60 * 60_000;
interface Of {
  readonly base?: Head;
  readonly head?: Head;
}
/** Another job has launched and marked a scan of this change. `of` names the commits of the launch. */
const withScan = (course: Course = { runsForMs: 0 }, { base, head }: Of = {}) => {
  const launch: Act = (jobs, asked) => {
    const { id } = jobs.scenario.repository;
    const extra = { ...(base && { baseCommit: id(base) }), ...(head && { commit: id(head) }) };
    return launches('earlier', course, extra)(jobs, asked);
  };
  return { earlier: [launch, marks('earlier')] };
};
const COMPLETED = { scans: {}, ...withScan() };
const edited = { event: { action: 'edited' } };

testScans('earlier-scan', COMPLETED, {
  'a run uses a completed scan of this change that does not show its commit': {
    service: { hideFields: { scanItem: ['commit'], scanDetail: ['commit'] } },
    ends: summarizes('commit not confirmed by the service'),
  },
  'a run launches no second scan if the findings of the first cannot be read': {
    at: { 'findings.list': unavailable },
  },
  'a run launches no second scan if the first is still running at the timeout': {
    ...withScan({ runsForMs: 2 * HOUR }),
    inputs: { 'timeout-minutes': '2' },
  },
  'a run that is cancelled does not cancel the scan of another run': {
    ...withScan({ runsForMs: 2 * HOUR }),
    at: { [`${POLLS} 2`]: [cancelJob, hanging] },
  },
  'a run launches no second scan if the token may not read the first': {
    at: { [POLLS]: refusingAs(403, 'forbidden') },
  },
  'a run launches no second scan if the first cannot be read': { at: { [POLLS]: lost } },
  'a run uses the scan of another run after two answers that there is no such scan': {
    at: { [`${POLLS}/earlier 1-2`]: unknown },
  },
  'a run launches a scan if the scan of another run is not found three times': {
    at: { [`${POLLS}/earlier`]: unknown },
  },
  'a run for an edited title launches a scan if the earlier scan no longer exists': {
    ...edited,
    at: { [`${POLLS}/earlier`]: unknown },
  },
  'a run launches a scan if the running scan of a mark is of another commit': withScan(
    { runsForMs: HOUR },
    { head: 'low' },
  ),
  'a run for an edited title fails because of a failed scan, although the workflow allows failed scans': {
    ...withScan({ runsForMs: 0, endsAs: 'FAILED' }),
    ...edited,
    inputs: { 'allow-unscanned': 'scan-failed' },
  },
  ...rowsFor(['COMPLETED', 'FAILED'], (endsAs) => [
    `a run for an edited title repeats that a ${endsAs} scan is of another commit`,
    { ...withScan({ runsForMs: 0, endsAs }, { head: 'low' }), ...edited },
  ]),
});

const shownAs =
  (field: 'commit' | 'baseCommit', sha: (jobs: OtherJobs) => string): Act =>
  (jobs) =>
    showing([new RegExp(`"${field}":"\\w+"`), `"${field}":"${sha(jobs)}"`]);
const ofHead = ({ scenario }: OtherJobs) => scenario.headSha;
const amended: Effect = shownAs('commit', ({ scenario }) => scenario.repository.id('amended'));
const inUpperCase = shownAs('commit', (jobs) => ofHead(jobs).toUpperCase());
const abbreviated = shownAs('commit', ({ scenario }) => scenario.repository.id('low').slice(0, 12));
/** The scan shows other commits. The files of a scan with other files must not count. */
const FILES: readonly (readonly [shows: string, of: Of, reads: number, more?: Omit<RunRow, 'name'>])[] = [
  ['its commits in upper case', {}, 0, { at: { [POLLS]: inUpperCase } }],
  ['another head with the same files', { head: 'amended' }, 1],
  ['another base with the same files', { base: 'empty' }, 1],
  ['another base with other files', { base: 'behind' }, 1],
  ['another base and another head with the same files', { base: 'empty', head: 'amended' }, 2],
  ['another head with other files', { head: 'low' }, 1],
  ['its head as its base', {}, 1, { at: { [POLLS]: shownAs('baseCommit', ofHead) } }],
  [
    'another head with the same files, for a base that the workflow sets',
    { head: 'amended' },
    2,
    { inputs: ({ repository }) => ({ 'base-commit': repository.id(MERGE_BASE) }) },
  ],
];
const EDITED = { ...COMPLETED, ...edited };
testScans('earlier-scan', EDITED, {
  ...rowsFor(FILES, ([shows, of, reads, more]) => [
    `a run uses a scan only if it has the files of this change: the scan shows ${shows}`,
    // GitHub has shown the files of this change already.
    { ...withScan(undefined, of), ...more, ends: requests('commit', reads) },
  ]),
  'a run does not compare the files of a failed scan': withScan(
    { runsForMs: 0, endsAs: 'FAILED' },
    { head: 'amended' },
  ),
  'a run says that a scan abbreviates its commit': { at: { [POLLS]: abbreviated } },
  'a run names the permission that it needs to read a commit': {
    at: { [POLLS]: amended, commit: forbidden },
  },
  'a run launches a scan later if GitHub no longer has the commit of a scan': {
    at: { [POLLS]: amended, commit: missing },
  },
  'a run that times out while it compares the files says so': {
    at: { [POLLS]: amended, commit: hanging },
    inputs: { 'timeout-minutes': '1' },
  },
});

/** A scan of the head `amended` has the findings of the head `vulnerable`. The run is for a push of the latter. */
const OF_AMENDED = {
  head: 'amended',
  baseRef: 'stable',
  driver: 'in process',
  earlier: [anEarlierRun()],
  event: pushOf('vulnerable', 'amended'),
} as const;
const commit = (head: Head) => shownAs('commit', ({ scenario }) => scenario.repository.id(head));
const POLL = `${POLLS} 1`;
testScans('earlier-scan', OF_AMENDED, {
  'a run uses a scan of other commits with the same files': { ends: requests(POLLS, 1) },
  'a run uses a scan that shows a third commit with the same files': { at: { [POLL]: commit('and empty') } },
  'a run uses a scan that abbreviates its commit': {
    at: { [POLL]: showing([/(?<="commit":"\w{12})\w+/, '']) },
    ends: summarizes('commit not confirmed'),
  },
  'a run uses a scan of the same files that shows the head of this change': {
    at: { [POLL]: commit('vulnerable') },
  },
  ...rowsFor(
    [
      ['has failed', showing([/"COMPLETED"/, '"FAILED"'])],
      ['was cancelled', showing([/"COMPLETED"/, '"CANCELLED"'])],
      ['shows a commit with other files', commit('low')],
      ['no longer exists', unknown],
    ],
    ([what, effect]) => [
      `a run does not wait for a scan of the same files that ${what}`,
      { at: { [POLL]: effect } },
    ],
  ),
  'a run does not wait for a scan of the same files that cannot be read': { at: { [`${POLLS} 1-4`]: lost } },
});
