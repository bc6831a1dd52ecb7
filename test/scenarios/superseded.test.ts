import { close, failing, nothing, push, READS, retarget, showingHead } from './effects.ts';
import { requests } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { pushOf } from './reuse.ts';
import { bothWays, rowsFor, testScans } from './scan-rows.ts';

const CHANGES = [
  ['updated by a push', push],
  ['moved to another base branch', retarget],
] as const;
const CLEAN = { head: 'clean' } as const;
const SHOWN = { comment: 'always', ...EVERYTHING_ALLOWED };

testScans('superseded', CLEAN, {
  'a re-run for an outdated head launches nothing': { meanwhile: [push], attempt: 2 },
  'a first run launches nothing if a push changed the head before the run started': { meanwhile: [push] },
  'a run for a push launches nothing if the next push has undone that push': {
    event: (jobs) => {
      const away = pushOf('low', 'clean')(jobs);
      pushOf('clean', 'low')(jobs);
      return away;
    },
  },
  'a re-run launches a scan if GitHub first shows an older head, and then the current head': {
    at: { 'graphql 1-2': showingHead('low') },
    attempt: 2,
  },
  ...bothWays('superseded', CHANGES, ([what, change]) => [
    `a completed scan does not count if the pull request was ${what} while the scan ran`,
    { at: { 'scans.read 1': change }, inputs: { comment: 'always' } },
  ]),
  'a pull request without a change does not pass if it moves to another base branch': {
    head: 'behind',
    at: { 'compare 1': retarget },
  },
  'a pull request that may pass unscanned does not pass if it moves to another base branch': {
    service: { credits: 0 },
    at: { 'compare 1': retarget },
    inputs: { 'allow-unscanned': 'insufficient-credits' },
  },
  'a pull request without a change does not pass if it is closed during the run': {
    head: 'behind',
    at: { 'compare 1': close },
  },
  'a run with a clean scan passes if the pull request is closed during the scan': {
    at: { 'scans.read 1': close },
  },
  'a blocked run stays blocked if the pull request moves to another base branch': {
    head: 'vulnerable',
    at: { 'scans.read 1': retarget },
    inputs: EVERYTHING_ALLOWED,
  },
  'at the end, a run reads the pull request and its comments in one request': {
    inputs: { comment: 'always' },
    ends: requests('graphql', 2),
  },
});

testScans('superseded', CLEAN, {
  ...rowsFor(
    [
      ...CHANGES.map(([what, change]) => [what, [change]] as const),
      ['closed', [close]],
      ['moved to another base branch and closed', [retarget, close]],
      ['updated by a push and closed', [push, close]],
      ['not changed', []],
    ],
    ([what, meanwhile]) => [
      `after a failed first read, a run scans only a pull request that has not changed: it was ${what}`,
      {
        at: { [`${READS} 1-6`]: failing },
        // The event brings no new head, so a comment can already exist. For this reason, the run reads the comments.
        event: { action: 'reopened' },
        meanwhile,
        inputs: SHOWN,
      },
    ],
  ),
  ...rowsFor([...CHANGES, ['closed', close], ['not changed', nothing]], ([what, change]) => [
    `a run passes only if its last read shows a pull request that has not changed: it was ${what}`,
    // The reads at the start, before the launch, and before the end fail. Only the fourth read shows the change.
    { at: { 'scans.read 1': change, [`${READS} 1-18`]: failing }, inputs: SHOWN },
  ]),
  'if GitHub fails, a run tries four times to read the pull request, each time with six requests': {
    at: { [READS]: failing },
    inputs: { comment: 'always' },
    // At the start, before the launch, and twice before the end.
    ends: requests(READS, 4 * 6),
  },
});
