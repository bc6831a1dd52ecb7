import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { readBranchRules } from '../../../src/github/branch-rules.ts';
import { readGrouping, readMergeQueue } from '../../../src/github/merge-queue.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github } from './client.ts';

const RULES = '/repos/acme/shop/rules/branches/release%2F1.x?per_page=100';
const read = () => readGrouping(client(), 'release/1.x', NEVER_ABORTED);
const rule = (grouping: unknown) => ({ type: 'merge_queue', parameters: { grouping_strategy: grouping } });
const queue = (mergingStrategy: unknown) => ({
  data: { repository: { mergeQueue: { configuration: { mergingStrategy } } } },
});

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

describe('readMergeQueue by the rules of the branch', () => {
  test.each([
    ['ALLGREEN', [rule('ALLGREEN')]],
    ['ALLGREEN', [{ type: 'deletion' }, rule('ALLGREEN'), rule('ALLGREEN'), { type: 7 }, null]],
    ['HEADGREEN', [rule('HEADGREEN')]],
    ['HEADGREEN', [rule('ALLGREEN'), rule('HEADGREEN')]],
    ['HEADGREEN', [rule('ALLGREEN'), { type: 'merge_queue' }]],
    ['HEADGREEN', [rule('ALLGREEN'), rule('SOMETHING_NEW')]],
  ])('returns %s if every rule of a queue counts', async (grouping, rules) => {
    github().get(RULES).reply(200, rules);
    expect(await read()).toBe(grouping);
  });

  test('ignores rules that do not fit on one page', async () => {
    const link = { link: '<https://api.github.com/next>; rel="next"' };
    github()
      .get(RULES)
      .reply(200, [rule('ALLGREEN')], link);
    github().post('/graphql').reply(200, queue('HEADGREEN'));
    expect(await read()).toBe('HEADGREEN');
  });
});

describe('readMergeQueue by GraphQL', () => {
  test.each(['ALLGREEN', 'HEADGREEN'])('returns %s if the rules contain no queue', async (grouping) => {
    github()
      .get(RULES)
      .reply(200, [{ type: 'deletion' }]);
    github()
      .post('/graphql', ({ variables }) => variables.branch === 'release/1.x')
      .reply(200, queue(grouping));
    expect(await read()).toBe(grouping);
  });

  test.each([
    ['no queue', 200, { data: { repository: { mergeQueue: null } } }],
    ['a refusal', 200, { data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] }],
    ['an unknown strategy', 200, queue('SOMETHING_NEW')],
    ['an error', 502, ''],
  ])('returns nothing if GraphQL answers %s', async (_, status, body) => {
    github().get(RULES).reply(403, { message: 'no' });
    github()
      .post('/graphql')
      .times(status === 502 ? 3 : 1)
      .reply(status, body);
    expect(await read()).toBeUndefined();
  });
});

describe('readMergeQueue: whether there is a queue', () => {
  const readQueue = async () => {
    const rules = await readBranchRules(client(), 'release/1.x', NEVER_ABORTED);
    return readMergeQueue(client(), 'release/1.x', rules, NEVER_ABORTED);
  };

  test.each([
    ['none', { data: { repository: { mergeQueue: null } } }, { ok: true, value: 'none' }],
    ['the grouping of classic protection', queue('HEADGREEN'), { ok: true, value: 'HEADGREEN' }],
    [
      'an error if GitHub refuses',
      { data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] },
      { ok: false, error: { kind: 'forbidden' } },
    ],
  ])('returns %s', async (_, body, expected) => {
    github().get(RULES).reply(200, []);
    github().post('/graphql').reply(200, body);
    expect(await readQueue()).toMatchObject(expected);
  });
});
