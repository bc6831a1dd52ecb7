import { afterEach, describe, expect, test } from 'vitest';
import { hasRunSince } from '../../../src/github/past-runs.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';

const ACTIONS = '/repos/acme/shop/actions';
const RUNS = `${ACTIONS}/workflows/scangate.yml/runs`;
const RUN = { path: '.github/workflows/scangate.yml', event: 'pull_request_target' };
const runs = (...ids: number[]) => ({
  workflow_runs: ids.map((id) => ({ id, head_sha: SHA.head, conclusion: null })),
});

afterEach(expectNoAnswerLeft);

describe('hasRunSince', () => {
  const has = () => hasRunSince(client(), { ...RUN, since: '2026-11-02' }, NEVER_ABORTED);
  const list = (answer: object) =>
    github().get(`${RUNS}?event=pull_request_target&per_page=5&created=%3E%3D2026-11-02`).reply(200, answer);
  const jobs = (id: number, ...steps: unknown[]) =>
    github()
      .get(`${ACTIONS}/runs/${id}/jobs?per_page=100`)
      .reply(200, { jobs: steps.map((one) => ({ steps: one })) });

  test('hasRunSince returns true for a run with a job that has steps', async () => {
    list(runs(3, 2));
    jobs(3, []);
    jobs(2, null, [{ name: 'Set up job' }]);
    expect(await has()).toEqual({ ok: true, value: true });
  });

  test('hasRunSince returns false if no job began', async () => {
    list(runs(3, 2));
    jobs(3);
    jobs(2, []);
    expect(await has()).toEqual({ ok: true, value: false });
  });
});
