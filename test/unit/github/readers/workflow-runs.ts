import { listJobs, listRunsOfHead, readWorkflowRun } from '../../../../src/github/workflow-run.ts';
import { appOfCheck, hasRunSince } from '../../../../src/github/workflows.ts';
import { SHA } from '../client.ts';
import { NEXT, type Row } from './row.ts';

const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request' };
const runs = (...ids: unknown[]) => ({
  workflow_runs: ids.map((id) => ({ id, head_sha: SHA.head, conclusion: null })),
});
const MALFORMED_RUNS = [
  ['no list', {}],
  ['a run without an id', runs('three')],
  ['a run without a commit', { workflow_runs: [{ id: 3 }] }],
] as const;
const pastRuns = {
  read: (github) => hasRunSince(github, { ...RUN, since: '2026-01-02' }),
} satisfies Partial<Row>;

const newestRuns: Row = {
  ...pastRuns,
  reader: 'hasRunSince (the newest runs)',

  valid: [['that there was no run', runs()]],
  malformed: MALFORMED_RUNS,
  absent: 'that there was no run of an unknown workflow',
};

const jobs = (...all: unknown[]) => ({ jobs: all.map((steps) => ({ steps })) });
const jobsOfNewestRun: Row = {
  ...pastRuns,
  reader: 'hasRunSince (the jobs of a run)',
  first: [[200, runs(3)]],

  valid: [
    ['that a job began', jobs([], [{ name: 'Set up job' }])],
    ['that there was no job', jobs()],
    ['that no job has steps', jobs([], null)],
    ['that GitHub shows no steps', { jobs: [{}] }],
  ],
  malformed: [
    ['no list', {}],
    ['steps that are no list', jobs('Set up job')],
  ],
};

const appRuns = {
  read: (github) => appOfCheck(github, { ...RUN, name: 'scangate' }),
} satisfies Partial<Row>;
const newestRun: Row = {
  ...appRuns,
  reader: 'appOfCheck (the newest run)',

  valid: [['that there was no run', runs()]],
  malformed: MALFORMED_RUNS,
  absent: 'that there was no run of an unknown workflow',
};

const checks = (...check_runs: object[]) => ({ check_runs });
const checksOfNewestRun: Row = {
  ...appRuns,
  reader: 'appOfCheck (the check runs)',
  first: [[200, runs(3)]],

  valid: [
    ['the app of the newest check run', checks({ id: 1, app: { id: 7 } }, { id: 2, app: { id: 8 } })],
    [
      'the app of the newest check run in a list of another order',
      checks({ id: 2, app: { id: 8 } }, { id: 1 }),
    ],
    ['that there is no check run', checks()],
    ['that GitHub shows no app', checks({ id: 2, app: null }, { id: 1, app: { id: 7 } })],
  ],
  malformed: [
    ['no list', {}],
    ['an app without an id', checks({ id: 1, app: {} })],
  ],
};

const DESCRIBED = {
  id: 100,
  workflow_id: 5,
  run_attempt: 1,
  head_sha: SHA.head,
  event: 'pull_request',
  status: 'completed',
  created_at: '2026-01-15T12:00:00Z',
  run_started_at: '2026-01-15T12:30:00Z',
};

const workflowRun: Row = {
  reader: 'readWorkflowRun',
  read: (github) => readWorkflowRun(github, 100),

  valid: [
    ['the state of the newest attempt', DESCRIBED],
    ['a run without a status as unknown', { ...DESCRIBED, status: null }],
  ],
  malformed: [
    ['no start time', { ...DESCRIBED, run_started_at: undefined }],
    ['no head', { ...DESCRIBED, head_sha: null }],
    ['the attempt 0', { ...DESCRIBED, run_attempt: 0 }],
  ],
};

const runsOfHead: Row = {
  reader: 'listRunsOfHead',
  read: (github) => listRunsOfHead(github, { workflowId: 5, headSha: SHA.head }),

  valid: [
    [
      'only runs of this workflow and head',
      {
        workflow_runs: [
          DESCRIBED,
          { ...DESCRIBED, id: 101, head_sha: SHA.other },
          { ...DESCRIBED, id: 102, workflow_id: 6 },
        ],
      },
    ],
    ['that there are no runs', { workflow_runs: [] }],
  ],
  malformed: [
    ['no list', {}],
    ['a run without an id', { workflow_runs: [{ ...DESCRIBED, id: undefined }] }],
  ],
};

const JOB = {
  id: 900,
  run_id: 100,
  run_attempt: 1,
  head_sha: SHA.head,
  name: 'scangate',
  status: 'completed',
  conclusion: 'failure',
  completed_at: '2026-01-15T12:40:00Z',
};
const MALFORMED_JOBS = [
  ['no list', {}],
  ['a job without an id', { jobs: [{ ...JOB, id: undefined }] }],
  ['a job without a full head', { jobs: [{ ...JOB, head_sha: 'main' }] }],
] as const;
const jobsOfRun = {
  read: (github) => listJobs(github, 100),
} satisfies Partial<Row>;

const jobsOnFirstPage: Row = {
  ...jobsOfRun,
  reader: 'listJobs (the first page)',

  valid: [
    ['a job that ended', { jobs: [JOB] }],
    ['a job that runs', { jobs: [{ ...JOB, status: 'in_progress', conclusion: null, completed_at: null }] }],
  ],
  malformed: MALFORMED_JOBS,
};

const jobsOnSecondPage: Row = {
  ...jobsOfRun,
  reader: 'listJobs (the second page)',
  first: [[200, { jobs: [JOB] }, NEXT]],

  valid: [['the jobs of both pages, in all attempts', { jobs: [{ ...JOB, id: 901, run_attempt: 2 }] }]],
  malformed: MALFORMED_JOBS,
};

export const WORKFLOW_RUN_READERS: readonly Row[] = [
  newestRuns,
  jobsOfNewestRun,
  newestRun,
  checksOfNewestRun,
  workflowRun,
  runsOfHead,
  jobsOnFirstPage,
  jobsOnSecondPage,
];
