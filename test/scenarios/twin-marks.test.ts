import { failing, launches, marks, onlyIf, refusing, showingInstead, unavailable, works } from './effects.ts';
import { readsMarksAfter, readsScans } from './ends.ts';
import type { Course } from './other-jobs.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

const LAUNCH = 'scans.launch 1';
const LONG: Course = { runsForMs: 90_000 };
const FAILED: Course = { runsForMs: 0, endsAs: 'FAILED' };
const elder = (course = LONG) => ({ [LAUNCH]: works('elder', course) });
/** The check runs cannot be listed in some of the reads after the run has created its own. */
const unlisted = (...reads: readonly number[]): Act => {
  let read = 0;
  return onlyIf((jobs) => {
    if (jobs.sent('check.create').length === 0) return false;
    read += 1;
    return reads.includes(read);
  }, refusing(403));
};
const otherCommit: Act = ({ scenario: { repository } }) =>
  showingInstead((body) =>
    JSON.parse(JSON.stringify(body).replaceAll(/(?<="commit":")[0-9a-f]+/g, repository.id('low'))),
  );

/** The own scan of the run lasts for two minutes. */
const SCANS = { scans: { runsForMs: 120_000 } };
testScans('twin-marks', SCANS, {
  'a run reads the marks at once, and follows the scan of the job that came first': {
    at: elder(),
    // It reads the marks once more before it follows that scan.
    ends: readsMarksAfter(0, 0),
  },
  'a run follows the scan of the first of two jobs that came before': {
    at: {
      [LAUNCH]: [...works('first', LONG, { mark: { launchedAt: 1_790_000_001 } }), ...works('elder', LONG)],
    },
  },
  'a run follows the scan of the second job if that of the first has failed': {
    at: { [LAUNCH]: [...works('first', FAILED), ...works('elder', LONG)] },
  },
  'a run uses a scan of the first job that has completed': { at: elder({ runsForMs: 0 }) },
  'a run follows the first job if only its second read of the marks succeeds': {
    at: { ...elder(), 'check.list': unlisted(1) },
    ends: readsMarksAfter(0, 5, 5),
  },
  'a run repeats its second read of the marks until one succeeds': {
    at: { 'check.create 1': works('elder', LONG), 'check.list': unlisted(1, 2, 3, 4) },
    ends: readsMarksAfter(0, 5, 10, 15, 20, 20),
  },
  'a run uses its own scan if the service never cancels it': { at: { ...elder(), 'scans.cancel': failing } },

  'a run keeps its own scan, and reads the marks twice, if there is no other one': {
    ends: readsMarksAfter(0, 5),
  },
  'a run keeps its own scan, and reads the marks five times, if they can never be read': {
    at: { ...elder(), 'check.list': unlisted(1, 2, 3, 4, 5) },
    ends: readsMarksAfter(0, 5, 10, 15, 20),
  },
  'a run stops to read the marks after one successful read': {
    at: { 'check.list': unlisted(1, 2) },
    ends: readsMarksAfter(0, 5, 10),
  },
  'a run ignores a mark that was written after its own': {
    at: {
      [LAUNCH]: launches('younger', LONG),
      'scans.read': onlyIf((jobs) => jobs.marked().length === 1, marks('younger')),
    },
  },
  'a run ignores a mark of another key': {
    at: { [LAUNCH]: works('other', LONG, { key: { creditBudget: 30 } }) },
    ends: readsScans(),
  },
  'a run reads a scan that several marks name once for each read of the marks': {
    at: { [LAUNCH]: [...works('elder', LONG), marks('elder')], 'scans.read/elder': refusing(404) },
    ends: readsScans('elder', 'elder'),
  },
  ...rowsFor(
    [
      ['has failed', FAILED, {}, 5],
      ['was cancelled', { runsForMs: 0, endsAs: 'CANCELLED' }, {}, 5],
      ['shows another commit', LONG, { 'scans.read/elder': otherCommit }, 5],
      ['cannot be read', LONG, { 'scans.read/elder': unavailable }, 15],
    ],
    ([what, course, at, seconds]) => [
      `a run keeps its own scan if the scan of the first job ${what}`,
      { at: { ...elder(course), ...at }, ends: readsMarksAfter(0, seconds) },
    ],
  ),
});
