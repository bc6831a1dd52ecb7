import { describe, expect, test } from 'vitest';
import type { WorkflowJob, WorkflowRun } from '../../../src/github/workflow-run.ts';
import type { FoundMark } from '../../../src/scan/marks.ts';
import type { ScanMark } from '../../../src/scan/scan-mark.ts';
import {
  chooseJob,
  chooseMark,
  isAskedBefore,
  refuseBeside,
  refuseMark,
  refuseOtherRun,
  refuseRun,
  refuseYounger,
} from '../../../src/triage/decide.ts';

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const SUBJECT = { pullRequest: 7, headSha: HEAD, checkName: 'Security scan' };
const NOW = new Date('2026-01-20T12:00:00Z');
const MARK: ScanMark = {
  scanId: 'scn_1',
  pullRequest: 7,
  headSha: HEAD,
  baseSha: BASE,
  key: 'k'.repeat(22),
  contentKey: 'c'.repeat(22),
  launchedAt: 1_790_000_000,
  runId: 100,
  runAttempt: 1,
};
const RUN: WorkflowRun = {
  id: 100,
  workflowId: 5,
  attempt: 1,
  headSha: HEAD,
  event: 'pull_request',
  status: 'completed',
  createdAt: new Date('2026-01-20T09:00:00Z'),
  startedAt: new Date('2026-01-20T09:00:00Z'),
  triggeringActor: { login: 'ada', type: 'User' },
};
const JOB: WorkflowJob = {
  id: 900,
  runId: 100,
  attempt: 1,
  headSha: HEAD,
  name: 'scangate',
  status: 'completed',
  conclusion: 'failure',
  completedAt: new Date('2026-01-20T09:05:00Z'),
};

function found(mark: Partial<ScanMark> = {}, name = 'Security scan', id = 1): FoundMark {
  return { ...MARK, ...mark, checkRun: { id, name, url: undefined, completed: true } };
}

const MARKER = { checkName: 'Security scan', headSha: MARK.headSha, runId: 100, runAttempt: 1 };

describe('isAskedBefore', () => {
  const BOT = { login: 'github-actions[bot]', type: 'Bot' };
  const APP = { login: 'gate-app[bot]', type: 'Bot' };
  const asked = ({
    actor = BOT as typeof BOT | undefined,
    attempt = 2,
    marked = 1,
    comment = { runId: 100, runAttempt: 1 },
    viewer = 'github-actions',
  }) =>
    isAskedBefore({ ...MARK, runAttempt: marked }, { ...RUN, attempt, triggeringActor: actor }, viewer, {
      ...MARKER,
      ...comment,
    });

  test.each([
    ['the attempt left no mark', {}],
    ['the attempt left no mark, and wrote the comment', { comment: { runId: 100, runAttempt: 2 } }],
    ['the attempt left a mark, and the comment says the same as before', { marked: 2 }],
    [
      'the comment names an attempt that does not exist',
      { marked: 2, comment: { runId: 100, runAttempt: 999 } },
    ],
    ['a later run wrote the comment', { marked: 2, comment: { runId: 101, runAttempt: 2 } }],
    ['our token belongs to an app', { actor: APP, viewer: 'gate-app' }],
  ])('isAskedBefore returns true if our account asked for the newest attempt and %s', (_what, given) => {
    expect(asked(given)).toBe(true);
  });

  test('isAskedBefore returns true if GitHub does not show who asked for the newest attempt', () => {
    const run = { ...RUN, attempt: 2, triggeringActor: undefined };
    expect(isAskedBefore(MARK, run, 'github-actions', MARKER)).toBe(true);
  });

  test.each([
    ['a user asked for the newest attempt', { actor: { login: 'ada', type: 'User' } }],
    ['another app asked for the newest attempt', { actor: APP }],
    ['the run has one attempt', { attempt: 1 }],
    ['the attempt left a new result', { marked: 2, comment: { runId: 100, runAttempt: 2 } }],
  ])('isAskedBefore returns false if %s', (_what, given) => {
    expect(asked(given)).toBe(false);
  });
});

