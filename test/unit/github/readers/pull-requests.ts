import { listComments } from '../../../../src/github/comment-list.ts';
import type { GitHubClient } from '../../../../src/github/octokit.ts';
import { listOpenPullRequests } from '../../../../src/github/open-pull-requests.ts';
import { accountMayWrite, readPullRequestPeople, userMayWrite } from '../../../../src/github/people.ts';
import { readPullRequestState } from '../../../../src/github/pull-request-state.ts';
import type { Reply } from '../../../support/answering.ts';
import { oneOf } from '../../../support/outcomes.ts';
import { HEAD_TREE, pullRequestByRest, pullRequestNode } from '../answers.ts';
import { SHA } from '../samples.ts';
import type { Reader } from './reader.ts';

/** GraphQL answers with an error, so the reader uses REST. */
const GRAPHQL_REFUSES: readonly Reply[] = [[404, {}]];
const FORBIDDEN = { type: 'FORBIDDEN' };
const URL_OF_COMMENT = 'https://github.com/acme/shop/pull/5#issuecomment-7';

const page = (...nodes: readonly unknown[]) => ({ pageInfo: { hasNextPage: false }, nodes });
const suite = (...ids: readonly (string | null)[]) => ({
  checkRuns: page(...ids.map((externalId) => ({ externalId }))),
});
const comment = { fullDatabaseId: '7', url: URL_OF_COMMENT, body: 'Hi' };
const PULL = 'data.repository.pullRequest';
const stateByGraphql: Reader = {
  name: 'readPullRequestState by GraphQL',
  read: (github) => readPullRequestState(github, 5, SHA.other),
  answer: {
    data: {
      viewer: { login: 'our-gate[bot]' },
      repository: {
        isPrivate: true,
        visibility: 'PUBLIC',
        previous: { oid: SHA.other, checkSuites: page(suite('a', null), suite(), suite('b')) },
        pullRequest: pullRequestNode({
          comments: page({ ...comment, author: { __typename: 'Bot', login: 'gate' } }),
        }),
      },
    },
  },
  others: [
    ...oneOf(`${PULL}.state`, 'CLOSED', 'MERGED', 'DRAFT'),
    ...oneOf(`${PULL}.commits.nodes.0.commit`, { oid: SHA.other, tree: { oid: HEAD_TREE } }),
    ...oneOf(`${PULL}.comments.nodes.0.fullDatabaseId`, '0', '9007199254740993'),
    ...oneOf(`${PULL}.comments.nodes.0.author`, { __typename: 'User', login: 'gate' }),
    { 'data.repository.visibility': undefined, 'data.repository.isPrivate': false },
    { errors: [{ ...FORBIDDEN, path: ['repository', 'previous'] }] },
    { errors: [FORBIDDEN], [`${PULL}.baseRef`]: null },
  ],
  later: [[200, pullRequestByRest()]],
};

const stateByRest: Reader = {
  name: 'readPullRequestState by REST',
  read: (github) => readPullRequestState(github, 5),
  first: GRAPHQL_REFUSES,
  answer: pullRequestByRest(),
  others: [...oneOf('state', 'closed', 'draft'), { 'base.repo': { private: false } }],
};

