import { expect, test } from 'vitest';
import { readPullRequestState } from '../../../src/github/pull-request-state.ts';
import type { Reply } from '../../support/answering.ts';
import { answered, SHA } from './client.ts';
import { expectConversations, type Row } from './conversation.ts';
import { HEAD_TREE, pullRequestAnswer, pullRequestByRest, pullRequestNode } from './pull-request-answers.ts';

type Github = Parameters<typeof readPullRequestState>[0];
const read = (github: Github) => readPullRequestState(github, 5);
const readWithPrevious = (github: Github) => readPullRequestState(github, 5, SHA.other);
const byRest: Reply = [200, pullRequestByRest()];
const shows = (changes: Readonly<Record<string, unknown>> = {}, errors?: unknown): Reply => [
  200,
  { ...pullRequestAnswer(changes), errors },
];
const FORBIDDEN = { type: 'FORBIDDEN', message: 'Resource not accessible by integration' };
const hides = (...errors: unknown[]): Reply => [
  200,
  { data: { viewer: { login: 'github-actions[bot]' }, repository: { pullRequest: null } }, errors },
];
const no = (status: number): Reply => [status, { message: 'no' }];
const down = Array.from({ length: 3 }, () => no(503));

const files = (oid: unknown, tree: unknown) => ({ nodes: [{ commit: { oid, tree: { oid: tree } } }] });
const page = (nodes: readonly unknown[], hasNextPage = false) => ({ pageInfo: { hasNextPage }, nodes });
const suite = (...ids: readonly (string | null)[]) => ({
  checkRuns: page(ids.map((externalId) => ({ externalId }))),
});
const withPrevious = (previous: unknown, errors?: unknown): Reply => {
  const { data } = pullRequestAnswer();
  return [200, { data: { ...data, repository: { ...data.repository, previous } }, errors }];
};
const suites = (checkSuites: unknown) => withPrevious({ oid: SHA.other, checkSuites });
const { baseRef: _, ...withoutBase } = pullRequestNode();
const path = ['repository', 'previous', 'checkSuites'];

const ROWS: readonly Row[] = [
  ['an open pull request', read, shows()],
  ['a closed pull request', read, shows({ state: 'CLOSED' })],
  ['a merged pull request', read, shows({ state: 'MERGED' })],
  ['a deleted base branch', read, shows({ baseRef: null })],
  ['a base branch withheld with an error', read, shows({ baseRef: null }, [FORBIDDEN])],
  ['the tree of another commit', read, shows({ commits: files(SHA.other, HEAD_TREE) })],
  ['an invalid tree', read, shows({ commits: files(SHA.head, 'main') })],
  ['no commit', read, shows({ commits: { nodes: [] } })],
  ['no commits', read, shows({ commits: null })],
  ['several pages of comments', read, shows({ comments: page([], true) })],

  [
    'the check runs of the previous head',
    readWithPrevious,
    suites(page([suite('a', null), suite(), suite('b')])),
  ],
  ['an unknown previous head', readWithPrevious, withPrevious(null)],
  ['a previous head that is no commit', readWithPrevious, withPrevious({})],
  ['no check suites of the previous head', readWithPrevious, suites(null)],
  ['several pages of check suites', readWithPrevious, suites(page([suite('a')], true))],
  ['several pages of check runs', readWithPrevious, suites(page([{ checkRuns: page([], true) }]))],
  ['an invalid check run', readWithPrevious, suites(page([{ checkRuns: page([{ externalId: 1 }]) }]))],
  [
    'check runs that the token may not read',
    readWithPrevious,
    withPrevious({ oid: SHA.other, checkSuites: null }, [{ ...FORBIDDEN, path }]),
  ],
  [
    'comments and a previous head that the token may not read',
    readWithPrevious,
    withPrevious(null, [
      { ...FORBIDDEN, path: ['repository', 'previous'] },
      { ...FORBIDDEN, path: ['repository', 'pullRequest', 'comments'] },
    ]),
  ],

  ['GraphQL is down', read, ...down, byRest],
  ['GraphQL forbids the read', read, hides(FORBIDDEN), byRest],
  [
    'GraphQL has a rate limit',
    read,
    [200, { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }],
    byRest,
  ],
  ['GraphQL does not exist', read, no(404), byRest],
  ['a malformed answer', read, [200, ['?']], byRest],
  ['an abbreviated head', read, shows({ headRefOid: SHA.head.slice(0, 7) }), byRest],
  ['no name of the base branch', read, shows({ baseRefName: '' }), byRest],
  ['an invalid time', read, shows({ updatedAt: 'yesterday' }), byRest],
  ['an unknown state', read, shows({ state: 'DRAFT' }), byRest],
  ['a tip that is no commit', read, shows({ baseRef: { target: { oid: 'HEAD' } } }), byRest],
  [
    'an answer without the base branch',
    read,
    [200, { data: { repository: { pullRequest: withoutBase } } }],
    byRest,
  ],

  ['a refusal by GraphQL and REST', read, hides(FORBIDDEN), no(403)],
  ['a refusal by GraphQL, with REST down', read, hides(FORBIDDEN), ...down],
  ['a refusal by REST alone', read, hides(), no(403)],
  ['an unknown pull request', read, hides({ type: 'NOT_FOUND' }), no(404)],
  ['a rate limit of GraphQL and REST', read, hides({ type: 'RATE_LIMITED' }), no(429), no(429)],
  [
    'a rate limit that GraphQL reports as forbidden',
    read,
    hides({ type: 'FORBIDDEN', message: 'API rate limit exceeded for installation ID 4711.' }),
    no(429),
    no(429),
  ],
  ['a failure of GraphQL and REST', read, hides(), ...down],
  ['a hostile list of errors', read, hides('FORBIDDEN', null, { type: ['FORBIDDEN'] }), ...down],
];

test('the state of a pull request comes from GraphQL, and from REST what GraphQL does not show', async () => {
  await expectConversations('pull-request-state', ROWS);
});

test('readPullRequestState asks GraphQL for everything in one query', async () => {
  const { github, bodies } = answered(shows());
  await read(github);
  const { query }: { query?: string } = Object(bodies[0]);
  for (const field of ['viewer', 'state', 'updatedAt', 'headRefOid', 'baseRefName', 'oid', 'comments'])
    expect(query).toContain(field);
});