describe('chooseMark and refuseMark', () => {
  test('chooseMark chooses the mark of the latest run and attempt, in any order of the check runs', () => {
    const marks = [
      found({ runId: 99, runAttempt: 5 }, undefined, 9),
      found({ runId: 100, runAttempt: 1 }, undefined, 8),
      found({ runId: 100, runAttempt: 2 }, undefined, 3),
      found({ runId: 100, runAttempt: 1 }, undefined, 10),
    ];
    expect(chooseMark(marks, SUBJECT)).toMatchObject({ runId: 100, runAttempt: 2 });
  });

  test.each<[what: string, mark: FoundMark]>([
    ['of another pull request', found({ pullRequest: 8 })],
    ['without a pull request', found({ pullRequest: undefined })],
    ['of another head', found({ headSha: 'd'.repeat(40) })],
    ['in a check run with another name', found({}, 'Other scan')],
    ['in a comment', { ...MARK, checkRun: undefined }],
  ])('chooseMark ignores a mark %s', (_what, mark) => {
    expect(chooseMark([mark], SUBJECT)).toBeUndefined();
  });

  test('refuseMark returns `may-launch` for a mark without a content key, or of a run that reuses no scan', () => {
    expect(refuseMark(MARK)).toBeUndefined();
    expect(refuseMark({ ...MARK, contentKey: undefined })?.reason).toBe('may-launch');
    expect(refuseMark({ ...MARK, reusesNone: true })?.reason).toBe('may-launch');
  });

  test('refuseMark refuses the mark of the tenth attempt of a run', () => {
    expect(refuseMark({ ...MARK, runAttempt: 9 })).toBeUndefined();
    expect(refuseMark({ ...MARK, runAttempt: 10 })?.reason).toBe('too-many-attempts');
  });
});

describe('refuseRun and refuseBeside', () => {
  const refusal = (run: WorkflowRun, given: Parameters<typeof refuseRun>[1]) =>
    refuseOtherRun(MARK, run) ?? refuseRun(run, given);
  const asked = (at?: string) => ({ now: NOW, askedAt: at === undefined ? undefined : new Date(at) });

  test.each<[event: string]>([['pull_request'], ['pull_request_target']])(
    'refuseRun allows a re-run of a run for the event %s',
    (event) => {
      expect(refusal({ ...RUN, event }, asked())).toBeUndefined();
      expect(refusal({ ...RUN, event }, asked('2026-01-20T09:00:01Z'))).toBeUndefined();
    },
  );

  test.each<[what: string, change: Partial<WorkflowRun>]>([
    [
      'the head of the base branch and the event pull_request_target',
      { headSha: BASE, event: 'pull_request_target' },
    ],
    ['nine attempts', { attempt: 9 }],
    ['an age of just under 30 days', { createdAt: new Date('2025-12-21T12:00:01Z') }],
  ])('refuseRun allows a re-run of a run with %s', (_what, change) => {
    expect(refusal({ ...RUN, ...change }, asked())).toBeUndefined();
  });

  test.each<[what: string, change: Partial<WorkflowRun>, reason: string]>([
    ['another id', { id: 101 }, 'other-run'],
    ['another head', { headSha: 'd'.repeat(40) }, 'other-run'],
    ['the event push', { event: 'push' }, 'other-run'],
    ['the event push and the head of the base branch', { headSha: BASE, event: 'push' }, 'other-run'],
    ['the event merge_group', { event: 'merge_group' }, 'other-run'],
    ['the event schedule', { event: 'schedule' }, 'other-run'],
    ['the event issue_comment', { event: 'issue_comment' }, 'other-run'],
    ['fewer attempts than the mark names', { attempt: 0 }, 'other-run'],
    ['the status queued', { status: 'queued' }, 'under-way'],
    ['the status in_progress', { status: 'in_progress' }, 'under-way'],
    ['an unknown status', { status: 'unknown' }, 'under-way'],
    ['ten attempts', { attempt: 10 }, 'too-many-attempts'],
    ['an age of 30 days', { createdAt: new Date('2025-12-21T12:00:00Z') }, 'too-old'],
  ])('refuseRun refuses a run with %s', (_what, change, reason) => {
    expect(refusal({ ...RUN, ...change }, asked())?.reason).toBe(reason);
  });

  test.each<[at: string]>([['2026-01-20T09:00:00Z'], ['2026-01-20T08:59:59Z']])(
    'refuseRun refuses a comment that is not newer than the run (%s)',
    (at) => {
      expect(refusal(RUN, asked(at))?.reason).toBe('already-rerun');
    },
  );

  test('refuseBeside refuses a re-run while another run of the head is not completed', () => {
    expect(refuseBeside([RUN, { ...RUN, id: 101 }])).toBeUndefined();
    expect(refuseBeside([RUN, { ...RUN, id: 101, status: 'waiting' }])?.reason).toBe('under-way');
  });
});

