import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { listJobs, listRunsOfHead, readWorkflowRun, rerunJob } from '../../../src/github/workflow-run.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

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
const NEXT = { link: '<https://api.github.com/next>; rel="next"' };

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

async function runBefore() {
  github().get(`${ROOT}/runs/100`).reply(200, RUN);
  const read = await readWorkflowRun(client(), 100, NEVER_ABORTED);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

describe('readWorkflowRun', () => {
  test('reads the state of the newest attempt', async () => {
    expect(await runBefore()).toEqual({
      id: 100,
      workflowId: 5,
      attempt: 1,
      headSha: SHA.head,
      event: 'pull_request',
      status: 'completed',
      createdAt: new Date(RUN.created_at),
      startedAt: new Date(RUN.run_started_at),
    });
  });

  test.each([
    ['without a start', { ...RUN, run_started_at: undefined }],
    ['without a head', { ...RUN, head_sha: null }],
    ['without an attempt', { ...RUN, run_attempt: 0 }],
  ])('returns an error for a run %s', async (_what, run) => {
    github().get(`${ROOT}/runs/100`).reply(200, run);
    expect(await readWorkflowRun(client(), 100, NEVER_ABORTED)).toMatchObject({
      ok: false,
      error: { kind: 'invalid', permission: 'actions: write' },
    });
  });

  test('does not treat a run without a status as completed', async () => {
    github()
      .get(`${ROOT}/runs/100`)
      .reply(200, { ...RUN, status: null });
    expect(await readWorkflowRun(client(), 100, NEVER_ABORTED)).toMatchObject({
      value: { status: 'unknown' },
    });
  });
});

describe('listRunsOfHead', () => {
  const path = `${ROOT}/workflows/5/runs?head_sha=${SHA.head}&per_page=100`;
  const list = () => listRunsOfHead(client(), { workflowId: 5, headSha: SHA.head }, NEVER_ABORTED);

  test('returns only runs of the same workflow and head', async () => {
    const runs = [RUN, { ...RUN, id: 101, head_sha: SHA.other }, { ...RUN, id: 102, workflow_id: 6 }];
    github().get(path).reply(200, { workflow_runs: runs });
    expect(await list()).toMatchObject({ ok: true, value: [{ id: 100 }] });
  });

  test('returns an error if the runs do not fit on one page', async () => {
    github()
      .get(path)
      .reply(200, { workflow_runs: [RUN] }, NEXT);
    expect(await list()).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });
});

describe('listJobs', () => {
  const path = (page: number) => `${ROOT}/runs/100/jobs?filter=all&per_page=100&page=${page}`;

  test('returns the jobs of all attempts, on all pages', async () => {
    github()
      .get(path(1))
      .reply(200, { jobs: [JOB] }, NEXT);
    github()
      .get(path(2))
      .reply(200, { jobs: [{ ...JOB, id: 901, run_attempt: 2, conclusion: null }] });
    expect(await listJobs(client(), 100, NEVER_ABORTED)).toMatchObject({
      ok: true,
      value: [
        { id: 900, attempt: 1, conclusion: 'failure' },
        { id: 901, attempt: 2, conclusion: '' },
      ],
    });
  });

  test('returns an error if the list does not end', async () => {
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

  test('succeeds if GitHub accepts the re-run', async () => {
    github().post(path).reply(201, {});
    expect(await rerun()).toEqual({ ok: true, value: undefined });
  });

  test.each([
    ['refused', 403, 'forbidden'],
    ['about a deleted job', 404, 'not-found'],
  ])('does not send the request again if it is %s', async (_what, status, kind) => {
    github().post(path).reply(status, { message: 'no' });
    expect(await rerun()).toMatchObject({ ok: false, error: { kind } });
  });

  test.each([
    ['has a new attempt', { run_attempt: 2 }],
    ['is running', { status: 'queued' }],
  ])('succeeds after an ambiguous answer if the run %s', async (_what, change) => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    later(change);
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });

  test('sends the request once more after an ambiguous answer if the run is as before', async () => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    later({});
    github().post(path).reply(201, {});
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });

  test('sends at most two requests', async () => {
    const run = await runBefore();
    github().post(path).twice().reply(502, 'Bad Gateway');
    github().get(`${ROOT}/runs/100`).twice().reply(200, RUN);
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({
      ok: false,
      error: { kind: 'unreachable' },
    });
  });

  test('succeeds if the second request is refused because the first was done late', async () => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    later({});
    github().post(path).reply(403, { message: 'This workflow is already running' });
    later({ status: 'in_progress', run_attempt: 2 });
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });

  test('returns an error, and sends nothing again, if the run cannot be read', async () => {
    const run = await runBefore();
    github().post(path).reply(502, 'Bad Gateway');
    github().get(`${ROOT}/runs/100`).reply(404, { message: 'Not Found' });
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: false });
  });

  test('reads the run after an unexpected answer', async () => {
    const run = await runBefore();
    github().post(path).reply(200, { message: 'maintenance' });
    later({ run_attempt: 2 });
    expect(await rerunJob(client(), 900, run, NEVER_ABORTED)).toMatchObject({ ok: true });
  });
});
