import { listJobs, listRunsOfHead, readWorkflowRun } from '../../../../src/github/workflow-run.ts';
import { appOfCheck, hasRunSince } from '../../../../src/github/workflows.ts';
import { SHA } from '../client.ts';
import { NEXT, type Row } from './row.ts';

const REPOSITORY = '/repos/acme/shop';
const ACTIONS = `${REPOSITORY}/actions`;

const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request' };
const RUNS = `GET ${ACTIONS}/workflows/scangate.yml/runs`;
const runs = (...ids: unknown[]) => ({
  workflow_runs: ids.map((id) => ({ id, head_sha: SHA.head, conclusion: null })),
});
const MALFORMED_RUNS = [
  ['no list', {}],
  ['a run without an id', runs('three')],
  ['a run without a commit', { workflow_runs: [{ id: 3 }] }],
] as const;
const pastRuns = {
  read: (github, signal) => hasRunSince(github, { ...RUN, since: '2026-01-02' }, signal),
  permission: 'actions: read',
} satisfies Partial<Row>;

const newestRuns: Row = {
  ...pastRuns,
  reader: 'hasRunSince (the newest runs)',
  request: `${RUNS}?event=pull_request&per_page=5&created=%3E%3D2026-01-02`,
  operation: 'list the workflow runs',
  valid: [['that there was no run', runs(), false]],
  malformed: MALFORMED_RUNS,
  absent: ['that there was no run of an unknown workflow', false],
};

const jobs = (...all: unknown[]) => ({ jobs: all.map((steps) => ({ steps })) });
const jobsOfNewestRun: Row = {
  ...pastRuns,
  reader: 'hasRunSince (the jobs of a run)',
  first: [[newestRuns.request, { status: 200, body: runs(3) }]],
  request: `GET ${ACTIONS}/runs/3/jobs?per_page=100`,
  operation: 'list the jobs of the workflow run',
  valid: [
    ['that a job began', jobs([], [{ name: 'Set up job' }]), true],
    ['that there was no job', jobs(), false],
    ['that no job has steps', jobs([], null), false],
    ['that GitHub shows no steps', { jobs: [{}] }, false],
  ],
  malformed: [
    ['no list', {}],
    ['steps that are no list', jobs('Set up job')],
  ],
};

const appRuns = {
  read: (github, signal) => appOfCheck(github, { ...RUN, name: 'scangate' }, signal),
} satisfies Partial<Row>;
const newestRun: Row = {
  ...appRuns,
  reader: 'appOfCheck (the newest run)',
  request: `${RUNS}?event=pull_request&per_page=1`,
  operation: 'list the workflow runs',
  permission: 'actions: read',
  valid: [['that there was no run', runs(), undefined]],
  malformed: MALFORMED_RUNS,
  absent: ['that there was no run of an unknown workflow', undefined],
};

const checks = (...check_runs: object[]) => ({ check_runs });
const checksOfNewestRun: Row = {
  ...appRuns,
  reader: 'appOfCheck (the check runs)',
  first: [[newestRun.request, { status: 200, body: runs(3) }]],
  request: `GET ${REPOSITORY}/commits/${SHA.head}/check-runs?check_name=scangate&per_page=100`,
  operation: 'list the check runs',
  permission: 'checks: read',
  valid: [
    ['the app of the newest check run', checks({ id: 1, app: { id: 7 } }, { id: 2, app: { id: 8 } }), 8],
    [
      'the app of the newest check run in a list of another order',
      checks({ id: 2, app: { id: 8 } }, { id: 1 }),
      8,
    ],
    ['that there is no check run', checks(), undefined],
    ['that GitHub shows no app', checks({ id: 2, app: null }, { id: 1, app: { id: 7 } }), undefined],
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
const READ_RUN = {
  id: 100,
  workflowId: 5,
  attempt: 1,
  headSha: SHA.head,
  event: 'pull_request',
  status: 'completed',
  createdAt: new Date(DESCRIBED.created_at),
  startedAt: new Date(DESCRIBED.run_started_at),
};
const permission = 'actions: write';

const workflowRun: Row = {
  reader: 'readWorkflowRun',
  read: (github, signal) => readWorkflowRun(github, 100, signal),
  request: `GET ${ACTIONS}/runs/100`,
  operation: 'read the workflow run',
  permission,
  valid: [
    ['the state of the newest attempt', DESCRIBED, READ_RUN],
    ['a run without a status as unknown', { ...DESCRIBED, status: null }, { ...READ_RUN, status: 'unknown' }],
  ],
  malformed: [
    ['no start time', { ...DESCRIBED, run_started_at: undefined }],
    ['no head', { ...DESCRIBED, head_sha: null }],
    ['the attempt 0', { ...DESCRIBED, run_attempt: 0 }],
  ],
};

const runsOfHead: Row = {
  reader: 'listRunsOfHead',
  read: (github, signal) => listRunsOfHead(github, { workflowId: 5, headSha: SHA.head }, signal),
  request: `GET ${ACTIONS}/workflows/5/runs?head_sha=${SHA.head}&per_page=100&page=1`,
  operation: 'list the workflow runs',
  permission,
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
      [READ_RUN],
    ],
    ['that there are no runs', { workflow_runs: [] }, []],
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
const READ_JOB = {
  id: 900,
  runId: 100,
  attempt: 1,
  headSha: SHA.head,
  name: 'scangate',
  status: 'completed',
  conclusion: 'failure',
  completedAt: new Date(JOB.completed_at),
};
const MALFORMED_JOBS = [
  ['no list', {}],
  ['a job without an id', { jobs: [{ ...JOB, id: undefined }] }],
  ['a job without a full head', { jobs: [{ ...JOB, head_sha: 'main' }] }],
] as const;
const jobsOfRun = {
  read: (github, signal) => listJobs(github, 100, signal),
  operation: 'list the jobs of the workflow run',
  permission,
} satisfies Partial<Row>;
const JOBS = `GET ${ACTIONS}/runs/100/jobs?filter=all&per_page=100&page=`;

const jobsOnFirstPage: Row = {
  ...jobsOfRun,
  reader: 'listJobs (the first page)',
  request: `${JOBS}1`,
  valid: [
    ['a job that ended', { jobs: [JOB] }, [READ_JOB]],
    [
      'a job that runs',
      { jobs: [{ ...JOB, status: 'in_progress', conclusion: null, completed_at: null }] },
      [{ ...READ_JOB, status: 'in_progress', conclusion: '', completedAt: undefined }],
    ],
  ],
  malformed: MALFORMED_JOBS,
};

const jobsOnSecondPage: Row = {
  ...jobsOfRun,
  reader: 'listJobs (the second page)',
  first: [[jobsOnFirstPage.request, { status: 200, body: { jobs: [JOB] }, headers: NEXT }]],
  request: `${JOBS}2`,
  valid: [
    [
      'the jobs of both pages, in all attempts',
      { jobs: [{ ...JOB, id: 901, run_attempt: 2 }] },
      [READ_JOB, { ...READ_JOB, id: 901, attempt: 2 }],
    ],
  ],
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
