import { describe, expect } from 'vitest';
import type { Course, OtherJobs, OtherJobsOptions } from './other-jobs.ts';
import { type Situation, testSituations } from './situations.ts';

/** The other job launches its scan, and creates its check run, while this one launches. */
const twin = (course: Course): Pick<Situation, 'onLaunch'> => ({
  onLaunch: async (jobs) => {
    if (jobs.has('twin')) return;
    await jobs.launch('twin', course);
    await jobs.mark('twin');
  },
});

/** The check run of the other job is the first, but GitHub shows it only from then on. */
const lateTwin = (course: Course, fromMs: number): Pick<Situation, 'before'> => ({
  before: async (jobs) => {
    await jobs.launch('twin', course);
    await jobs.mark('twin', { isListed: () => jobs.count('scans.launch') > 0 && jobs.now() >= fromMs });
  },
});

/** Another job launches and marks a scan while this one reads that scan. */
const third = (from: string, atMs: number, course: Course): Pick<OtherJobsOptions, 'onScanRead'> => ({
  onScanRead: async (jobs, scanId) => {
    if (scanId !== from || jobs.now() < atMs || jobs.has('third')) return;
    await jobs.launch('third', course);
    await jobs.mark('third', { mark: { runAttempt: 2 } });
  },
});

const UNAVAILABLE = { status: 503, body: 'Service Unavailable' } as const;
const FORBIDDEN = { status: 403, body: { message: 'Resource not accessible by integration' } } as const;

describe('a job that launches together with another one, which came first,', () => {
  testSituations([
    {
      name: 'cancels its own scan, and follows the other',
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
      name: 'follows the other where its own scan turns out to be cancelled, though no answer said so',
      ...twin({ runsForMs: 90_000 }),
      atService: (jobs, point, scanId) => {
        if (point === 'scans.cancel') return { fault: 'reset-after' };
        const isOwn = point === 'scans.read' && scanId === 'own-1';
        return isOwn && jobs.cancelled().length > 0 && jobs.now() < 5_000 ? UNAVAILABLE : undefined;
      },
      ends: { scan: 'twin', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'does not leave its own scan running where nothing that is asked of it is answered',
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
      name: 'sees the other at its second look, and cancels its own scan then',
      ...lateTwin({ runsForMs: 90_000 }, 2_000),
      ends: { scan: 'twin', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'follows it in vain: launches again, and yields again to a job that came first',
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
      name: 'follows it in vain twice: launches a third time, and keeps that scan',
      ...twin({ runsForMs: 20_000, endsAs: 'CANCELLED' }),
      onScanRead: async (jobs, scanId) => {
        // The other job launches again, too, and moves its mark.
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
      name: 'follows it in vain: follows what another job has launched since',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      ...third('twin', 15_000, {}),
      ends: { scan: 'third', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'follows it in vain: reads the marks again where GitHub does not answer at first',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      ...third('twin', 15_000, {}),
      atGitHub: (jobs, point) =>
        point === 'check.list' && jobs.has('third') && jobs.now() < 34_000 ? FORBIDDEN : undefined,
      ends: { scan: 'third', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'follows it in vain: launches again where the marks stay unreadable',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      atGitHub: (jobs, point) => (point === 'check.list' && jobs.now() >= 15_000 ? FORBIDDEN : undefined),
      ends: { scan: 'own-2', launches: 2, cancelled: ['own-1'] },
    },
    {
      name: 'finds its second launch, whose answer is lost, beside its own first scan',
      ...twin({ runsForMs: 20_000, endsAs: 'FAILED' }),
      atService: (jobs, point) =>
        point === 'scans.launch' && jobs.count(point) === 2 ? { fault: 'reset-after' } : undefined,
      ends: {
        scan: 'own-2',
        launches: 2,
        cancelled: ['own-1'],
        says: ['Recovered the launch of scan `own-2`.'],
      },
    },
  ]);
});

describe('a job that launches together with another one keeps its own scan', () => {
  testSituations([
    {
      name: 'where it has no check run: without a rank it never yields',
      ...twin({ runsForMs: 90_000 }),
      // That of the other job is there by then.
      atGitHub: (jobs, point) =>
        point === 'check.create' && jobs.marked().length > 0 ? FORBIDDEN : undefined,
      ends: { scan: 'own-1', launches: 1, marked: ['twin'] },
    },
    {
      name: 'where the other created its check run later',
      before: (jobs) => jobs.launch('twin', { runsForMs: 90_000 }),
      onScanRead: async (jobs) => {
        if (jobs.marked().length === 1) await jobs.mark('twin');
      },
      ends: { scan: 'own-1', launches: 1 },
    },
    {
      name: 'where that is COMPLETED before the second look',
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
