import { afterEach, describe, expect, test } from 'vitest';
import { readPullRequestState } from '../../../src/github/pull-request-state.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';
import {
  HEAD_TREE,
  pullRequestAnswer,
  pullRequestByRest,
  pullRequestNode,
  UPDATED,
} from './pull-request-answers.ts';

const REST = '/repos/acme/shop/pulls/5';
const read = () => readPullRequestState(client(), 5, NEVER_ABORTED);
const STATE = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: new Date(UPDATED),
  headSha: SHA.head,
  headTree: HEAD_TREE,
  baseName: 'main',
  baseTip: { kind: 'commit', sha: SHA.base },
  comments: [],
};
const BY_REST = { ...STATE, headTree: undefined, baseTip: undefined, comments: undefined };
const FORBIDDEN = { type: 'FORBIDDEN', message: 'Resource not accessible by integration' };
const hidden = (errors: unknown) => ({
  data: { viewer: { login: 'github-actions[bot]' }, repository: { pullRequest: null } },
  errors,
});

afterEach(expectNoAnswerLeft);

describe('readPullRequestState by GraphQL', () => {
  test('readPullRequestState reads everything in one request by GraphQL', async () => {
    let query = '';
    github()
      .post('/graphql', (body) => {
        query = String(body.query);
        return (
          body.variables.owner === 'acme' && body.variables.repo === 'shop' && body.variables.number === 5
        );
      })
      .reply(200, pullRequestAnswer());
    expect(await read()).toEqual({ ok: true, value: STATE });
    for (const field of ['viewer', 'state', 'updatedAt', 'headRefOid', 'baseRefName', 'oid', 'comments']) {
      expect(query).toContain(field);
    }
  });

  describe('the check runs of the previous head', () => {
    const page = (nodes: readonly unknown[], hasNextPage = false) => ({ pageInfo: { hasNextPage }, nodes });
    const suite = (...ids: readonly (string | null)[]) => ({
      checkRuns: page(ids.map((externalId) => ({ externalId }))),
    });
    const answerWith = (previous: unknown) => {
      const { data } = pullRequestAnswer();
      return { data: { ...data, repository: { ...data.repository, previous } } };
    };
    const readWith = () => readPullRequestState(client(), 5, NEVER_ABORTED, SHA.other);

    test('readPullRequestState reads all check runs of the previous head with the request for the pull request', async () => {
      const asked = (body: { variables: Record<string, unknown> }) =>
        body.variables['previous'] === SHA.other && body.variables['withPrevious'] === true;
      const previous = { oid: SHA.other, checkSuites: page([suite('a', null), suite(), suite('b')]) };
      github().post('/graphql', asked).reply(200, answerWith(previous));
      expect(await readWith()).toEqual({
        ok: true,
        value: { ...STATE, previousChecks: { headSha: SHA.other, externalIds: ['a', '', 'b'] } },
      });
    });

    test.each([
      ['an unknown commit', null],
      ['another object', {}],
      ['no check suites', { oid: SHA.other, checkSuites: null }],
      ['a second page of check suites', { oid: SHA.other, checkSuites: page([suite('a')], true) }],
      ['a second page of check runs', { oid: SHA.other, checkSuites: page([{ checkRuns: page([], true) }]) }],
      ['an unknown form', { oid: SHA.other, checkSuites: page([{ checkRuns: page([{ externalId: 1 }]) }]) }],
    ])(
      'readPullRequestState leaves out only the check runs of the previous head if GraphQL shows %s',
      async (_, previous) => {
        github().post('/graphql').reply(200, answerWith(previous));
        expect(await readWith()).toEqual({ ok: true, value: STATE });
      },
    );

    test('readPullRequestState leaves out only the check runs of the previous head if the token may not read them', async () => {
      const path = ['repository', 'previous', 'checkSuites'];
      github()
        .post('/graphql')
        .reply(200, {
          ...answerWith({ oid: SHA.other, checkSuites: null }),
          errors: [{ ...FORBIDDEN, path }],
        });
      expect(await readWith()).toEqual({ ok: true, value: STATE });
    });

    test('an error about the previous head does not hide an error about the comments', async () => {
      const errors = [
        { ...FORBIDDEN, path: ['repository', 'previous'] },
        { ...FORBIDDEN, path: ['repository', 'pullRequest', 'comments'] },
      ];
      github()
        .post('/graphql')
        .reply(200, { ...answerWith(null), errors });
      expect(await readWith()).toMatchObject({ value: { comments: undefined } });
    });
  });

  test.each([
    ['OPEN', true],
    ['CLOSED', false],
    ['MERGED', false],
  ])('readPullRequestState reads whether a pull request in the state %s is open', async (state, isOpen) => {
    github().post('/graphql').reply(200, pullRequestAnswer({ state }));
    expect(await read()).toMatchObject({ value: { isOpen } });
  });

  test('readPullRequestState recognizes that the base branch was deleted', async () => {
    github()
      .post('/graphql')
      .reply(200, pullRequestAnswer({ baseRef: null }));
    expect(await read()).toMatchObject({ value: { baseTip: { kind: 'gone' } } });
  });

  test('after an error of GraphQL, readPullRequestState does not report the base branch as deleted', async () => {
    github()
      .post('/graphql')
      .reply(200, { ...pullRequestAnswer({ baseRef: null }), errors: [FORBIDDEN] });
    expect(await read()).toEqual({ ok: true, value: { ...BY_REST, headTree: HEAD_TREE } });
  });

  const files = (oid: unknown, tree: unknown) => ({ nodes: [{ commit: { oid, tree: { oid: tree } } }] });
  test.each([
    ['another commit', files(SHA.other, HEAD_TREE)],
    ['no tree id', files(SHA.head, 'main')],
    ['no commit', { nodes: [] }],
    ['nothing', null],
  ])(
    'readPullRequestState leaves out the tree of the head if the answer shows %s',
    async (_what, commits) => {
      github().post('/graphql').reply(200, pullRequestAnswer({ commits }));
      expect(await read()).toEqual({ ok: true, value: { ...STATE, headTree: undefined } });
    },
  );

  test('readPullRequestState leaves out the comments if there is more than one page', async () => {
    const comments = { pageInfo: { hasNextPage: true }, nodes: [] };
    github().post('/graphql').reply(200, pullRequestAnswer({ comments }));
    expect(await read()).toEqual({ ok: true, value: { ...STATE, comments: undefined } });
  });
});

