import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { listCheckRuns } from '../../../src/github/check-run-list.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from './client.ts';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

const NAME = 'Security scan';
const PATH = `/repos/acme/shop/commits/${SHA.head}/check-runs`;
const listed = (page = 1, name: string | undefined = NAME) =>
  github()
    .get(PATH)
    .query({ ...(name === '' ? {} : { check_name: name }), filter: 'all', per_page: 100, page });
const run = (id: number, more: object = {}) => ({ id, name: NAME, head_sha: SHA.head, ...more });
const NEXT = { link: `<https://api.github.com${PATH}?page=2>; rel="next"` };
const nothing = { name: NAME, url: undefined, externalId: '', status: undefined, summary: '' };
const list = (name: string | undefined = NAME) => listCheckRuns(client(), SHA.head, name, NEVER_ABORTED);
const idsOf = async (answer: ReturnType<typeof list>) => {
  const runs = await answer;
  return runs.ok ? runs.value.map(({ id }) => id) : runs.error;
};

test('lists the check runs of the name on the commit from all runs, the newest first', async () => {
  const url = 'https://github.com/acme/shop/runs/7';
  const done = run(7, {
    html_url: url,
    external_id: 'v1:s',
    status: 'completed',
    output: { summary: 'Blocked.' },
  });
  listed().reply(200, { check_runs: [run(5), done, run(6, { external_id: null, output: null })] });
  expect(await list()).toEqual({
    ok: true,
    value: [
      {
        id: 7,
        name: NAME,
        url,
        externalId: 'v1:s',
        status: 'completed',
        summary: 'Blocked.',
      },
      { ...nothing, id: 6 },
      { ...nothing, id: 5 },
    ],
  });
});

test('lists the check runs of every name if no name is given', async () => {
  listed(1, '').reply(200, { check_runs: [run(5), run(6, { name: 'Another scan' })] });
  const answer = await listCheckRuns(client(), SHA.head, undefined, NEVER_ABORTED);
  expect(answer).toEqual({
    ok: true,
    value: [
      { ...nothing, id: 6, name: 'Another scan' },
      { ...nothing, id: 5 },
    ],
  });
});

test('lists each check run of all pages once, the newest first', async () => {
  listed(1).reply(200, { check_runs: [run(9), run(3)] }, NEXT);
  listed(2).reply(200, { check_runs: [run(3), run(7)] }, NEXT);
  listed(3).reply(200, { check_runs: [run(8)] });
  expect(await idsOf(list())).toEqual([9, 8, 7, 3]);
});

test.each([
  [403, { kind: 'forbidden', permission: 'checks: write' }],
  [404, { kind: 'not-found' }],
  [422, { kind: 'refused' }],
])('returns an error, not half of the list, if the second page answers %i', async (status, error) => {
  listed(1).reply(200, { check_runs: [run(9)] }, NEXT);
  listed(2).reply(status, { message: 'no' });
  expect(await list()).toMatchObject({ ok: false, error });
});

test('returns an error, not half of the list, if the second page is malformed', async () => {
  listed(1).reply(200, { check_runs: [run(9)] }, NEXT);
  listed(2).reply(200, { check_runs: [{ id: 8, name: NAME }] });
  expect(await list()).toMatchObject({ ok: false, error: { kind: 'invalid' } });
});

test('reads fifty pages, and returns an error for a longer list', async () => {
  for (let page = 1; page <= 50; page += 1)
    listed(page).reply(200, { check_runs: [run(page)] }, page < 50 ? NEXT : {});
  expect(await idsOf(list())).toHaveLength(50);
  for (let page = 1; page <= 50; page += 1) listed(page).reply(200, { check_runs: [run(page)] }, NEXT);
  expect(await list()).toEqual({
    ok: false,
    error: {
      kind: 'invalid',
      operation: 'list the check runs',
      permission: 'checks: write',
      status: 200,
      message: 'more than 50 pages of check runs',
      ambiguous: false,
    },
  });
});

test('leaves out a check run of another commit', async () => {
  listed().reply(200, { check_runs: [run(5), run(6, { head_sha: SHA.other })] });
  expect(await idsOf(list())).toEqual([5]);
});

test('reads a missing summary as empty, and leaves out an invalid address', async () => {
  listed().reply(200, {
    check_runs: [run(5, { html_url: 'javascript:x', status: null, output: { summary: null } })],
  });
  expect(await list()).toMatchObject({ value: [{ id: 5, url: undefined, status: undefined, summary: '' }] });
});

test('names the permission if GitHub refuses to show the list', async () => {
  listed().reply(403, { message: 'Resource not accessible by integration' });
  expect(await list()).toMatchObject({
    ok: false,
    error: { kind: 'forbidden', permission: 'checks: write', operation: 'list the check runs' },
  });
});

test.each([
  [{ check_runs: [run(7, { id: 'seven' })] }],
  [{ check_runs: [run(7, { name: undefined })] }],
  [{ check_runs: [run(7, { head_sha: undefined })] }],
  [{}],
])('returns an error, not an empty list, for the malformed answer %j', async (answer) => {
  listed().reply(200, answer);
  expect(await list()).toMatchObject({ ok: false, error: { kind: 'invalid' } });
});
