import { test } from 'vitest';
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
import type { Refusal } from '../../../src/triage/refusal.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { aMark } from '../scan/marked.ts';

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const OTHER = 'd'.repeat(40);
const NOW = new Date('2026-01-20T12:00:00Z');
const MARK = aMark({ pullRequest: 7, contentKey: 'c'.repeat(22), runId: 100 });
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
const [SECOND, RUNNING] = [
  { ...JOB, id: 901, attempt: 2 },
  { ...JOB, completedAt: undefined },
];
const TEST_JOB = { ...JOB, id: 901, name: 'test' };
const ATTEMPT_2 = { ...RUN, attempt: 2, startedAt: new Date('2026-01-20T09:30:00Z') };

const reasonOf = (refusal: Refusal | undefined) => refusal?.reason ?? 'allowed';

function found(mark: Partial<ScanMark> = {}, name = 'Security scan', id = 1): FoundMark {
  return { ...MARK, ...mark, checkRun: { id, name, url: undefined, completed: true } };
}

const chosen = (marks: readonly FoundMark[]) => {
  const mark = chooseMark(marks, { pullRequest: 7, headSha: HEAD, checkName: 'Security scan' });
  return mark === undefined ? 'none' : `run ${mark.runId}, attempt ${mark.runAttempt}`;
};

/** The newest attempt of the run, who asked for it, and which attempts left a mark and a comment. */
const askedBefore = ({
  actor = 'github-actions[bot]',
  attempt = 2,
  marked = 1,
  comment = { runId: 100, runAttempt: 1 },
  viewer = 'github-actions',
}) => {
  const type = actor.endsWith('[bot]') ? 'Bot' : 'User';
  const triggeringActor = actor === '' ? undefined : { login: actor, type };
  const marker = { checkName: 'Security scan', headSha: HEAD, ...comment };
  return isAskedBefore({ ...MARK, runAttempt: marked }, { ...RUN, attempt, triggeringActor }, viewer, marker);
};

const runRefused = ({ askedAt, ...change }: Partial<WorkflowRun> & { readonly askedAt?: string }) => {
  const run = { ...RUN, ...change };
  const asked = askedAt === undefined ? undefined : new Date(askedAt);
  return reasonOf(refuseOtherRun(MARK, run) ?? refuseRun(run, { now: NOW, askedAt: asked }));
};

const jobOf = ([jobs, name]: readonly [jobs: readonly WorkflowJob[], name?: string]) => {
  const job = chooseJob(RUN, jobs, name, ['failure']);
  if (job.ok) return `job ${job.value.id}`;
  return job.error.reason === 'no-job' ? `no-job. ${job.error.nextStep}` : job.error.reason;
};

interface Asked {
  /** The time of day of the comment. The job ended at 09:05:00. */
  readonly at: string;
  readonly run?: Partial<WorkflowRun>;
  readonly jobs?: readonly WorkflowJob[];
  readonly jobName?: string;
}
const younger = ({ at, run, jobs = [JOB], jobName }: Asked) =>
  reasonOf(refuseYounger({ ...RUN, ...run }, jobs, { askedAt: new Date(`2026-01-20T${at}Z`), jobName }));