describe('chooseJob', () => {
  const reasonOf = (jobs: readonly WorkflowJob[], name?: string) => {
    const chosen = chooseJob(RUN, jobs, name, ['failure']);
    return chosen.ok ? chosen.value.id : chosen.error.reason;
  };

  test.each<[what: string, jobs: readonly WorkflowJob[], name: string | undefined, chosen: number | string]>([
    ['the only job', [JOB], undefined, 900],
    [
      'the job of the latest attempt if every attempt has one job with the same name',
      [JOB, { ...JOB, id: 901, attempt: 2 }],
      undefined,
      901,
    ],
    ['the job with the configured name', [JOB, { ...JOB, id: 901, name: 'test' }], 'scangate', 900],
    [
      'no job if there are several jobs and no name is configured',
      [JOB, { ...JOB, id: 901, name: 'test' }],
      undefined,
      'no-job',
    ],
    [
      'no job if the two attempts ran jobs with different names',
      [JOB, { ...JOB, id: 901, name: 'test', attempt: 2 }],
      undefined,
      'no-job',
    ],
    ['no job if the configured name is unknown', [JOB], 'gate', 'no-job'],
    ['no job if the name differs in case', [JOB], 'Scangate', 'no-job'],
    [
      'no job if two jobs of an attempt have the configured name',
      [JOB, { ...JOB, id: 901 }],
      'scangate',
      'no-job',
    ],
    ['no job if the run has no jobs', [], undefined, 'no-job'],
    ['no job if the only job is of another run', [{ ...JOB, runId: 101 }], undefined, 'no-job'],
    ['no job if the only job passed', [{ ...JOB, conclusion: 'success' }], undefined, 'not-failed'],
    ['no job if the only job was cancelled', [{ ...JOB, conclusion: 'cancelled' }], undefined, 'not-failed'],
    ['no job if the only job was skipped', [{ ...JOB, conclusion: 'skipped' }], undefined, 'not-failed'],
    [
      'no job if the job passed in the latest attempt',
      [JOB, { ...JOB, id: 901, attempt: 2, conclusion: 'success' }],
      undefined,
      'not-failed',
    ],
    [
      'no job if the only job is in progress',
      [{ ...JOB, status: 'in_progress', conclusion: '' }],
      undefined,
      'under-way',
    ],
  ])('chooseJob chooses %s', (_what, jobs, name, chosen) => {
    expect(reasonOf(jobs, name)).toBe(chosen);
  });

  test('chooseJob names the jobs of the run if none has the configured name', () => {
    const chosen = chooseJob(RUN, [JOB, { ...JOB, name: 'test\u0007' }], 'gate', ['failure']);
    expect(chosen).toMatchObject({
      ok: false,
      error: { nextStep: expect.stringContaining('scangate, test.') },
    });
  });
});

describe('refuseYounger', () => {
  const asked = (askedAt: string, jobName?: string) => ({ askedAt: new Date(askedAt), jobName });

  const running = { ...JOB, completedAt: undefined };
  test.each<[string, string, WorkflowRun, readonly WorkflowJob[], string, string?]>([
    ['less than a minute after the job ended', '2026-01-20T09:05:30Z', RUN, [JOB], 'too-young'],
    ['before the run started', '2026-01-20T08:59:00Z', RUN, [JOB], 'too-young'],
    ['while the job runs', '2026-01-20T09:07:00Z', RUN, [running], 'under-way'],
    [
      'before the job of the run is listed',
      '2026-01-20T09:07:00Z',
      { ...RUN, status: 'in_progress' },
      [],
      'under-way',
    ],
    [
      'before the job of a new attempt is listed',
      '2026-01-20T09:07:00Z',
      { ...RUN, attempt: 2, status: 'queued' },
      [JOB],
      'under-way',
    ],
    ['before the run started, if no job is listed', '2026-01-20T08:59:00Z', RUN, [], 'too-young'],
    [
      'less than a minute after the job ended, even if another job name is configured',
      '2026-01-20T09:05:30Z',
      RUN,
      [JOB],
      'too-young',
      'gate',
    ],
    [
      'while the job runs, even if another job name is configured',
      '2026-01-20T09:07:00Z',
      RUN,
      [running],
      'under-way',
      'gate',
    ],
  ])('refuseYounger refuses a command %s', (_, at, run, jobs, reason, jobName) => {
    expect(refuseYounger(run, jobs, asked(at, jobName))?.reason).toBe(reason);
  });

  test.each<[string, string, WorkflowRun, readonly WorkflowJob[], string?]>([
    ['two minutes after the job ended', '2026-01-20T09:07:00Z', RUN, [JOB]],
    [
      'after the job ended, even if another job was run again since',
      '2026-01-20T09:07:00Z',
      { ...RUN, attempt: 2, startedAt: new Date('2026-01-20T09:30:00Z') },
      [JOB],
    ],
    ['if the run ended without a job', '2026-01-20T09:07:00Z', RUN, []],
    [
      'if the configured job has ended, and another job runs',
      '2026-01-20T09:07:00Z',
      RUN,
      [JOB, { ...running, name: 'test' }],
      'scangate',
    ],
  ])('refuseYounger allows a command %s', (_, at, run, jobs, jobName) => {
    expect(refuseYounger(run, jobs, asked(at, jobName))).toBeUndefined();
  });
});
