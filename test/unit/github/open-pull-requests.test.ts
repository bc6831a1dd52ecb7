import { afterEach, describe, expect, test } from 'vitest';
import { listOpenPullRequests } from '../../../src/github/open-pull-requests.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';

const REST = '/repos/acme/shop/pulls?state=open&sort=updated&direction=desc&per_page=50';
const list = () => listOpenPullRequests(client(), 'Security scan', NEVER_ABORTED);

afterEach(expectNoAnswerLeft);

/** @param conclusions the conclusions of the check runs of each suite; undefined if GitHub does not show the commit */
function node(number: number, conclusions?: readonly (readonly (string | null)[])[], oid: string = SHA.head) {
  const suites = conclusions?.map((suite) => ({
    checkRuns: { nodes: suite.map((conclusion) => ({ conclusion })) },
  }));
  const commits =
    suites === undefined ? null : { nodes: [{ commit: { oid, checkSuites: { nodes: suites } } }] };
  return { number, headRefOid: SHA.head, commits };
}

function answer(nodes: readonly unknown[], endCursor?: string) {
  const pageInfo = { hasNextPage: endCursor !== undefined, endCursor: endCursor ?? null };
  return { data: { repository: { pullRequests: { pageInfo, nodes } } } };
}

describe('listOpenPullRequests', () => {
  test.each<[what: string, shown: ReturnType<typeof node>, checkFailed: boolean | undefined]>([
    ['a failed check', node(7, [['FAILURE']]), true],
    ['a failed check among others', node(7, [['SUCCESS'], ['NEUTRAL', 'FAILURE']]), true],
    ['a passed check', node(7, [['SUCCESS']]), false],
    ['a check in progress', node(7, [[null]]), false],
    ['no check', node(7, []), false],
    ['checks that GitHub does not show', node(7), undefined],
    ['checks of another commit', node(7, [['FAILURE']], SHA.other), undefined],
    [
      'as many check suites as one request reads',
      node(
        7,
        Array.from({ length: 20 }, () => ['SUCCESS']),
      ),
      undefined,
    ],
    [
      'as many check runs as one request reads',
      node(7, [Array.from({ length: 20 }, () => 'SUCCESS')]),
      undefined,
    ],
  ])('listOpenPullRequests reads a pull request with %s', async (_what, shown, checkFailed) => {
    github()
      .post('/graphql')
      .reply(200, answer([shown]));
    expect(await list()).toEqual({
      ok: true,
      value: { pullRequests: [{ number: 7, headSha: SHA.head, checkFailed }], complete: true },
    });
  });

  test('listOpenPullRequests reads 50 pull requests per page', async () => {
    const sent: unknown[] = [];
    const record = (body: unknown) => {
      sent.push(Object(Object(body).variables));
      return true;
    };
    github()
      .post('/graphql', record)
      .reply(200, answer([node(7, [])], 'next'));
    github()
      .post('/graphql', record)
      .reply(200, answer([node(8, [])]));
    expect(await list()).toMatchObject({ value: { pullRequests: [{ number: 7 }, { number: 8 }] } });
    const asked = {
      states: ['OPEN'],
      order: { field: 'UPDATED_AT', direction: 'DESC' },
      first: 50,
      suites: { checkName: 'Security scan' },
      runs: { checkName: 'Security scan', checkType: 'LATEST' },
    };
    expect(sent).toMatchObject([
      { ...asked, after: null },
      { ...asked, after: 'next' },
    ]);
  });

  test('listOpenPullRequests lists at most 300 pull requests, and says that there are more', async () => {
    github()
      .post('/graphql')
      .times(6)
      .reply(200, answer([node(7, [])], 'next'));
    expect(await list()).toMatchObject({ value: { complete: false } });
  });

  test.each([
    ['refuses the request', 403, { message: 'no' }],
    ['shows a pull request as null', 200, answer([null])],
    ['shows no repository', 200, { data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] }],
  ])('listOpenPullRequests uses REST if GraphQL %s', async (_what, status, body) => {
    github().post('/graphql').reply(status, body);
    github()
      .get(REST)
      .reply(200, [{ number: 9, head: { sha: SHA.head } }]);
    expect(await list()).toEqual({
      ok: true,
      value: {
        pullRequests: [{ number: 9, headSha: SHA.head, checkFailed: undefined }],
        complete: true,
      },
    });
  });

  test('listOpenPullRequests returns the first page if the second page fails', async () => {
    github()
      .post('/graphql')
      .reply(200, answer([node(7, [])], 'next'));
    github().post('/graphql').reply(403, { message: 'no' });
    expect(await list()).toMatchObject({
      value: { pullRequests: [{ number: 7 }], complete: false, failure: { kind: 'forbidden' } },
    });
  });
});
