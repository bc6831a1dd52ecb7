import { SHA } from './samples.ts';

/** The tree of the head commit. */
export const HEAD_TREE = 'e'.repeat(40);
const UPDATED = '2026-01-15T12:00:00Z';

/** GraphQL's answer about a pull request. The given members replace the defaults. */
export function pullRequestNode(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    state: 'OPEN',
    updatedAt: UPDATED,
    headRefOid: SHA.head,
    baseRefName: 'main',
    baseRef: { target: { oid: SHA.base } },
    commits: { nodes: [{ commit: { oid: SHA.head, tree: { oid: HEAD_TREE } } }] },
    comments: { pageInfo: { hasNextPage: false }, nodes: [] },
    ...changes,
  };
}

/** GraphQL's whole answer, with the pull request in it. */
export function pullRequestAnswer(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    data: {
      viewer: { login: 'github-actions[bot]' },
      repository: { pullRequest: pullRequestNode(changes) },
    },
  };
}

/** REST's answer about a pull request. */
export function pullRequestByRest() {
  return {
    state: 'open',
    updated_at: UPDATED,
    head: { sha: SHA.head },
    // GitHub's REST API often shows an older base commit.
    base: { ref: 'main', sha: SHA.other, repo: { private: true, visibility: 'private' } },
  };
}

/** REST's answer about a workflow run. */
export const WORKFLOW_RUN = {
  id: 100,
  workflow_id: 5,
  run_attempt: 1,
  head_sha: SHA.head,
  event: 'pull_request',
  status: 'completed',
  created_at: UPDATED,
  run_started_at: '2026-01-15T12:30:00Z',
  triggering_actor: { login: 'dana', type: 'User' },
};

/** REST's answer about a job of that run. */
export const JOB = {
  id: 900,
  run_id: 100,
  run_attempt: 1,
  head_sha: SHA.head,
  name: 'scangate',
  status: 'completed',
  conclusion: 'failure',
  completed_at: '2026-01-15T12:40:00Z',
};

/** REST's answer about a file with this text. */
export function content(text: string) {
  return { encoding: 'base64', content: `${Buffer.from(text).toString('base64')}\n` };
}

/** A `Link` header that names a next page. */
export const NEXT = { link: '<https://api.github.com/next>; rel="next"' };
