import { describe, expect, test } from 'vitest';
import { at, setup } from './fixture.ts';

const ACTIONS = '/repos/octo-org/demo/actions';
const MONTH_MS = 30 * 24 * 60 * 60_000;

async function withRun(permissions: 'read' | 'write' = 'write') {
  const made = await setup({
    permissions: { actions: permissions, 'pull-requests': 'write', checks: 'read' },
  });
  const run = made.github.workflowRuns.put({
    id: 100,
    headSha: made.repo.id('t3'),
    jobs: [
      ['test', 'success'],
      ['scangate', 'failure'],
    ],
  });
  return { ...made, run, jobId: run.jobs[1]?.id };
}

describe('a workflow run', () => {
  test('a workflow run can be found by its id, and by its workflow and head', async () => {
    const { call, repo } = await withRun();
    const one = await call('GET', `${ACTIONS}/runs/100`);
    expect(one).toMatchObject({
      status: 200,
      body: { id: 100, run_attempt: 1, head_sha: repo.id('t3'), event: 'pull_request', status: 'completed' },
    });
    const list = await call('GET', `${ACTIONS}/workflows/1/runs?head_sha=${repo.id('t3')}`);
    expect(at(list.body, 'workflow_runs')).toEqual([one.body]);
    const others = await call('GET', `${ACTIONS}/workflows/1/runs?head_sha=${'0'.repeat(40)}`);
    expect(at(others.body, 'total_count')).toBe(0);
    expect((await call('GET', `${ACTIONS}/runs/101`)).status).toBe(404);
  });

  test('after a re-run, the older attempts of a job are listed only on request', async () => {
    const { call, github, jobId } = await withRun();
    expect(await call('POST', `${ACTIONS}/jobs/${jobId}/rerun`)).toMatchObject({ status: 201, body: {} });
    expect((await call('GET', `${ACTIONS}/runs/100`)).body).toMatchObject({
      run_attempt: 2,
      status: 'queued',
    });
    const names = async (query: string) => {
      const { body } = await call('GET', `${ACTIONS}/runs/100/jobs${query}`);
      const jobs: unknown = at(body, 'jobs');
      return Array.isArray(jobs) ? jobs.map((job) => `${at(job, 'name')} ${at(job, 'run_attempt')}`) : [];
    };
    expect(await names('')).toEqual(['scangate 2']);
    expect(await names('?filter=all')).toEqual(['test 1', 'scangate 1', 'scangate 2']);

    expect(await call('POST', `${ACTIONS}/jobs/${jobId}/rerun`)).toMatchObject({
      status: 403,
      body: { message: 'This workflow is already running' },
    });
    github.workflowRuns.complete(100, 'success');
    expect(github.workflowRuns.all[0]).toMatchObject({ status: 'completed', attempt: 2 });
  });

  test('a job cannot be re-run after a month, or without permission', async () => {
    const { call, github, repo } = await withRun();
    const old = github.workflowRuns.put({
      id: 101,
      headSha: repo.id('t3'),
      createdAt: new Date(Date.now() - MONTH_MS),
    });
    expect((await call('POST', `${ACTIONS}/jobs/${old.jobs[0]?.id}/rerun`)).status).toBe(403);
    expect((await call('POST', `${ACTIONS}/jobs/1/rerun`)).status).toBe(404);
    const reader = await withRun('read');
    expect(await reader.call('POST', `${ACTIONS}/jobs/${reader.jobId}/rerun`)).toMatchObject({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
  });
});

describe('a comment', () => {
  test('a comment gets at most one reaction of each kind', async () => {
    const { call, github } = await withRun();
    const { id } = github.addComment({ body: 'hello' });
    const path = `/repos/octo-org/demo/issues/comments/${id}/reactions`;
    const first = await call('POST', path, { content: '+1' });
    const again = await call('POST', path, { content: '+1' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(github.reactions).toEqual([{ comment: id, content: '+1' }]);
    expect((await call('POST', path, { content: 'clap' })).status).toBe(422);
    expect(
      (await call('POST', `/repos/octo-org/demo/issues/comments/1/reactions`, { content: '+1' })).status,
    ).toBe(404);
  });
});

describe('the pull requests of the repository', () => {
  const QUERY = `query ($states: [PullRequestState!], $first: Int!, $after: String, $filter: CheckRunFilter) {
    repository(owner: "octo-org", name: "demo") {
      pullRequests(states: $states, first: $first, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          number
          commits(last: 1) {
            nodes { commit { checkSuites(first: 5) { nodes { checkRuns(first: 5, filterBy: $filter) { nodes { conclusion } } } } } }
          }
        }
      }
    }
  }`;

  test('the list of pull requests shows the latest check run of the requested name', async () => {
    const { call, github, repo } = await setup({
      permissions: { contents: 'read', checks: 'write', 'pull-requests': 'read' },
    });
    for (const conclusion of ['failure', 'success']) {
      const body = { name: 'Security scan', head_sha: repo.id('t3'), conclusion };
      expect((await call('POST', '/repos/octo-org/demo/check-runs', body)).status).toBe(201);
    }
    const ask = async (filter: object) => {
      const variables = { states: ['OPEN'], first: 1, after: null, filter };
      const { body } = await call('POST', github.graphqlUrl, { query: QUERY, variables });
      return JSON.stringify(at(body, 'data.repository.pullRequests'));
    };
    expect(await ask({ checkName: 'Security scan', checkType: 'LATEST' })).toMatch(
      /"hasNextPage":false.*"number":7.*\[\{"conclusion":"SUCCESS"\}\]/,
    );
    expect(await ask({ checkName: 'Security scan', checkType: 'ALL' })).toContain('FAILURE');
    expect(await ask({ checkName: 'Other' })).not.toContain('conclusion');
    github.edit(7, { state: 'closed' });
    expect(await ask({})).toContain('"nodes":[]');
    expect((await call('GET', '/repos/octo-org/demo/pulls')).body).toEqual([]);
  });
});
