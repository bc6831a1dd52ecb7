import { happens } from '../play.ts';
import type { Fact, Server } from './facts.ts';

const PULL = 'graphql/reference/objects#pullrequest';
const QUERIES = 'graphql/reference/queries';
const LIMITS = 'graphql/overview/rate-limits-and-query-limits-for-the-graphql-api';
const QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { headRefOid } }
}`;
const COMMENTS = `query ($first: Int, $after: String) {
  repository(owner: "octo-org", name: "demo") {
    pullRequest(number: 7) {
      comments(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { fullDatabaseId url body author { __typename login } }
      }
    }
  }
}`;
const PULLS = `query ($states: [PullRequestState!], $first: Int!, $filter: CheckRunFilter) {
  repository(owner: "octo-org", name: "demo") {
    pullRequests(states: $states, first: $first) {
      pageInfo { hasNextPage }
      nodes {
        number
        commits(last: 1) {
          nodes { commit { checkSuites(first: 5) { nodes { checkRuns(first: 5, filterBy: $filter) { nodes { conclusion } } } } } }
        }
      }
    }
  }
}`;
const asked = (query: string, variables?: object) => ['POST graphql', { query, variables }] as const;
const ofRepository = (fields: string) =>
  asked(`{ repository(owner: "octo-org", name: "demo") { ${fields} } }`);
const variables = { owner: 'octo-org', name: 'demo', number: 7 };
const pulls = (filter: object) => asked(PULLS, { states: ['OPEN'], first: 1, filter });

export const GRAPHQL_FACTS: readonly Fact[] = [
  {
    name: 'a query shows an account and a head, with or without variables',
    page: QUERIES,
    steps: [
      asked(QUERY, variables),
      ofRepository('nameWithOwner isPrivate visibility pr: pullRequest(number: 7) { headRefOid }'),
    ],
  },
  {
    name: 'a query names a repository and a pull request that exist',
    page: QUERIES,
    steps: [asked(QUERY, { ...variables, name: 'other' }), asked(QUERY, { ...variables, number: 8 })],
  },
  {
    name: 'a private pull request and its branches are withheld from a token without the permissions',
    page: PULL,
    options: { visibility: 'private', permissions: {} },
    steps: [
      asked(QUERY, variables),
      ofRepository('mergeQueue(branch: "main") { configuration { mergingStrategy } }'),
    ],
  },
  {
    name: 'the base branch of a private repository needs `contents: read`',
    page: PULL,
    options: { visibility: 'private', permissions: { 'pull-requests': 'read' } },
    steps: [ofRepository('pullRequest(number: 7) { headRefOid baseRef { target { oid } } }')],
  },
  {
    name: 'a pull request shows its state, its last update and its base branch',
    page: PULL,
    steps: [
      ofRepository(
        'pullRequest(number: 7) { state updatedAt baseRefName baseRef { name target { __typename oid } } commits(last: 1) { nodes { commit { oid tree { oid } } } } }',
      ),
      happens<Server>('another base that does not exist, and a merge', ({ github }) => {
        github.setBase(7, 'nowhere');
        github.edit(7, { state: 'merged' });
      }),
      ofRepository('pullRequest(number: 7) { state baseRefName baseRef { name } }'),
    ],
  },
  {
    name: 'a commit is found by its full id',
    page: 'graphql/reference/objects#commit',
    steps: [
      ofRepository('object(oid: "{t3}") { __typename oid }'),
      ofRepository('object(oid: "main") { oid }'),
      ofRepository(`object(oid: "${'f'.repeat(40)}") { oid }`),
    ],
  },
  {
    name: 'a branch shows the merging strategy of its merge queue',
    page: 'graphql/reference/objects#mergequeue',
    options: { mergeQueues: { main: { rules: [], mergingStrategy: 'HEADGREEN' } } },
    steps: ['main', 'topic'].map((branch) =>
      ofRepository(`mergeQueue(branch: "${branch}") { configuration { mergingStrategy } }`),
    ),
  },
  {
    name: 'comments have ids over 32 bits, and name an app without the suffix `[bot]`',
    page: 'graphql/reference/objects#issuecomment',
    before(github) {
      github.addComment({ body: 'hello' });
      github.addComment({ author: 'github-actions[bot]', type: 'Bot', body: 'found' });
      github.addComment({ issue: 8, body: 'elsewhere' });
    },
    steps: [
      asked(COMMENTS, { first: 100 }),
      asked(COMMENTS, { first: 1 }),
      asked(COMMENTS, { first: 1, after: 'MQ==' }),
    ],
  },
  {
    name: 'a list needs a number of nodes, at most 100',
    page: LIMITS,
    steps: [asked(COMMENTS, { first: 101 }), asked(COMMENTS)],
  },
  {
    name: 'open pull requests show the latest check run of a name',
    page: 'graphql/reference/objects#checksuite',
    options: { permissions: { contents: 'read', checks: 'write', 'pull-requests': 'read' } },
    steps: [
      ...['failure', 'success'].map(
        (conclusion) => ['POST check-runs', { name: 'Security scan', head_sha: '{t3}', conclusion }] as const,
      ),
      pulls({ checkName: 'Security scan', checkType: 'LATEST' }),
      pulls({ checkName: 'Security scan', checkType: 'ALL' }),
      pulls({ checkName: 'Other' }),
      happens<Server>('closed without a merge', ({ github }) => github.edit(7, { state: 'closed' })),
      pulls({}),
    ],
  },
  {
    name: 'a query must fit the schema',
    page: 'graphql/guides/introduction-to-graphql',
    steps: [
      '{ viewer { email } }',
      '{ viewer { login }',
      '{ viewer { ...F } }',
      '{ viewer }',
      '{ viewer(login: "a") { login } }',
      '{ repository(owner: "a") { nameWithOwner } }',
      'query ($unused: Int) { viewer { login } }',
      'query ($owner: Int!) { repository(owner: $owner, name: "a") { nameWithOwner } }',
      QUERY,
    ].map((query) => asked(query)),
  },
  { name: 'a query', page: LIMITS, as: 'anonymous', steps: [asked(QUERY)] },
  { name: 'a query', page: LIMITS, as: 'a wrong token', steps: [asked(QUERY)] },
  { name: 'a request needs a query', page: QUERIES, steps: [['POST graphql', { query: 5 }]] },
];
