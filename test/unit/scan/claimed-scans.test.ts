import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { joinState } from '../../../src/domain/comment-state.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { hiddenLines } from '../../../src/github/comment-marker.ts';
import { claimedScans } from '../../../src/scan/claimed-scans.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer, pullRequestByRest } from '../github/pull-request-answers.ts';
import { aMark, checkRun, markText, SEAL } from './marked.ts';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

const listing = () =>
  github()
    .get(`/repos/acme/shop/commits/${SHA.head}/check-runs`)
    .query({ filter: 'all', per_page: 100, page: 1 });
const checkRuns = (...marks: readonly string[]) =>
  listing().reply(200, { check_runs: marks.map((mark, index) => checkRun(index + 1, mark)) });

/** A comment of a check, with a mark in its hidden lines. */
const comment = (mark: string, checkName = 'Another check') =>
  `${hiddenLines({ checkName, headSha: SHA.head, runId: 1, runAttempt: 1 }, joinState({ mark, history: undefined, publication: undefined }))}\nText`;
const graphqlComment = (body: string, index: number) => ({
  fullDatabaseId: String(index + 1),
  url: 'https://github.com/acme/shop/pull/5#issuecomment-1',
  body,
  author: { login: 'mona', __typename: 'User' },
});
const comments = (...bodies: readonly string[]) =>
  github()
    .post('/graphql')
    .reply(
      200,
      pullRequestAnswer({
        comments: { pageInfo: { hasNextPage: false }, nodes: bodies.map(graphqlComment) },
      }),
    );

const claimed = (pullRequest?: number, exceptKey?: string) =>
  claimedScans(
    { github: client(), seal: SEAL, signal: NEVER_ABORTED },
    { headSha: SHA.head, pullRequest },
    exceptKey,
  );

describe('claimedScans', () => {
  test('reads only check runs if the event has no pull request', async () => {
    checkRuns(markText({ scanId: 'a' }), 'run:42:1:x', markText({ scanId: 'b', runId: 7 }));
    expect(await claimed()).toEqual(new Set(['a', 'b']));
  });

  test('reads the comments of every check too', async () => {
    checkRuns(markText({ scanId: 'a' }));
    comments('Looks good.', comment(markText({ scanId: 'b' })), comment(markText({ scanId: 'c' }), 'Third'));
    expect(await claimed(5)).toEqual(new Set(['a', 'b', 'c']));
  });

  test('ignores marks that were made with another token', async () => {
    checkRuns(encodeMark(aMark({ scanId: 'a' }), createSeal('another token', '1296269')));
    comments(comment(encodeMark(aMark({ scanId: 'b' }), createSeal('another token', '1296269'))));
    expect(await claimed(5)).toEqual(new Set());
  });

  test('leaves out the marks of one key', async () => {
    const other = 'L'.repeat(22);
    checkRuns(markText({ scanId: 'a' }), markText({ scanId: 'b', key: other }));
    comments(comment(markText({ scanId: 'c' })));
    expect(await claimed(5, 'K'.repeat(22))).toEqual(new Set(['b']));
  });

  test('reads the whole list if GraphQL does not show all comments', async () => {
    checkRuns();
    github().post('/graphql').reply(502);
    github().post('/graphql').reply(502);
    github().post('/graphql').reply(502);
    github().get('/repos/acme/shop/pulls/5').reply(200, pullRequestByRest());
    github()
      .get('/repos/acme/shop/issues/5/comments')
      .query({ per_page: 100, page: 1 })
      .reply(200, [{ id: 1, body: comment(markText({ scanId: 'c' })), user: null }]);
    expect(await claimed(5)).toEqual(new Set(['c']));
  });

  test('returns undefined if the check runs cannot be read', async () => {
    listing().reply(403, { message: 'no' });
    comments();
    expect(await claimed(5)).toBeUndefined();
  });

  test.each([502, 403])('returns undefined if the comments cannot be read: %i', async (status) => {
    checkRuns(markText({ scanId: 'a' }));
    const attempts = status === 502 ? 3 : 1;
    github().post('/graphql').times(attempts).reply(status, { message: 'no' });
    github().get('/repos/acme/shop/pulls/5').times(attempts).reply(status, { message: 'no' });
    expect(await claimed(5)).toBeUndefined();
  });
});
