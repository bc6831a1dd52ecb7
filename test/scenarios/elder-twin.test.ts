import { describe, expect } from 'vitest';
import type { Course, OtherJobs, OtherJobsOptions } from './other-jobs.ts';
import { type Situation, testSituations } from './situations.ts';

/** While the action launches its first scan, the other job launches a scan and creates its check run. */
const twin = (course: Course): Pick<Situation, 'onLaunch'> => ({
  onLaunch: async (jobs) => {
    if (jobs.has('twin')) return;
    await jobs.launch('twin', course);
    await jobs.mark('twin');
  },
});

/**
 * The other job launches and marks its scan before the run of the action. GitHub lists the check run of that job only
 * after the launch of the action, and not before `fromMs`.
 */
const lateTwin = (course: Course, fromMs: number): Pick<Situation, 'before'> => ({
  before: async (jobs) => {
    await jobs.launch('twin', course);
    await jobs.mark('twin', { isListed: () => jobs.count('scans.launch') > 0 && jobs.now() >= fromMs });
  },
});

/** When the action reads the scan `from`, a third job launches and marks a scan. Reads before `atMs` do not count. */
const third = (from: string, atMs: number, course: Course): Pick<OtherJobsOptions, 'onScanRead'> => ({
  onScanRead: async (jobs, scanId) => {
    if (scanId !== from || jobs.now() < atMs || jobs.has('third')) return;
    await jobs.launch('third', course);
    await jobs.mark('third', { mark: { runAttempt: 2 } });
  },
});

/**
 * The service answers no cancel request. After such a request, the action cannot read its own scan: it gets 503 until
 * the first minute of the run is over.
 */
const unansweredCancel = (fault: 'reset-before' | 'reset-after'): Pick<Situation, 'atService'> => ({
  atService: (jobs, point, scanId) => {
    if (point === 'scans.cancel') return { fault };
    const isOwn = point === 'scans.read' && scanId === 'own-1';
    return isOwn && jobs.cancelled().length > 0 && jobs.now() < 60_000 ? UNAVAILABLE : undefined;
  },
});

const FAILING = { runsForMs: 10_000, endsAs: 'FAILED' } as const;
const UNAVAILABLE = { status: 503, body: 'Service Unavailable' } as const;
const FORBIDDEN = { status: 403, body: { message: 'Resource not accessible by integration' } } as const;

