import { expect } from 'vitest';
import { hiddenLines } from '../../src/github/comment-marker.ts';
import { push } from './branch-events.ts';
import { launches, marks, marksOnlyIf, refusing, unavailable, until, works } from './effects.ts';
import type { Course, MarkOptions } from './other-jobs.ts';
import type { Head } from './repository.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act, Timeline } from './timeline.ts';

const ENDED = { runsForMs: 0 } as const;
const CANCELLED = { ...ENDED, endsAs: 'CANCELLED' } as const;
const FAILED = { ...ENDED, endsAs: 'FAILED' } as const;
const at = (launchedAt: number, more: MarkOptions['mark'] = {}) => ({ mark: { launchedAt, ...more } });
const NEWEST = at(1_790_000_001);
/** An earlier run has launched and marked a scan. */
const earlier = (course: Course = {}, mark: MarkOptions = {}) => works('earlier', course, mark);
/** An earlier run has marked a scan of another head, and says that it is of this change. */
const ofHead =
  (scanId: string, head: Head): Act =>
  (jobs, asked) =>
    launches(scanId, ENDED, { commit: jobs.scenario.repository.id(head) })(jobs, asked);
/** While the action reads the earlier scan, another job launches a scan and marks it. */
const meanwhile = (scanId: string, course: Course, mark: MarkOptions): Timeline => ({
  'scans.read/earlier 1': works(scanId, course, mark),
});
const edited = { event: { action: 'edited' }, runId: 9_000_000_070 };
const OWN_SCAN = { inputs: { 'reuse-scan': 'false' } };
const SCANS = { scans: {} };
/** GitHub lists the check runs with these marks only after the action has launched its own scan. */
const listedLate = (scanId: string, options: MarkOptions = {}) =>
  marksOnlyIf((jobs) => jobs.count('scans.launch') > 0, scanId, options);

const copiesLaunchTime: End = ({ environment: { github } }) =>
  expect(github.checkRuns.at(-1)?.externalId).toContain(':1777777777:');

testScans('earlier-marks', SCANS, {
  'a run uses a scan that a job with another check name marked': {
    earlier: earlier(ENDED, { name: 'Nightly', status: 'completed' }),
  },
  'a run that uses an earlier scan copies the launch time of that scan into its own mark': {
    earlier: earlier(ENDED, at(1_777_777_777)),
    ends: copiesLaunchTime,
  },
  'a run with `reuse-scan: false` launches its own scan, although a mark names a running scan': {
    earlier: earlier({ runsForMs: 300_000 }),
    ...OWN_SCAN,
  },
  'a run launches its own scan if the mark names a scan of another commit': {
    earlier: [ofHead('earlier', 'low'), marks('earlier')],
  },
  'a run launches a new scan if the scan of a mark was cancelled': { earlier: earlier(CANCELLED) },
  ...rowsFor([FAILED, CANCELLED], (course) => [
    `a run uses an older scan if the scan of the newest mark is ${course.endsAs}`,
    { earlier: [...earlier(ENDED), ...works('newest', course, NEWEST)] },
  ]),
  'a run follows the running scan of the newest mark, even if an older scan has completed': {
    earlier: [...earlier(ENDED), ...works('newest', { runsForMs: 60_000 }, NEWEST)],
  },
  'a job that launched after other jobs uses the newest of their scans, whatever the order of the check runs':
    {
      earlier: [
        launches('newest', ENDED),
        launches('earlier', ENDED),
        listedLate('earlier'),
        listedLate('newest', NEWEST),
      ],
    },
  'a job that launched after other jobs uses the newest of their scans, even if an older check run has a copy of its mark':
    {
      earlier: [
        launches('newest', { runsForMs: 60_000 }),
        listedLate('newest', NEWEST),
        launches('earlier', ENDED),
        listedLate('earlier'),
        listedLate('newest', NEWEST),
      ],
    },
});

const EDITED = { ...SCANS, ...edited };
testScans('earlier-marks', EDITED, {
  ...rowsFor(
    [
      ['the second scan is newer', earlier(CANCELLED), 1_790_000_001],
      ['the second scan is newer, and the first is gone', [marks('earlier')], 1_790_000_001],
      ['the second scan is older', earlier(CANCELLED), 1_780_000_000],
    ],
    ([what, first, launchedAt]) => [
      `a run for an edited title repeats the reason of the newest of two failed scans (${what})`,
      { earlier: first, at: meanwhile('newer', FAILED, at(launchedAt, { runId: 8 })) },
    ],
  ),
  'a re-run for an edited title launches a scan if the earlier scan failed': {
    earlier: earlier(FAILED),
    attempt: 2,
  },
  'a run for an edited title follows a running scan': { earlier: earlier({ runsForMs: 30_000 }) },
  'a run for an edited title launches a scan if the service no longer knows the earlier scan': {
    earlier: [marks('gone')],
  },
});

