import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { readEnvironmentRules } from '../../../src/github/environment-rules.ts';
import { appOfCheck, hasRunSince } from '../../../src/github/past-runs.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

const ACTIONS = '/repos/acme/shop/actions';
const RUNS = `${ACTIONS}/workflows/scangate.yml/runs`;
const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request_target' };
const runs = (...ids: number[]) => ({
  workflow_runs: ids.map((id) => ({ id, head_sha: SHA.head, conclusion: null })),
});

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

describe('hasRunSince', () => {
  const has = () => hasRunSince(client(), { ...RUN, since: '2026-11-02' }, NEVER_ABORTED);
  const list = (answer: object) =>
    github().get(`${RUNS}?event=pull_request_target&per_page=5&created=%3E%3D2026-11-02`).reply(200, answer);
  const jobs = (id: number, ...steps: unknown[]) =>
    github()
      .get(`${ACTIONS}/runs/${id}/jobs?per_page=100`)
      .reply(200, { jobs: steps.map((one) => ({ steps: one })) });

  test('returns true for a run with a job that has steps', async () => {
    list(runs(3, 2));
    jobs(3, []);
    jobs(2, null, [{ name: 'Set up job' }]);
    expect(await has()).toEqual({ ok: true, value: true });
  });

  test('returns false if no job began', async () => {
    list(runs(3, 2));
    jobs(3);
    jobs(2, []);
    expect(await has()).toEqual({ ok: true, value: false });
  });

  test('returns an error if GitHub refuses', async () => {
    github().get(RUNS).query(true).reply(403, { message: 'no' });
    expect(await has()).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', permission: 'actions: read' },
    });
    list(runs(3));
    github().get(`${ACTIONS}/runs/3/jobs`).query(true).reply(403, { message: 'no' });
    expect(await has()).toMatchObject({ ok: false, error: { kind: 'forbidden' } });
  });

  test('returns false for a workflow that GitHub does not know yet', async () => {
    github().get(RUNS).query(true).reply(404, { message: 'Not Found' });
    expect(await has()).toEqual({ ok: true, value: false });
  });
});

describe('appOfCheck', () => {
  const app = () => appOfCheck(client(), { ...RUN, event: 'pull_request', name: 'scangate' }, NEVER_ABORTED);
  const list = (answer: object) => github().get(`${RUNS}?event=pull_request&per_page=1`).reply(200, answer);
  const checks = (answer: object, status = 200) =>
    github()
      .get(`/repos/acme/shop/commits/${SHA.head}/check-runs?check_name=scangate&per_page=100`)
      .reply(status, answer);

  test('returns the app of the newest check run on the head of the newest run', async () => {
    list(runs(3));
    checks({
      check_runs: [
        { id: 1, app: { id: 7 } },
        { id: 2, app: { id: 8 } },
      ],
    });
    expect(await app()).toEqual({ ok: true, value: 8 });
  });

  test('returns undefined without a run or a check run', async () => {
    list(runs());
    expect(await app()).toEqual({ ok: true, value: undefined });
    list(runs(3));
    checks({ check_runs: [] });
    expect(await app()).toEqual({ ok: true, value: undefined });
    list(runs(3));
    checks({ message: 'no' }, 403);
    expect(await app()).toMatchObject({ ok: false, error: { permission: 'checks: read' } });
  });
});

describe('readEnvironmentRules', () => {
  const read = () => readEnvironmentRules(client(), 'scan forks', NEVER_ABORTED);
  const answer = (status: number, body: object) =>
    github().get('/repos/acme/shop/environments/scan%20forks').reply(status, body);

  test.each([
    [
      {
        protection_rules: [{ type: 'required_reviewers', reviewers: [{ type: 'User' }] }],
        deployment_branch_policy: null,
      },
      true,
      false,
    ],
    [
      { protection_rules: [{ type: 'wait_timer' }], deployment_branch_policy: { protected_branches: true } },
      false,
      true,
    ],
    [{ protection_rules: [{ type: 'required_reviewers', reviewers: [] }] }, false, false],
    [{}, false, false],
  ])('reads %j', async (body, hasReviewers, limitsBranches) => {
    answer(200, body);
    expect(await read()).toEqual({ ok: true, value: { hasReviewers, limitsBranches } });
  });

  test('returns undefined for an environment that does not exist', async () => {
    answer(404, { message: 'Not Found' });
    expect(await read()).toEqual({ ok: true, value: undefined });
  });

  test('returns an error if GitHub refuses', async () => {
    answer(403, { message: 'no' });
    expect(await read()).toMatchObject({ ok: false, error: { permission: 'actions: read' } });
  });
});
