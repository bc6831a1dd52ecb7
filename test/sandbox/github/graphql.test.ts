import { describe, expect, test } from 'vitest';
import { at, setup } from './fixture.ts';

const QUERY = `query ($owner: String!, $name: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { headRefOid } }
}`;
const variables = { owner: 'octo-org', name: 'demo', number: 7 };

describe('GraphQL', () => {
  test('answers who the token writes as and where the head is, by variables or inline', async () => {
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

  test('forbids a pull request of a private repository in its own envelope, and still names the viewer', async () => {
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

  test('does not find other repositories and pull requests', async () => {
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
    ['{ viewer { email } }', "Field 'email' doesn't exist on type 'User'"],
    ['{ viewer { login }', 'Unexpected end of document'],
    ['{ viewer { ...F } }', 'Unexpected character'],
  ])('complains about %s', async (query, message) => {
    const { call, github } = await setup();
    const answer = await call('POST', github.graphqlUrl, { query });
    expect(at(answer.body, 'data')).toBeUndefined();
    expect(at(answer.body, 'errors.0.message')).toContain(message);
  });

  test('wants a token, and the right one', async () => {
    const { callAs, github } = await setup();
    expect((await callAs(undefined, 'POST', github.graphqlUrl, { query: QUERY })).status).toBe(401);
    expect(at((await callAs('Bearer x', 'POST', github.graphqlUrl, { query: QUERY })).body, 'message')).toBe(
      'Bad credentials',
    );
  });
});
