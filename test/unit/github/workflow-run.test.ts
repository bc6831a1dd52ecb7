import { afterEach, describe, expect, test } from 'vitest';
import { listJobs, listRunsOfHead, readWorkflowRun, rerunJob } from '../../../src/github/workflow-run.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';
import { NEXT } from './readers/row.ts';

const ROOT = '/repos/acme/shop/actions';
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

afterEach(expectNoAnswerLeft);

async function runBefore() {
  github().get(`${ROOT}/runs/100`).reply(200, RUN);
  const read = await readWorkflowRun(client(), 100, NEVER_ABORTED);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

describe('listRunsOfHead', () => {
  const path = `${ROOT}/workflows/5/runs?head_sha=${SHA.head}&per_page=100&page=1`;
  const list = () => listRunsOfHead(client(), { workflowId: 5, headSha: SHA.head }, NEVER_ABORTED);

  test('listRunsOfHead returns an error if the runs do not fit on one page', async () => {
    github()
      .get(path)
      .reply(200, { workflow_runs: [RUN] }, NEXT);
    expect(await list()).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });
});

describe('listJobs', () => {
  const path = (page: number) => `${ROOT}/runs/100/jobs?filter=all&per_page=100&page=${page}`;

  test('listJobs returns an error if the list has too many pages', async () => {
    for (const page of [1, 2, 3, 4, 5])
      github()
        .get(path(page))
        .reply(200, { jobs: [JOB] }, NEXT);
    expect(await listJobs(client(), 100, NEVER_ABORTED)).toMatchObject({ error: { kind: 'invalid' } });
  });
});

describe('rerunJob', () => {
  const path = `${ROOT}/jobs/900/rerun`;
  const rerun = async () => rerunJob(client(), 900, await runBefore(), NEVER_ABORTED);
  const later = (change: object) =>
    github()
      .get(`${ROOT}/runs/100`)
      .reply(200, { ...RUN, ...change });

  test('rerunJob succeeds if GitHub accepts the re-run', async () => {
    github().post(path).reply(201, {});
    expect(await rerun()).toEqual({ ok: true, value: undefined });
  });

  test.each([
    ['refuses the request', 403, 'forbidden'],
    ['no longer has the job', 404, 'not-found'],
  ])('rerunJob does not send the request again if GitHub %s', async (_what, status, kind) => {
    github().post(path).reply(status, { message: 'no' });
    expect(await rerun()).toMatchObject({ ok: false, error: { kind } });
  });

  test.each([
    ['has a new attempt', { run_attempt: 2 }],
    ['is running', { status: 'queued' }],
  ])('rerunJob succeeds after an ambiguous answer if the run %s', async (_what, change) => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    later(change);
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });

  test('rerunJob sends the request once more after an ambiguous answer if the run has not changed', async () => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    later({});
    github().post(path).reply(201, {});
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });

  test('rerunJob requests a re-run at most twice', async () => {
    const run = await runBefore();
    github().post(path).twice().reply(502, 'Bad Gateway');
    github().get(`${ROOT}/runs/100`).twice().reply(200, RUN);
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({
      ok: false,
      error: { kind: 'unreachable' },
    });
  });

  test('rerunJob succeeds if the first request already started the run', async () => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    later({});
    github().post(path).reply(403, { message: 'This workflow is already running' });
    later({ status: 'in_progress', run_attempt: 2 });
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });

  test('rerunJob sends no second request if the run cannot be read', async () => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    github().get(`${ROOT}/runs/100`).reply(404, { message: 'Not Found' });
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: false });
  });

  test('rerunJob succeeds after an unexpected answer if the run has a new attempt', async () => {
    const run = await runBefore();
    github().post(path).reply(200, { message: 'maintenance' });
    later({ run_attempt: 2 });
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });
});
