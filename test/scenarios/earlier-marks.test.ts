import { describe, expect } from 'vitest';
import { hiddenLines } from '../../src/github/comment-marker.ts';
import type { ScanMark } from '../../src/scan/scan-mark.ts';
import { push } from './branch-events.ts';
import type { Course, MarkOptions, OtherJobs } from './other-jobs.ts';
import { type Situation, testSituations } from './situations.ts';

/** Launches and marks a scan, as an earlier run does. */
const earlier =
  (course: Course = {}, mark: MarkOptions = {}, extra = {}): NonNullable<Situation['before']> =>
  async (jobs) => {
    await jobs.launch('earlier', course, extra);
    await jobs.mark('earlier', mark);
  };

const ENDED = { runsForMs: 0 } as const;
const CANCELLED: Course = { ...ENDED, endsAs: 'CANCELLED' };
const RERUN = { run: () => ({ runAttempt: 2 }) };
const edited = ({ scenario: { environment } }: OtherJobs) => ({
  event: { name: 'pull_request', payload: environment.pullRequestPayload({ action: 'edited' }) },
  runId: 9_000_000_070,
});
const OWN = { scan: 'own-1', launches: 1 } as const;
const USED = { scan: 'earlier', reused: true, launches: 0 } as const;

/** While the action reads the earlier scan, another job launches a scan and marks it. */
const meanwhile = (scanId: string, course: Course, mark: MarkOptions): Pick<Situation, 'onScanRead'> => ({
  onScanRead: async (jobs, read) => {
    if (read !== 'earlier' || jobs.has(scanId)) return;
    await jobs.launch(scanId, course);
    await jobs.mark(scanId, mark);
  },
});

describe('a run for a change with marks of earlier runs', () => {
  testSituations([
    {
      name: 'a run uses a scan that a job with another check name marked',
      before: earlier(ENDED, { name: 'Nightly', status: 'completed' }),
      ends: { ...USED, marked: ['earlier', 'earlier'] },
    },
    {
      name: 'a run that uses an earlier scan copies the launch time of that scan into its own mark',
      before: earlier(ENDED, { mark: { launchedAt: 1_777_777_777 } }),
      ends: {
        ...USED,
        more: ({ scenario }) => {
          const own = scenario.environment.github.checkRuns.at(-1);
          expect(own?.externalId).toContain(':1777777777:');
        },
      },
    },
    {
      name: 'a run with `reuse-scan: false` launches its own scan, although a mark names a running scan',
      before: earlier({ runsForMs: 300_000 }),
      inputs: { 'reuse-scan': 'false' },
      ends: OWN,
    },
    {
      name: 'a run launches its own scan if the mark names a scan of another commit',
      before: async (jobs) => {
        const commit = jobs.scenario.repository.id('low');
        await earlier(ENDED, {}, { commit })(jobs);
      },
      ends: OWN,
    },
    {
      name: 'a run launches a new scan if the scan of a mark was cancelled',
      before: earlier({ ...ENDED, endsAs: 'CANCELLED' }),
      ends: OWN,
    },
    ...(['FAILED', 'CANCELLED'] as const).map(
      (endsAs): Situation => ({
        name: `a run uses an older scan if the scan of the newest mark is ${endsAs}`,
        before: async (jobs) => {
          await earlier(ENDED)(jobs);
          await jobs.launch('newest', { ...ENDED, endsAs });
          await jobs.mark('newest', { mark: { launchedAt: 1_790_000_001 } });
        },
        ends: USED,
      }),
    ),
    {
      name: 'a run follows the running scan of the newest mark, even if an older scan has completed',
      before: async (jobs) => {
        await earlier(ENDED)(jobs);
        await jobs.launch('newest', { runsForMs: 60_000 });
        await jobs.mark('newest', { mark: { launchedAt: 1_790_000_001 } });
      },
      ends: { ...USED, scan: 'newest' },
    },
    ...(
      [
        ['whatever the order of the check runs', { runsForMs: 0 }, false],
        ['even if an older check run has a copy of its mark', { runsForMs: 60_000 }, true],
      ] as const
    ).map(
      ([how, course, isCopied]): Situation => ({
        name: `a job that launched after other jobs uses the newest of their scans, ${how}`,
        before: async (jobs) => {
          // GitHub lists the check runs with these marks only after the action has launched its own scan.
          const isListed = () => jobs.count('scans.launch') > 0;
          const newest: MarkOptions = { isListed, mark: { launchedAt: 1_790_000_001 } };
          await jobs.launch('newest', course);
          if (isCopied) await jobs.mark('newest', newest);
          await earlier(ENDED, { isListed })(jobs);
          await jobs.mark('newest', newest);
        },
        ends: { scan: 'newest', reused: true, launches: 1, cancelled: ['own-1'] },
      }),
    ),
  ]);
});