test('the rules of a re-run decide as decide.txt shows', async () => {
  await expectTable('decide', {
    'chooseMark, for marks': {
      ...casesOf(chosen, {
        'of several runs and attempts': [
          found({ runId: 99, runAttempt: 5 }, undefined, 9),
          found({ runId: 100, runAttempt: 1 }, undefined, 8),
          found({ runId: 100, runAttempt: 2 }, undefined, 3),
          found({ runId: 100, runAttempt: 1 }, undefined, 10),
        ],
        'of another pull request': [found({ pullRequest: 8 })],
        'without a pull request': [found({ pullRequest: undefined })],
        'of another head': [found({ headSha: OTHER })],
        'in a check run with another name': [found({}, 'Other scan')],
        'in a comment': [{ ...MARK, checkRun: undefined }],
      }),
    },
    'refuseMark, for a mark': casesOf((mark) => reasonOf(refuseMark({ ...MARK, ...mark })), {
      'of a run that reuses scans': {},
      'without a content key': { contentKey: undefined },
      'of a run that reuses no scan': { reusesNone: true as const },
      'of the ninth attempt': { runAttempt: 9 },
      'of the tenth attempt': { runAttempt: 10 },
    }),
    'refuseOtherRun and refuseRun, for a run': casesOf(runRefused, {
      'of the event pull_request': {},
      'that a newer comment asks for': { askedAt: '2026-01-20T09:00:01Z' },
      'of the event pull_request_target': { event: 'pull_request_target' },
      'of the event pull_request_target with the head of the base branch': {
        headSha: BASE,
        event: 'pull_request_target',
      },
      'with nine attempts': { attempt: 9 },
      'with an age of just under 30 days': { createdAt: new Date('2025-12-21T12:00:01Z') },
      'with another id': { id: 101 },
      'with another head': { headSha: OTHER },
      'of the event push': { event: 'push' },
      'of the event push with the head of the base branch': { headSha: BASE, event: 'push' },
      'of the event merge_group': { event: 'merge_group' },
      'of the event schedule': { event: 'schedule' },
      'of the event issue_comment': { event: 'issue_comment' },
      'with fewer attempts than the mark names': { attempt: 0 },
      'that is queued': { status: 'queued' },
      'that is in progress': { status: 'in_progress' },
      'with an unknown status': { status: 'unknown' },
      'with ten attempts': { attempt: 10 },
      'with an age of 30 days': { createdAt: new Date('2025-12-21T12:00:00Z') },
      'that started with the comment': { askedAt: '2026-01-20T09:00:00Z' },
      'that started after the comment': { askedAt: '2026-01-20T08:59:59Z' },
    }),
    'refuseBeside, beside another run': casesOf(
      (status) => reasonOf(refuseBeside([RUN, { ...RUN, status }])),
      {
        'that is completed': 'completed',
        'that waits': 'waiting',
      },
    ),
    'isAskedBefore, if our account asked for the newest attempt, and': casesOf(askedBefore, {
      'the attempt left no mark': {},
      'the attempt left no mark, and wrote the comment': { comment: { runId: 100, runAttempt: 2 } },
      'the attempt left a mark, and the comment says the same as before': { marked: 2 },
      'the comment names an attempt that does not exist': {
        marked: 2,
        comment: { runId: 100, runAttempt: 999 },
      },
      'a later run wrote the comment': { marked: 2, comment: { runId: 101, runAttempt: 2 } },
      'our token belongs to an app': { actor: 'gate-app[bot]', viewer: 'gate-app' },
      'the attempt left a new result': { marked: 2, comment: { runId: 100, runAttempt: 2 } },
    }),
    'isAskedBefore, if': casesOf(askedBefore, {
      'GitHub does not show who asked for the newest attempt': { actor: '' },
      'a user asked for the newest attempt': { actor: 'ada' },
      'another app asked for the newest attempt': { actor: 'gate-app[bot]' },
      'the run has one attempt': { attempt: 1 },
    }),
    'chooseJob, for': casesOf(jobOf, {
      'the only job': [[JOB]],
      'two attempts of one job': [[JOB, SECOND]],
      'the job of the given name': [[JOB, TEST_JOB], 'scangate'],
      'two jobs without a given name': [[JOB, TEST_JOB]],
      'two attempts with different jobs': [[JOB, { ...TEST_JOB, attempt: 2 }]],
      'an unknown name': [[JOB, { ...JOB, name: 'test\u0007' }], 'gate'],
      'a name that differs in case': [[JOB], 'Scangate'],
      'two jobs of the given name': [[JOB, { ...JOB, id: 901 }], 'scangate'],
      'no jobs': [[]],
      'a job of another run': [[{ ...JOB, runId: 101 }]],
      'a job that passed': [[{ ...JOB, conclusion: 'success' }]],
      'a job that was cancelled': [[{ ...JOB, conclusion: 'cancelled' }]],
      'a job that was skipped': [[{ ...JOB, conclusion: 'skipped' }]],
      'a job that passed in the latest attempt': [[JOB, { ...SECOND, conclusion: 'success' }]],
      'a job in progress': [[{ ...JOB, status: 'in_progress', conclusion: '' }]],
    }),
    'refuseYounger, for a command': casesOf(younger, {
      'a minute after the job ended': { at: '09:06:00' },
      'less than a minute after the job ended': { at: '09:05:59' },
      'before the run started': { at: '08:59:00' },
      'before the run started, if no job is listed': { at: '08:59:00', jobs: [] },
      'while the job runs': { at: '09:07:00', jobs: [RUNNING] },
      'before the job of the run is listed': { at: '09:07:00', run: { status: 'in_progress' }, jobs: [] },
      'before the job of a new attempt is listed': { at: '09:07:00', run: { attempt: 2, status: 'queued' } },
      'less than a minute after the job ended, with another job name': { at: '09:05:30', jobName: 'gate' },
      'while the job runs, with another job name': { at: '09:07:00', jobs: [RUNNING], jobName: 'gate' },
      'after the job ended, if another job was run again': { at: '09:07:00', run: ATTEMPT_2 },
      'if the run ended without a job': { at: '09:07:00', jobs: [] },
      'if the named job has ended, and another one runs': {
        at: '09:07:00',
        jobs: [JOB, { ...RUNNING, name: 'test' }],
        jobName: 'scangate',
      },
    }),
  });
});