describe('readPullRequestState by REST', () => {
  test.each([
    ['is down', 503, {}],
    ['forbids the read', 200, hidden([FORBIDDEN])],
    [
      'has reached its rate limit',
      200,
      { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
    ],
    ['does not exist', 404, { message: 'Not Found' }],
    ['answers with a malformed list', 200, ['?']],
    ['shows an abbreviated head', 200, pullRequestAnswer({ headRefOid: SHA.head.slice(0, 7) })],
    ['shows no name of the base branch', 200, pullRequestAnswer({ baseRefName: '' })],
    ['shows no valid time', 200, pullRequestAnswer({ updatedAt: 'yesterday' })],
    ['shows an unknown state', 200, pullRequestAnswer({ state: 'DRAFT' })],
    ['shows a tip that is not a commit', 200, pullRequestAnswer({ baseRef: { target: { oid: 'HEAD' } } })],
    ['leaves out the base branch', 200, { data: { repository: { pullRequest: without('baseRef') } } }],
  ])('readPullRequestState uses REST if GraphQL %s', async (_, status, body) => {
    github()
      .post('/graphql')
      .times(status === 503 ? 3 : 1)
      .reply(status, body);
    github().get(REST).reply(200, pullRequestByRest());
    expect(await read()).toEqual({ ok: true, value: BY_REST });
  });
});

describe('readPullRequestState: failures', () => {
  const NEEDS = { permission: 'pull-requests: read' };

  test.each([
    ['a refusal by GraphQL and REST', [FORBIDDEN], 403, 'forbidden'],
    ['a refusal by GraphQL, with REST down', [FORBIDDEN], 503, 'forbidden'],
    ['a refusal by REST alone', undefined, 403, 'forbidden'],
    ['an unknown pull request', [{ type: 'NOT_FOUND' }], 404, 'not-found'],
    ['a rate limit', [{ type: 'RATE_LIMITED' }], 429, 'rate-limited'],
    [
      'a rate limit that GraphQL reports as forbidden',
      [{ type: 'FORBIDDEN', message: 'API rate limit exceeded for installation ID 4711.' }],
      429,
      'rate-limited',
    ],
    ['a failure of GraphQL and REST', undefined, 500, 'unreachable'],
    ['a hostile list of errors', ['FORBIDDEN', null, { type: ['FORBIDDEN'] }], 500, 'unreachable'],
  ])(
    'readPullRequestState returns an error of the matching kind after %s',
    async (_, errors, status, kind) => {
      const attempts = status >= 500 ? 3 : status === 429 ? 2 : 1;
      github().post('/graphql').reply(200, hidden(errors));
      github().get(REST).times(attempts).reply(status, { message: 'no' });
      expect(await read()).toMatchObject({ ok: false, error: { kind, ...NEEDS } });
    },
  );
});

function without(name: string) {
  return Object.fromEntries(Object.entries(pullRequestNode()).filter(([key]) => key !== name));
}
