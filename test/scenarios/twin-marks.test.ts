import { describe } from 'vitest';
import { failing, launches, marks, onlyIf, refusing, showingInstead, unavailable } from './effects.ts';
import { readsMarksAfter, readsScans, uses } from './ends.ts';
import type { Course } from './other-jobs.ts';
import { testRuns } from './run-rows.ts';
import type { Act, Effect } from './timeline.ts';

const LONG: Course = { runsForMs: 90_000 };
const FAILED: Course = { runsForMs: 0, endsAs: 'FAILED' };
/** Another job launches and marks this scan. */
const marked = (scanId: string, course: Course = LONG): readonly Act[] => [
  launches(scanId, course),
  marks(scanId),
];
/** The run launches while `acts` happen. Its own scan runs for two minutes. */
const row = (acts: readonly Act[], at: Readonly<Record<string, Effect>> = {}) => ({
  scans: { runsForMs: 120_000 },
  at: { 'scans.launch 1': acts, ...at },
});
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

describe('which scan of another job a run follows', () => {
  testRuns([
    {
      name: 'a run reads the marks at once, and follows the scan of the job that came first',
      ...row(marked('elder')),
      // It reads the marks once more before it follows that scan.
      ends: [uses('elder', 1, 'own-1'), readsMarksAfter(0, 0)],
    },
    {
      name: 'a run follows the scan of the first of two jobs that came before',
      ...row([
        launches('first', LONG),
        marks('first', { mark: { launchedAt: 1_790_000_001 } }),
        ...marked('elder'),
      ]),
      ends: uses('first', 1, 'own-1'),
    },
    {
      name: 'a run follows the scan of the second job if that of the first has failed',
      ...row([...marked('first', FAILED), ...marked('elder')]),
      ends: uses('elder', 1, 'own-1'),
    },
    {
      name: 'a run uses a scan of the first job that has completed',
      ...row(marked('elder', { runsForMs: 0 })),
      ends: uses('elder', 1, 'own-1'),
    },
    {
      name: 'a run follows the first job if only its second read of the marks succeeds',
      ...row(marked('elder'), { 'check.list': unlisted(1) }),
      ends: [uses('elder', 1, 'own-1'), readsMarksAfter(0, 5, 5)],
    },
    {
      name: 'a run repeats its second read of the marks until one succeeds',
      ...row([], { 'check.create 1': marked('elder'), 'check.list': unlisted(1, 2, 3, 4) }),
      ends: [uses('elder', 1, 'own-1'), readsMarksAfter(0, 5, 10, 15, 20, 20)],
    },
  ]);
});

describe('a run keeps its own scan beside those of other jobs', () => {
  testRuns([
    {
      name: 'a run reads the marks twice if there is no other one',
      ...row([]),
      ends: [uses('own-1', 1), readsMarksAfter(0, 5)],
    },
    {
      name: 'a run reads the marks five times if they can never be read',
      ...row(marked('elder'), { 'check.list': unlisted(1, 2, 3, 4, 5) }),
      ends: [uses('own-1', 1), readsMarksAfter(0, 5, 10, 15, 20)],
    },
    {
      name: 'a run stops to read the marks after one successful read',
      ...row([], { 'check.list': unlisted(1, 2) }),
      ends: [uses('own-1', 1), readsMarksAfter(0, 5, 10)],
    },
    {
      name: 'a run ignores a mark that was written after its own',
      ...row([launches('younger', LONG)], {
        'scans.read': onlyIf((jobs) => jobs.marked().length === 1, marks('younger')),
      }),
      ends: uses('own-1', 1),
    },
    {
      name: 'a run ignores a mark of another key',
      ...row([launches('other', LONG), marks('other', { key: { creditBudget: 30 } })]),
      ends: [uses('own-1', 1), readsScans()],
    },
    {
      name: 'a run reads a scan that several marks name once for each read of the marks',
      ...row([...marked('elder'), marks('elder')], { 'scans.read/elder': refusing(404) }),
      ends: [uses('own-1', 1), readsScans('elder', 'elder')],
    },
    ...(
      [
        ['has failed', FAILED, {}, 5],
        ['was cancelled', { runsForMs: 0, endsAs: 'CANCELLED' }, {}, 5],
        ['shows another commit', LONG, { 'scans.read/elder': otherCommit }, 5],
        ['cannot be read', LONG, { 'scans.read/elder': unavailable }, 15],
      ] as const
    ).map(([what, course, at, seconds]) => ({
      name: `a run keeps its own scan if the scan of the first job ${what}`,
      ...row(marked('elder', course), at),
      ends: [uses('own-1', 1), readsMarksAfter(0, seconds)],
    })),
  ]);
});

testRuns([
  {
    name: 'a run uses its own scan if the service never cancels it',
    ...row(marked('elder'), { 'scans.cancel': failing }),
    ends: uses('own-1', 1, 'own-1'),
  },
]);
