import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { listCheckRuns } from '../../src/github/check-run-list.ts';
import { client, github, SHA } from './client.ts';

afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});

const listed = () =>
  github()
    .get(`/repos/acme/shop/commits/${SHA.head}/check-runs`)
    .query({ check_name: 'Security scan', filter: 'all', per_page: 100 });

test('the check runs of the name on the commit, those of earlier runs included, the newest first', async () => {
  const done = {
    id: 7,
    html_url: 'https://github.com/acme/shop/runs/7',
    external_id: 'v1:s',
    status: 'completed',
    output: { summary: 'Blocked.' },
  };
  listed().reply(200, { check_runs: [{ id: 5 }, done, { id: 6, external_id: null, output: null }] });
  const nothing = { url: undefined, externalId: '', status: undefined, summary: '' };
  expect(await listCheckRuns(client(), SHA.head, 'Security scan')).toEqual({
    ok: true,
    value: [
      { id: 7, url: done.html_url, externalId: 'v1:s', status: 'completed', summary: 'Blocked.' },
      { ...nothing, id: 6 },
      { ...nothing, id: 5 },
    ],
  });
});

test('a summary that is missing is empty, and an address that is none is left out', async () => {
  listed().reply(200, {
    check_runs: [{ id: 5, html_url: 'javascript:x', status: null, output: { summary: null } }],
  });
  expect(await listCheckRuns(client(), SHA.head, 'Security scan')).toMatchObject({
    value: [{ id: 5, url: undefined, status: undefined, summary: '' }],
  });
});

test('a list that may not be read is an error that names the permission', async () => {
  listed().reply(403, { message: 'Resource not accessible by integration' });
  expect(await listCheckRuns(client(), SHA.head, 'Security scan')).toMatchObject({
    ok: false,
    error: { kind: 'forbidden', permission: 'checks: write', operation: 'look through the check runs' },
  });
});

test('an answer of another shape is an error, never an empty list', async () => {
  listed().reply(200, { check_runs: [{ id: 'seven' }] });
  expect(await listCheckRuns(client(), SHA.head, 'Security scan')).toMatchObject({
    ok: false,
    error: { kind: 'nonsense' },
  });
});
