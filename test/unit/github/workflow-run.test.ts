import { test } from 'vitest';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { listJobs, listRunsOfHead, readWorkflowRun, rerunJob } from '../../../src/github/workflow-run.ts';
import type { Reply } from '../../support/answering.ts';
import { SHA } from './client.ts';
import { expectConversations } from './conversation.ts';
import { NEXT } from './readers/row.ts';

const RUN = {
  id: 100,
  workflow_id: 5,
  run_attempt: 1,
  head_sha: SHA.head,
  event: 'pull_request',
  status: 'completed',
  created_at: '2026-01-15T12:00:00Z',
  run_started_at: '2026-01-15T12:30:00Z',
};
const JOB = {
  id: 900,
  run_id: 100,
  run_attempt: 1,
  head_sha: SHA.head,
  name: 'scangate',
  status: 'completed',
  conclusion: 'failure',
};
const shows = (change: object = {}): Reply => [200, { ...RUN, ...change }];
const LOST: Reply = [502, 'Bad Gateway'];
const DONE: Reply = [201, {}];
const no = (status: number, message = 'no'): Reply => [status, { message }];

const listRuns = (github: GitHubClient) => listRunsOfHead(github, { workflowId: 5, headSha: SHA.head });
const jobs = (github: GitHubClient) => listJobs(github, 100);
/** Reads the run, then asks for a re-run of its job. */
const rerun = async (github: GitHubClient) => {
  const read = await readWorkflowRun(github, 100);
  return read.ok ? rerunJob(github, 900, read.value) : read;
};
const rerunRow = (what: string, ...replies: Reply[]) =>
  [`re-run: ${what}`, rerun, shows(), ...replies] as const;

test('a job is re-run once, even if the answer is lost', async () => {
  await expectConversations('workflow-run', [
    ['more than one page of runs', listRuns, [200, { workflow_runs: [RUN] }, NEXT]],
    ['too many pages of jobs', jobs, ...[1, 2, 3, 4, 5].map((): Reply => [200, { jobs: [JOB] }, NEXT])],
    rerunRow('accepted', DONE),
    rerunRow('refused', no(403)),
    rerunRow('the job is gone', no(404)),
    rerunRow('a lost answer, and a new attempt', LOST, shows({ run_attempt: 2 })),
    rerunRow('a lost answer, and the run has started', LOST, shows({ status: 'queued' })),
    rerunRow('a lost request', LOST, shows(), DONE),
    rerunRow('two lost requests', LOST, shows(), LOST, shows()),
    rerunRow(
      'a lost answer, and GitHub shows the new attempt late',
      LOST,
      shows(),
      no(403, 'This workflow is already running'),
      shows({ status: 'in_progress', run_attempt: 2 }),
    ),
    rerunRow('a lost answer, and the run cannot be read', LOST, no(404)),
    rerunRow('an unexpected answer, and a new attempt', no(200, 'maintenance'), shows({ run_attempt: 2 })),
  ]);
});