describe('an event that only edits the title', () => {
  testSituations([
    ...(
      [
        ['the second scan is newer', CANCELLED, 1_790_000_001, 'newer', 'scan-failed'],
        ['the second scan is newer, and the first is gone', 'gone', 1_790_000_001, 'newer', 'scan-failed'],
        ['the second scan is older', CANCELLED, 1_780_000_000, 'earlier', 'scan-cancelled'],
      ] as const
    ).map(
      ([what, other, launchedAt, scan, reason]): Situation => ({
        name: `a run for an edited title repeats the reason of the newest of two failed scans (${what})`,
        before: other === 'gone' ? async (jobs) => void (await jobs.mark('earlier')) : earlier(other),
        ...meanwhile('newer', { ...ENDED, endsAs: 'FAILED' }, { mark: { launchedAt, runId: 8 } }),
        run: edited,
        ends: { ...USED, scan, reason },
      }),
    ),
    {
      name: 'a re-run for an edited title launches a scan if the earlier scan failed',
      before: earlier({ ...ENDED, endsAs: 'FAILED' }),
      run: (jobs) => ({ ...edited(jobs), runAttempt: 2 }),
      ends: OWN,
    },
    {
      name: 'a run for an edited title follows a running scan',
      before: earlier({ runsForMs: 30_000 }),
      run: edited,
      ends: USED,
    },
    {
      name: 'a run for an edited title launches a scan if the service no longer knows the earlier scan',
      before: async (jobs) => {
        await jobs.mark('gone');
      },
      run: edited,
      ends: OWN,
    },
  ]);
});

describe('the job of a followed scan cancels the scan, because another job launched first', () => {
  testSituations(
    (
      [
        ['a push', undefined],
        ['an edited title', edited],
      ] as const
    ).map(([what, run]) => ({
      name: `after ${what}, a run switches to the scan of the job that launched first`,
      before: async (jobs) => {
        // GitHub lists the check run of `elder`, the job that came first, only after two seconds.
        await jobs.launch('elder', { runsForMs: 90_000 });
        await jobs.mark('elder', { mark: { runId: 5 }, isListed: () => jobs.now() >= 2_000 });
        await earlier({ runsForMs: 10_000, endsAs: 'CANCELLED' })(jobs);
      },
      ...(run && { run }),
      ends: { ...USED, scan: 'elder' },
    })),
  );
});

/** The members of a mark by an earlier attempt of the run. */
const ownRun = (jobs: OtherJobs, changes: Partial<ScanMark> = {}): Partial<ScanMark> => {
  const runId = jobs.scenario.environment.describeRun().runId ?? 9_000_000_001;
  return { runId, ...changes };
};

describe('the check run that an earlier attempt of this run left in progress', () => {
  testSituations([
    {
      name: 'a re-run with a check run in progress uses a scan that another job launches during the re-run',
      before: (jobs) => earlier(CANCELLED, { mark: ownRun(jobs) })(jobs),
      ...meanwhile('other', { runsForMs: 90_000 }, { mark: { runId: 9 } }),
      ...RERUN,
      ends: { ...USED, scan: 'other', marked: ['other', 'other'] },
    },
    {
      name: 'a re-run writes the mark of its new scan into the check run of the earlier attempt',
      before: (jobs) => earlier(CANCELLED, { mark: ownRun(jobs) })(jobs),
      ...RERUN,
      ends: { ...OWN, marked: ['own-1'] },
    },
    {
      name: 'a re-run keeps the check run of the earlier attempt if GitHub is down during the first updates',
      before: (jobs) => earlier(CANCELLED, { mark: ownRun(jobs) })(jobs),
      atGitHub: (jobs, point) =>
        point === 'check.update' && jobs.now() < 50_000
          ? { status: 503, body: { message: 'No' } }
          : undefined,
      ...RERUN,
      ends: { ...OWN, marked: ['own-1'] },
    },
    {
      name: 'a re-run creates a check run if GitHub refuses to update the check run of the earlier attempt',
      before: (jobs) => earlier(CANCELLED, { mark: ownRun(jobs) })(jobs),
      atGitHub: (jobs, point) =>
        point === 'check.update' && jobs.now() < 50_000
          ? { status: 422, body: { message: 'No' } }
          : undefined,
      ...RERUN,
      ends: { ...OWN, marked: ['earlier', 'own-1'] },
    },
    {
      name: 'a re-run that uses the scan of an earlier attempt completes the check run of that attempt',
      before: (jobs) => earlier(ENDED, { mark: ownRun(jobs) })(jobs),
      ...RERUN,
      ends: {
        ...USED,
        marked: ['earlier'],
        more: ({ scenario }) =>
          expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'completed' }]),
      },
    },
    {
      name: 'after a change of the base, a re-run updates the check run of the earlier attempt',
      before: async (jobs) => {
        const baseSha = jobs.scenario.repository.id('behind');
        await earlier(CANCELLED, { mark: ownRun(jobs, { baseSha }), key: { baseSha } })(jobs);
        await jobs.mark('theirs', { mark: ownRun(jobs), key: { creditBudget: 500 } });
      },
      ...RERUN,
      ends: { ...OWN, marked: ['own-1', 'theirs'] },
    },
    {
      name: 'a re-run does not update the check run of another run',
      before: earlier(CANCELLED),
      ...RERUN,
      ends: { ...OWN, marked: ['earlier', 'own-1'] },
    },
  ]);
});