describe('a job that launches at the same time as another job, and comes second', () => {
  testSituations([
    {
      name: 'a job that launched second cancels its own scan, and follows the first scan',
      ...twin({ runsForMs: 90_000 }),
      ends: {
        scan: 'twin',
        reused: true,
        launches: 1,
        cancelled: ['own-1'],
        marked: ['twin', 'twin'],
        says: ['Another job launched scan `twin` first. Using it instead of scan `own-1`.'],
        more: (_jobs, { run }) => expect(run.outputs['credits-reserved']).toBe('0'),
      },
    },
    {
      name: 'a job that launched second follows the first scan even if the answer to its cancel request is lost',
      ...twin({ runsForMs: 90_000 }),
      ...unansweredCancel('reset-after'),
      ends: { scan: 'twin', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a job that launched second follows the first scan if its own scan fails before it is cancelled',
      ...twin({ runsForMs: 90_000 }),
      own: { runsForMs: 30_000, endsAs: 'FAILED' },
      ...unansweredCancel('reset-before'),
      ends: { scan: 'twin', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a job that launched second uses its own scan if that scan completes before it can be cancelled',
      ...twin({ runsForMs: 90_000 }),
      own: { runsForMs: 30_000 },
      ...unansweredCancel('reset-before'),
      ends: { scan: 'own-1', launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a job that launched second leaves its own scan to the post step if all requests for that scan fail',
      ...twin({ runsForMs: 90_000 }),
      atService: (_jobs, _point, scanId) => (scanId === 'own-1' ? { fault: 'reset-before' } : undefined),
      inputs: { 'timeout-minutes': '10' },
      ends: {
        scan: 'own-1',
        reason: 'service-error',
        launches: 1,
        cancelled: ['own-1'],
        left: 'own-1',
      },
    },
    {
      name: 'a job cancels its own scan if its second read of the marks shows that another job launched first',
      ...lateTwin({ runsForMs: 90_000 }, 2_000),
      ends: { scan: 'twin', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a job cancels its second scan, and follows the scan of a third job',
      before: async (jobs) => {
        await jobs.mark('third', { isListed: () => jobs.has('third') });
      },
      ...twin({ runsForMs: 20_000, endsAs: 'CANCELLED' }),
      onScanRead: async (jobs, scanId) => {
        if (scanId === 'own-2' && !jobs.has('third')) await jobs.launch('third', { runsForMs: 300_000 });
      },
      ends: {
        scan: 'third',
        reused: true,
        launches: 2,
        cancelled: ['own-1', 'own-2'],
        marked: ['third', 'twin', 'third'],
      },
    },
    {
      name: 'a job that followed three failed scans before its launch still gives up its own scan for an older one',
      before: async (jobs) => {
        await jobs.launch('failed-1', FAILING);
        await jobs.mark('failed-1');
      },
      onScanRead: async (jobs, scanId) => {
        const next = { 'failed-1': 'failed-2', 'failed-2': 'failed-3' }[scanId];
        if (next === undefined || jobs.has(next)) return;
        await jobs.launch(next, FAILING);
        // Before a launch, the action reads the scan list, and then reads the marks for the last time.
        const lists = jobs.count('scans.list');
        await jobs.mark(next, { isListed: () => jobs.count('scans.list') > lists });
      },
      ...twin({ runsForMs: 90_000 }),
      ends: {
        scan: 'twin',
        reused: true,
        launches: 1,
        cancelled: ['own-1'],
        says: ['failed-1', 'failed-2', 'failed-3'].map((id) => `Scan \`${id}\` cannot be reused.`),
      },
    },
    {
      name: 'a job keeps its third scan after the two scans that it followed were cancelled',
      ...twin({ runsForMs: 20_000, endsAs: 'CANCELLED' }),
      onScanRead: async (jobs, scanId) => {
        // After each new scan of the action, the other job also launches a new scan, and moves its mark to that scan.
        const again = scanId.replace(/^own-/, 'twin-');
        if (scanId === 'own-1' || again === scanId || jobs.has(again)) return;
        await jobs.launch(again, { runsForMs: scanId === 'own-2' ? 20_000 : 300_000, endsAs: 'CANCELLED' });
        const [theirs] = jobs.scenario.environment.github.checkRuns;
        if (theirs !== undefined) jobs.moveMark(theirs, again);
      },
      ends: {
        scan: 'own-3',
        launches: 3,
        cancelled: ['own-1', 'own-2'],
        marked: ['twin-3', 'own-3'],
      },
    },
    {
      name: 'a job that followed a failed scan switches to the newer scan of a third job',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      ...third('twin', 15_000, {}),
      ends: { scan: 'third', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a job that followed a failed scan launches a new scan instead of using its own cancelled scan',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      run: ({ scenario: { environment } }) => ({
        event: { name: 'pull_request', payload: environment.pullRequestPayload({ action: 'edited' }) },
      }),
      ends: {
        scan: 'own-2',
        launches: 2,
        cancelled: ['own-1'],
        // The mark of the cancelled scan `own-1` still exists, but the job must not use that scan.
        more: (_jobs, { run }) => expect(run.log).not.toContain('Found scan `own-1`'),
      },
    },
    {
      name: 'a job that followed a failed scan asks for the marks until GitHub shows them',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      ...third('twin', 15_000, {}),
      atGitHub: (jobs, point) =>
        point === 'check.list' && jobs.has('third') && jobs.now() < 34_000 ? FORBIDDEN : undefined,
      ends: { scan: 'third', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a job that followed a failed scan launches a new scan if GitHub refuses all further reads of the marks',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      atGitHub: (jobs, point) => (point === 'check.list' && jobs.now() >= 15_000 ? FORBIDDEN : undefined),
      ends: { scan: 'own-2', launches: 2, cancelled: ['own-1'] },
    },
    {
      name: 'a job cancels its second scan and launches a third one if the answer to the second launch is lost',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      atService: (jobs, point) =>
        point === 'scans.launch' && jobs.count(point) === 2 ? { fault: 'reset-after' } : undefined,
      ends: { scan: 'own-3', launches: 3, cancelled: ['own-1', 'own-2'] },
    },
  ]);
});

describe('a job that launches at the same time as another job keeps its own scan', () => {
  testSituations([
    {
      name: 'a job that cannot create a check run keeps its own scan',
      ...twin({ runsForMs: 90_000 }),
      // GitHub lets the other job create its check run first, and then refuses the check run of the action.
      atGitHub: (jobs, point) =>
        point === 'check.create' && jobs.marked().length > 0 ? FORBIDDEN : undefined,
      ends: { scan: 'own-1', launches: 1, marked: ['twin'] },
    },
    {
      name: 'a job keeps its own scan if it created its check run before the other job',
      before: (jobs) => jobs.launch('twin', { runsForMs: 90_000 }),
      onScanRead: async (jobs) => {
        if (jobs.marked().length === 1) await jobs.mark('twin');
      },
      ends: { scan: 'own-1', launches: 1 },
    },
    {
      name: 'a job keeps its own scan if the scan completes before the second read of the marks',
      ...lateTwin({ runsForMs: 90_000 }, 1_000),
      own: { runsForMs: 2_000 },
      ends: {
        scan: 'own-1',
        launches: 1,
        more: (jobs: OtherJobs) => expect(jobs.now()).toBeLessThan(5_000),
      },
    },
  ]);
});
