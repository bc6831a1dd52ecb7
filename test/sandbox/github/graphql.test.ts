import { describe, expect, test } from 'vitest';
import { at, setup } from './fixture.ts';

const QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { headRefOid } }
}`;
const COMMENTS = `query ($owner: String!, $name: String!, $number: Int!, $first: Int, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { fullDatabaseId url body author { __typename login } }
      }
    }
  }
}`;
const variables = { owner: 'octo-org', name: 'demo', number: 7 };

describe('GraphQL', () => {
  test('GraphQL answers a query for an account and a head, with or without variables', async () => {
    const { call, github, repo } = await setup();
    const expected = {
      viewer: { login: 'github-actions[bot]' },
      repository: { pullRequest: { headRefOid: repo.id('t3') } },
    };
    expect((await call('POST', github.graphqlUrl, { query: QUERY, variables })).body).toEqual({
      data: expected,
    });
    const inline =
      '{ viewer { login } repository(owner: "octo-org", name: "demo") { pr: pullRequest(number: 7) { headRefOid } } }';
    const answer = await call('POST', github.graphqlUrl, { query: inline });
    expect(at(answer.body, 'data.repository')).toEqual({ pr: { headRefOid: repo.id('t3') } });
  });

  test('GraphQL withholds a private pull request from a token without the permission', async () => {
    const { call, github } = await setup({ visibility: 'private', permissions: { contents: 'read' } });
    const answer = await call('POST', github.graphqlUrl, { query: QUERY, variables });
    expect(answer.status).toBe(200);
    expect(at(answer.body, 'data')).toEqual({
      viewer: { login: 'github-actions[bot]' },
      repository: { pullRequest: null },
    });
    expect(at(answer.body, 'errors')).toMatchObject([
      {
        type: 'FORBIDDEN',
        path: ['repository', 'pullRequest'],
        message: 'Resource not accessible by integration',
      },
    ]);
  });

  test('GraphQL shows the comments of a pull request, and names an app without the suffix `[bot]`', async () => {
    const { call, github } = await setup();
    const person = github.addComment({ body: 'hello' });
    const app = github.addComment({ author: 'github-actions[bot]', type: 'Bot', body: 'found' });
    github.addComment({ issue: 8, body: 'elsewhere' });
    const answer = await call('POST', github.graphqlUrl, {
      query: COMMENTS,
      variables: { ...variables, first: 100 },
    });
    expect(answer.body).toEqual({
      data: {
        repository: {
          pullRequest: {
            comments: {
              totalCount: 2,
              pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
              nodes: [
                {
                  fullDatabaseId: String(person.id),
                  url: person.htmlUrl,
                  body: 'hello',
                  author: { __typename: 'User', login: 'octocat' },
                },
                {
                  fullDatabaseId: String(app.id),
                  url: app.htmlUrl,
                  body: 'found',
                  author: { __typename: 'Bot', login: 'github-actions' },
                },
              ],
            },
          },
        },
      },
    });
    // The id is too large for the type Int of GraphQL.
    expect(person.id).toBeGreaterThan(2 ** 32);
  });

  test('GraphQL shows the state, the last update and the base branch of a pull request', async () => {
    const { call, github, repo } = await setup();
    const query =
      '{ repository(owner: "octo-org", name: "demo") { pullRequest(number: 7) { state updatedAt baseRefName baseRef { name target { __typename oid } } } } }';
    const ask = async () =>
      at((await call('POST', github.graphqlUrl, { query })).body, 'data.repository.pullRequest');
    expect(await ask()).toEqual({
      state: 'OPEN',
      updatedAt: github.pullRequests.get(7)?.updatedAt,
      baseRefName: 'main',
      baseRef: { name: 'main', target: { __typename: 'Commit', oid: repo.id('main') } },
    });
    github.setBase(7, 'nowhere');
    github.edit(7, { state: 'merged' });
    expect(await ask()).toMatchObject({ state: 'MERGED', baseRefName: 'nowhere', baseRef: null });
  });

  test('GraphQL withholds the base branch of a private repository from a token without the permission `contents`', async () => {
    const { call, github } = await setup({ visibility: 'private', permissions: { 'pull-requests': 'read' } });
    const query =
      '{ repository(owner: "octo-org", name: "demo") { mergeQueue(branch: "main") { configuration { mergingStrategy } } pullRequest(number: 7) { baseRef { target { oid } } } } }';
    expect((await call('POST', github.graphqlUrl, { query })).body).toMatchObject({
      data: { repository: { mergeQueue: null, pullRequest: { baseRef: null } } },
      errors: [
        { type: 'FORBIDDEN', path: ['repository', 'mergeQueue'] },
        { type: 'FORBIDDEN', path: ['repository', 'pullRequest', 'baseRef'] },
      ],
    });
  });

  test('GraphQL shows the merging strategy of a merge queue, or null for a branch without a queue', async () => {
    const { call, github } = await setup({
      mergeQueues: { main: { rules: [], mergingStrategy: 'HEADGREEN' } },
    });
    const query =
      'query ($branch: String!) { repository(owner: "octo-org", name: "demo") { mergeQueue(branch: $branch) { configuration { mergingStrategy } } } }';
    const ask = async (branch: string) =>
      at(
        (await call('POST', github.graphqlUrl, { query, variables: { branch } })).body,
        'data.repository.mergeQueue',
      );
    expect(await ask('main')).toEqual({ configuration: { mergingStrategy: 'HEADGREEN' } });
    expect(await ask('topic')).toBeNull();
  });

  test('GraphQL shows the comments page by page', async () => {
    const { call, github } = await setup();
    for (const body of ['a', 'b', 'c']) github.addComment({ body });
    const ask = async (after: unknown) => {
      const { body } = await call('POST', github.graphqlUrl, {
        query: COMMENTS,
        variables: { ...variables, first: 2, after },
      });
      return at(body, 'data.repository.pullRequest.comments');
    };
    const first = await ask(null);
    expect(at(first, 'nodes.*.body')).toEqual(['a', 'b']);
    expect(at(first, 'pageInfo.hasNextPage')).toBe(true);
    const second = await ask(at(first, 'pageInfo.endCursor'));
    expect(at(second, 'nodes.*.body')).toEqual(['c']);
    expect(at(second, 'pageInfo.hasNextPage')).toBe(false);
  });

  test.each([
    [101, 'EXCESSIVE_PAGINATION'],
    [undefined, 'MISSING_PAGINATION_BOUNDARIES'],
  ])(
    'GraphQL shows an error instead of the pull request if the query asks for `comments(first: %s)`',
    async (first, type) => {
      const { call, github } = await setup();
      const answer = await call('POST', github.graphqlUrl, {
        query: COMMENTS,
        variables: { ...variables, first },
      });
      expect(answer.body).toMatchObject({
        data: { repository: { pullRequest: null } },
        errors: [{ type, path: ['repository', 'pullRequest', 'comments'] }],
      });
    },
  );

  test('GraphQL reports an error for a repository or pull request that does not exist', async () => {
    const { call, github } = await setup();
    const ask = async (changed: object) =>
      at(
        (await call('POST', github.graphqlUrl, { query: QUERY, variables: { ...variables, ...changed } }))
          .body,
        'errors',
      );
    expect(await ask({ name: 'other' })).toMatchObject([{ type: 'NOT_FOUND', path: ['repository'] }]);
    expect(await ask({ number: 8 })).toMatchObject([
      { type: 'NOT_FOUND', path: ['repository', 'pullRequest'] },
    ]);
  });

  test.each([
    ['{ viewer { email } }', 'Cannot query field "email" on type "User".'],
    ['{ viewer { login }', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ viewer { ...F } }', 'Unknown fragment "F".'],
    ['{ viewer }', 'Field "viewer" of type "User!" must have a selection of subfields.'],
    ['{ viewer(login: "a") { login } }', 'Unknown argument "login" on field "Query.viewer".'],
    [
      '{ repository(owner: "a") { nameWithOwner } }',
      'Argument "Query.repository(name:)" of type "String!" is required',
    ],
    ['query ($unused: Int) { viewer { login } }', 'Variable "$unused" is never used.'],
    [
      'query ($owner: Int!) { repository(owner: $owner, name: "a") { nameWithOwner } }',
      'Variable "$owner" of type "Int!" used in position expecting type "String!".',
    ],
    [QUERY, 'Variable "$owner"'],
  ])('GraphQL reports an error for %s', async (query, message) => {
    const { call, github } = await setup();
    const answer = await call('POST', github.graphqlUrl, { query });
    expect(at(answer.body, 'data')).toBeUndefined();
    expect(at(answer.body, 'errors.0.message')).toContain(message);
  });

  test('GraphQL refuses a request without a token or with a wrong token', async () => {
    const { callAs, github } = await setup();
    expect((await callAs(undefined, 'POST', github.graphqlUrl, { query: QUERY })).status).toBe(401);
    expect(at((await callAs('Bearer x', 'POST', github.graphqlUrl, { query: QUERY })).body, 'message')).toBe(
      'Bad credentials',
    );
  });
});
