import { listCheckRuns } from '../../../../src/github/check-run.ts';
import type { GitHubClient } from '../../../../src/github/octokit.ts';
import { readCurrentComment } from '../../../../src/github/reply.ts';
import { listJobs, listRunsOfHead, readWorkflowRun } from '../../../../src/github/workflow-run.ts';
import { appOfCheck, hasRunSince } from '../../../../src/github/workflows.ts';
import { JOB, WORKFLOW_RUN } from '../answers.ts';
import { SHA } from '../samples.ts';
import type { Reader } from './reader.ts';

const NAME = 'Security scan';
const check = (id: number, changes: object = {}) => ({ id, name: NAME, head_sha: SHA.head, ...changes });
const CHECKS = {
  check_runs: [
    check(5, {
      html_url: 'https://github.com/acme/shop/runs/5',
      external_id: 'v1:s',
      status: 'completed',
      output: { summary: 'Blocked.' },
    }),
    check(7, { name: 'Another scan' }),
    check(6, { head_sha: SHA.other }),
  ],
};

const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request' };
const RUNS = { workflow_runs: [{ id: 3, head_sha: SHA.head, conclusion: null }] };
const hasRun = (github: GitHubClient) => hasRunSince(github, { ...RUN, since: '2026-01-02' });
const app = (github: GitHubClient) => appOfCheck(github, { ...RUN, name: 'scangate' });

export const WORKFLOW_RUN_READERS: readonly Reader[] = [
  { name: 'listCheckRuns', read: (github) => listCheckRuns(github, SHA.head, NAME), answer: CHECKS },
  {
    name: 'listCheckRuns without a name',
    read: (github) => listCheckRuns(github, SHA.head, undefined),
    answer: { check_runs: [] },
  },
  {
    name: 'readCurrentComment',
    read: (github) => readCurrentComment(github, 5_000_000_001),
    answer: { body: 'a\r\nb', user: { id: 3, login: 'ada' } },
  },
  { name: 'hasRunSince', read: hasRun, answer: RUNS, later: [[200, { jobs: [] }]] },
  {
    name: 'hasRunSince: the jobs',
    read: hasRun,
    first: [[200, RUNS]],
    answer: { jobs: [{ steps: [{ name: 'Set up job' }] }] },
  },
  { name: 'appOfCheck', read: app, answer: RUNS, later: [[200, { check_runs: [] }]] },
  {
    name: 'appOfCheck: the check runs',
    read: app,
    first: [[200, RUNS]],
    answer: {
      check_runs: [
        { id: 2, app: { id: 8 } },
        { id: 1, app: { id: 7 } },
      ],
    },
    others: [{ 'check_runs.0.id': 0 }],
  },
  {
    name: 'readWorkflowRun',
    read: (github) => readWorkflowRun(github, WORKFLOW_RUN.id),
    answer: WORKFLOW_RUN,
  },
  {
    name: 'listRunsOfHead',
    read: (github) => listRunsOfHead(github, { workflowId: 5, headSha: SHA.head }),
    answer: {
      workflow_runs: [
        WORKFLOW_RUN,
        { ...WORKFLOW_RUN, id: 101, head_sha: SHA.other },
        { ...WORKFLOW_RUN, id: 102, workflow_id: 6 },
      ],
    },
  },
  { name: 'listJobs', read: (github) => listJobs(github, JOB.run_id), answer: { jobs: [JOB] } },
];
