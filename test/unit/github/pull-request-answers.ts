import { SHA } from './client.ts';

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

/** REST's answer about a pull request. The given members replace the defaults. */
export function pullRequestByRest(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    state: 'open',
    updated_at: UPDATED,
    head: { sha: SHA.head },
    // GitHub's REST API often shows an older base commit.
    base: { ref: 'main', sha: SHA.other },
    ...changes,
  };
}
