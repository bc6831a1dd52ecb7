import { test } from 'vitest';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { listOpenPullRequests } from '../../../src/github/open-pull-requests.ts';
import type { Reply } from '../../support/answering.ts';
import { SHA } from './client.ts';
import { expectConversations } from './conversation.ts';

const list = (github: GitHubClient) => listOpenPullRequests(github, 'Security scan');

/** @param conclusions the conclusions of the check runs of each suite; undefined if GitHub does not show the commit */
function node(number: number, conclusions?: readonly (readonly (string | null)[])[], oid: string = SHA.head) {
  const suites = conclusions?.map((suite) => ({
    checkRuns: { nodes: suite.map((conclusion) => ({ conclusion })) },
  }));
  const commits =
    suites === undefined ? null : { nodes: [{ commit: { oid, checkSuites: { nodes: suites } } }] };
  return { number, headRefOid: SHA.head, commits };
}

function shows(node: unknown, endCursor: string | null = null): Reply {
  const pageInfo = { hasNextPage: endCursor !== null, endCursor };
  return [200, { data: { repository: { pullRequests: { pageInfo, nodes: [node] } } } }];
}

const byRest: Reply = [200, [{ number: 9, head: { sha: SHA.head } }]];
const TWENTY = Array.from({ length: 20 }, () => 'SUCCESS');

test('open pull requests come from GraphQL with the result of their check, or from REST without it', async () => {
  await expectConversations('open-pull-requests', [
    ['a failed check', list, shows(node(7, [['FAILURE']]))],
    ['a failed check among others', list, shows(node(7, [['SUCCESS'], ['NEUTRAL', 'FAILURE']]))],
    ['a passed check', list, shows(node(7, [['SUCCESS']]))],
    ['a check in progress', list, shows(node(7, [[null]]))],
    ['no check', list, shows(node(7, []))],
    ['checks that GitHub does not show', list, shows(node(7))],
    ['checks of another commit', list, shows(node(7, [['FAILURE']], SHA.other))],
    [
      'as many check suites as one request reads',
      list,
      shows(
        node(
          7,
          TWENTY.map((one) => [one]),
        ),
      ),
    ],
    ['as many check runs as one request reads', list, shows(node(7, [TWENTY]))],
    ['two pages', list, shows(node(7, []), 'next'), shows(node(8, []))],
    ['more than six pages', list, ...Array.from({ length: 6 }, () => shows(node(7, []), 'next'))],
    ['a refusal by GraphQL', list, [403, { message: 'no' }], byRest],
    ['a pull request that is null', list, shows(null), byRest],
    ['no repository', list, [200, { data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] }], byRest],
    ['a refusal of the second page', list, shows(node(7, []), 'next'), [403, { message: 'no' }]],
  ]);
});