const openPullRequests = (github: GitHubClient) => listOpenPullRequests(github, 'Security scan');
const LISTED = { number: 9, head: { sha: SHA.head } };
const checked = { commit: { oid: SHA.head, checkSuites: { nodes: [{ checkRuns: { nodes: [] } }] } } };
const NODE = 'data.repository.pullRequests.nodes.0';
const SUITES = `${NODE}.commits.nodes.0.commit.checkSuites.nodes`;
const runs = (...conclusions: readonly (string | null)[]) => ({
  checkRuns: { nodes: conclusions.map((conclusion) => ({ conclusion })) },
});
const TWENTY = Array.from({ length: 20 }, () => 'SUCCESS');
const openByGraphql: Reader = {
  name: 'listOpenPullRequests by GraphQL',
  read: openPullRequests,
  answer: {
    data: {
      repository: {
        pullRequests: {
          pageInfo: { hasNextPage: false, endCursor: null },
          nodes: [{ number: 7, headRefOid: SHA.head, commits: { nodes: [checked] } }],
        },
      },
    },
  },
  others: [
    ...oneOf(
      SUITES,
      [runs('FAILURE')],
      [runs('SUCCESS'), runs('NEUTRAL', 'FAILURE')],
      [runs('SUCCESS')],
      [runs(null)],
      [runs(...TWENTY)],
      TWENTY.map((one) => runs(one)),
    ),
    { [`${SUITES}.0.checkRuns.nodes`]: [{ conclusion: 'FAILURE' }], [`${NODE}.headRefOid`]: SHA.other },
    { 'data.repository': null, errors: [FORBIDDEN] },
  ],
  later: [[200, [LISTED]]],
};

const openByRest: Reader = {
  name: 'listOpenPullRequests by REST',
  read: openPullRequests,
  first: GRAPHQL_REFUSES,
  answer: [LISTED],
};

const ADA = { id: 1, login: 'ada', type: 'User' };
const COPILOT = { id: 3, login: 'Copilot', type: 'Bot' };
const people = (github: GitHubClient) => readPullRequestPeople(github, 7);
/** Only the first four lines name a co-author. GitHub's own addresses name an account. */
const MESSAGE = [
  'Fix',
  '',
  'Co-authored-by: Wanda <12+wanda@users.noreply.github.com>',
  'co-authored-by: Kim <kim@users.noreply.ghe.example>\r',
  'Co-Authored-By: Helper <49+helper[bot]@users.noreply.github.com>',
  'Co-authored-by: Uma <uma@corp.example>',
  ' Co-authored-by: Indented <1+x@users.noreply.github.com>',
  'Co-authored-by: No address',
  'Reviewed-by: Rex <13+rex@users.noreply.github.com>',
].join('\n');

const PEOPLE: readonly Reader[] = [
  {
    name: 'readPullRequestPeople',
    read: people,
    // GitHub lists at most 250 commits. If a pull request has more, the reader does not request the list.
    answer: { user: COPILOT, head: { sha: SHA.head }, commits: 251, assignees: [COPILOT, ADA, null] },
    others: [{ user: {} }, { commits: -1 }],
  },
  {
    name: 'readPullRequestPeople: the commits',
    read: people,
    first: [[200, { user: ADA, head: { sha: SHA.head }, commits: 1 }]],
    answer: [
      {
        sha: SHA.head,
        author: ADA,
        committer: { id: 2, login: 'bob' },
        parents: [{ sha: SHA.base }],
        commit: { message: MESSAGE, verification: { verified: true } },
      },
    ],
    others: [{ '0.author': {}, '0.committer': {} }],
  },
  {
    name: 'accountMayWrite',
    read: (github) => accountMayWrite(github, 'mallory', "read the author's permission"),
    answer: { permission: 'admin' },
    others: oneOf('permission', 'write', 'read', 'none', 'WRITE-ISH'),
  },
  {
    name: 'userMayWrite',
    read: (github) => userMayWrite(github, { login: 'mallory', id: 5 }),
    answer: { permission: 'admin', user: { login: 'mallory', id: 5 } },
    others: [...oneOf('permission', 'write', 'read', 'none', 'maintain'), { 'user.id': 6 }],
  },
  {
    name: 'listComments',
    read: (github) => listComments(github, 5),
    answer: [{ id: 7, html_url: URL_OF_COMMENT, body: 'Hi', user: { login: 'dana', type: 'User' } }],
  },
];

export const PULL_REQUEST_READERS: readonly Reader[] = [
  stateByGraphql,
  stateByRest,
  openByGraphql,
  openByRest,
  ...PEOPLE,
];