/** Another job cancels its scan, because the job of `elder` launched first. GitHub lists that job after 2 seconds. */
const GIVEN_UP = [
  launches('elder', { runsForMs: 90_000 }),
  marksOnlyIf((jobs) => jobs.now() >= 2_000, 'elder', { mark: { runId: 5 } }),
  ...earlier({ runsForMs: 10_000, endsAs: 'CANCELLED' }),
];
testScans('earlier-marks', {
  'after a push, a run switches to the scan of the job that launched first': { ...SCANS, earlier: GIVEN_UP },
  'after an edited title, a run switches to the scan of the job that launched first': {
    ...EDITED,
    earlier: GIVEN_UP,
  },
});

/** The members of a mark by the first attempt of the run. */
const OF_RUN = { runId: 9_000_000_001 };
/** GitHub refuses to update check runs for almost a minute. */
const noUpdates = (status: number): Timeline => ({ 'check.update': until(50_000, refusing(status)) });
/** The first attempt of the run was lost, and left a check run in progress. Its scan was cancelled. */
const LEFT = { ...SCANS, earlier: earlier(CANCELLED, { mark: OF_RUN }), attempt: 2 };
const otherBase: Act = async (jobs, asked) => {
  const baseSha = jobs.scenario.repository.id('behind');
  return marks('earlier', { mark: { ...OF_RUN, baseSha }, key: { baseSha } })(jobs, asked);
};
testScans('earlier-marks', LEFT, {
  'a re-run with a check run in progress uses a scan that another job launches during the re-run': {
    at: meanwhile('other', { runsForMs: 90_000 }, { mark: { runId: 9 } }),
  },
  'a re-run writes the mark of its new scan into the check run of the earlier attempt': {},
  'a re-run keeps the check run of the earlier attempt if GitHub is down during the first updates': {
    at: noUpdates(503),
  },
  'a re-run creates a check run if GitHub refuses to update the check run of the earlier attempt': {
    at: noUpdates(422),
  },
  'a re-run that uses the scan of an earlier attempt completes the check run of that attempt': {
    earlier: earlier(ENDED, { mark: OF_RUN }),
  },
  'after a change of the base, a re-run updates the check run of the earlier attempt': {
    earlier: [
      launches('earlier', CANCELLED),
      otherBase,
      marks('theirs', { mark: OF_RUN, key: { creditBudget: 500 } }),
    ],
  },
  'a re-run does not update the check run of another run': { earlier: earlier(CANCELLED) },
});

/** A scan that is named only in the comment of an earlier run. */
const inComment = (course: Course, mark: MarkOptions = {}): readonly Act[] => [
  launches('earlier', course),
  (jobs) => {
    const { environment, headSha } = jobs.scenario;
    const marker = { checkName: 'Security scan', headSha, runId: 6, runAttempt: 1 };
    const body = `${hiddenLines(marker, jobs.markText('earlier', mark))}\n## Passed`;
    environment.github.addComment({ author: 'github-actions[bot]', type: 'Bot', body });
  },
];
const UNLISTED = { ...SCANS, at: { 'check.list': unavailable }, attempt: 2 };
testScans('earlier-marks', UNLISTED, {
  'if a re-run cannot list the check runs, it uses the scan in the comment': { earlier: inComment(ENDED) },
  'if a re-run cannot list the check runs, and the scan in the comment has failed, it launches a scan': {
    earlier: inComment(FAILED),
  },
  'if a re-run cannot list the check runs, and the scan in the comment has another budget, it launches nothing':
    {
      earlier: inComment(ENDED, { key: { creditBudget: 500 } }),
    },
  'a re-run for a push launches nothing if it cannot list the check runs': {
    event: ({ scenario }) => push(scenario, { before: scenario.repository.id('start') }),
  },
});

/** The pull request was just opened, so the commit cannot be an older head. The action does not ask about it. */
const asksNotAbout =
  (head: Head): End =>
  ({ environment, repository }) => {
    const paths = environment.github.requests.map(({ path }) => path);
    expect(paths.filter((path) => path.includes(repository.id(head)))).toEqual([]);
  };
const UNMARKED = { ...SCANS, earlier: [launches('theirs', { runsForMs: 300_000 })] };
testScans('earlier-marks', UNMARKED, {
  'a run does not use a scan without a mark, but names it in the log': {},
  'a run ignores an unmarked scan of another commit': {
    earlier: [ofHead('theirs', 'low')],
    ends: asksNotAbout('low'),
  },
  'with `reuse-scan: false`, the log does not name a scan without a mark': OWN_SCAN,
});