const UNLISTED: Pick<Situation, 'atGitHub'> = {
  atGitHub: (_jobs, point) => (point === 'check.list' ? { status: 503, body: { message: 'No' } } : undefined),
};

/** Launches a scan that is named only in the comment of an earlier run. */
const inComment =
  (course: Course, mark: MarkOptions = {}): NonNullable<Situation['before']> =>
  async (jobs) => {
    await jobs.launch('earlier', course);
    const { environment, headSha } = jobs.scenario;
    const marker = { checkName: 'Security scan', headSha, runId: 6, runAttempt: 1 };
    const body = `${hiddenLines(marker, jobs.markText('earlier', mark))}\n## Passed`;
    environment.github.addComment({ author: 'github-actions[bot]', type: 'Bot', body });
  };

const UNREADABLE = {
  scan: '',
  reason: 'service-error',
  launches: 0,
  says: ['Could not list the check runs', 'so no scan was launched'],
} as const;

describe('a re-run that cannot list the check runs', () => {
  testSituations([
    {
      name: 'if a re-run cannot list the check runs, it uses the scan in the comment',
      before: inComment(ENDED),
      ...UNLISTED,
      ...RERUN,
      ends: USED,
    },
    {
      name: 'if a re-run cannot list the check runs, and the scan in the comment has failed, it launches a scan',
      before: inComment({ ...ENDED, endsAs: 'FAILED' }),
      ...UNLISTED,
      ...RERUN,
      ends: OWN,
    },
    {
      name: 'if a re-run cannot list the check runs, and the scan in the comment has another budget, it launches nothing',
      before: inComment(ENDED, { key: { creditBudget: 500 } }),
      ...UNLISTED,
      ...RERUN,
      ends: UNREADABLE,
    },
    {
      name: 'a re-run for a push launches nothing if it cannot list the check runs',
      ...UNLISTED,
      run: ({ scenario }) => ({
        ...push(scenario, { before: scenario.repository.id('start') }),
        runAttempt: 2,
      }),
      ends: UNREADABLE,
    },
  ]);
});

describe('a scan that no mark names', () => {
  const theirs = { before: (jobs: OtherJobs) => jobs.launch('theirs', { runsForMs: 300_000 }) };
  testSituations([
    {
      name: 'a run does not use a scan without a mark, but names it in the log',
      ...theirs,
      ends: { ...OWN, says: ['`theirs`', 'so Scangate does not use it'] },
    },
    {
      name: 'a run ignores an unmarked scan of another commit',
      before: (jobs) => {
        const commit = jobs.scenario.repository.id('low');
        return jobs.launch('theirs', { runsForMs: 300_000 }, { commit });
      },
      ends: {
        ...OWN,
        more: ({ scenario: { environment, repository } }, { run }) => {
          expect(run.log).not.toContain('does not use');
          // The pull request was just opened, so the commit cannot be an older head. The action therefore does not ask
          // GitHub about the commit.
          const paths = environment.github.requests.map(({ path }) => path);
          expect(paths.filter((path) => path.includes(repository.id('low')))).toEqual([]);
        },
      },
    },
    {
      name: 'with `reuse-scan: false`, the log does not name a scan without a mark',
      ...theirs,
      inputs: { 'reuse-scan': 'false' },
      ends: { ...OWN, more: (_jobs, { run }) => expect(run.log).not.toContain('does not use it') },
    },
  ]);
});
