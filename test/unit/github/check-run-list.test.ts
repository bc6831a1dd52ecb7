import { afterEach, expect, test } from 'vitest';
import { listCheckRuns } from '../../../src/github/check-run-list.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';
import { NEXT } from './readers/row.ts';

afterEach(expectNoAnswerLeft);

const NAME = 'Security scan';
const PATH = `/repos/acme/shop/commits/${SHA.head}/check-runs`;
const listed = (page: number) =>
  github().get(PATH).query({ check_name: NAME, filter: 'all', per_page: 100, page });
const run = (id: number) => ({ id, name: NAME, head_sha: SHA.head });
const list = () => listCheckRuns(client(), SHA.head, NAME, NEVER_ABORTED);
const idsOf = async (answer: ReturnType<typeof list>) => {
  const runs = await answer;
  return runs.ok ? runs.value.map(({ id }) => id) : runs.error;
};

test('listCheckRuns returns each check run of all pages once, the newest first', async () => {
  listed(1).reply(200, { check_runs: [run(9), run(3)] }, NEXT);
  listed(2).reply(200, { check_runs: [run(3), run(7)] }, NEXT);
  listed(3).reply(200, { check_runs: [run(8)] });
  expect(await idsOf(list())).toEqual([9, 8, 7, 3]);
});

test('listCheckRuns reads at most fifty pages, and returns an error if there are more', async () => {
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
