import { afterEach, describe, expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import {
  readGrouping,
  readMergeQueue,
  requiredChecks,
  requiredWorkflows,
  requireMore,
} from '../../../src/github/branch-rules.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';
import { NEXT } from './readers/row.ts';

test('the rules of a branch show the required status checks and their apps', () => {
  const checks = (...names: unknown[]) => ({
    type: 'required_status_checks',
    parameters: {
      required_status_checks: names.map((context) =>
        context === 'b' ? { context, integration_id: 15_368 } : { context, integration_id: null },
      ),
    },
  });
  const rules = [
    checks('a', 'b'),
    { type: 'deletion' },
    { type: '' },
    checks(7),
    { type: 'required_status_checks' },
    checks('c'),
  ];
  expect(requiredChecks(rules)).toEqual([
    { name: 'a', appId: undefined },
    { name: 'b', appId: 15_368 },
    { name: 'c', appId: undefined },
  ]);
});

test('the rules of a branch show the path, the repository and the ref of each required workflow', () => {
  const of = (...workflows: unknown[]) => ({ type: 'workflows', parameters: { workflows } });
  const rules = [
    of({ path: 'a.yml', repository_id: 1 }, { path: 'b.yml', repository_id: 2, ref: 'refs/heads/main' }),
    of({ path: 'c.yml', repository_id: 3, ref: 'refs/heads/main', sha: SHA.head }),
  ];
  expect(requiredWorkflows(rules)).toEqual([
    { path: 'a.yml', repositoryId: 1, ref: undefined },
    { path: 'b.yml', repositoryId: 2, ref: 'refs/heads/main' },
    { path: 'c.yml', repositoryId: 3, ref: SHA.head },
  ]);
  expect(requireMore(rules)).toBe(false);
  expect(requireMore([of({ path: 7 })])).toBe(true);
  expect(requiredWorkflows([of({ path: 7 }), { type: 'deletion' }])).toEqual([]);
});

const RULES = '/repos/acme/shop/rules/branches/release%2F1.x?per_page=100';
const read = () => readGrouping(client(), 'release/1.x', NEVER_ABORTED);
const rule = (grouping: unknown) => ({ type: 'merge_queue', parameters: { grouping_strategy: grouping } });
const REFUSAL = { data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] };
const queue = (mergingStrategy: unknown) => ({
  data: { repository: { mergeQueue: { configuration: { mergingStrategy } } } },
});

afterEach(expectNoAnswerLeft);

describe('readGrouping by the rules of the branch', () => {
  test.each([
    ['ALLGREEN', 'one rule with ALLGREEN', [rule('ALLGREEN')]],
    [
      'ALLGREEN',
      'equal rules among rules of other types',
      [{ type: 'deletion' }, rule('ALLGREEN'), rule('ALLGREEN'), { type: 7 }, null],
    ],
    ['HEADGREEN', 'one rule with HEADGREEN', [rule('HEADGREEN')]],
    ['HEADGREEN', 'different rules', [rule('ALLGREEN'), rule('HEADGREEN')]],
    ['HEADGREEN', 'a second rule without parameters', [rule('ALLGREEN'), { type: 'merge_queue' }]],
    ['HEADGREEN', 'a second rule with an unknown grouping', [rule('ALLGREEN'), rule('SOMETHING_NEW')]],
  ])('readGrouping returns %s for %s', async (grouping, _what, rules) => {
    github().get(RULES).reply(200, rules);
    expect(await read()).toBe(grouping);
  });

  test('readGrouping uses GraphQL if the rules of the branch do not fit on one page', async () => {
    github()
      .get(RULES)
      .reply(200, [rule('ALLGREEN')], NEXT);
    github().post('/graphql').reply(200, queue('HEADGREEN'));
    expect(await read()).toBe('HEADGREEN');
  });
});

describe('readGrouping by GraphQL', () => {
  test.each(['ALLGREEN', 'HEADGREEN'])(
    'readGrouping returns %s from GraphQL if the rules contain no queue',
    async (grouping) => {
      github()
        .get(RULES)
        .reply(200, [{ type: 'deletion' }]);
      github().post('/graphql').reply(200, queue(grouping));
      expect(await read()).toBe(grouping);
    },
  );

  test.each([
    ['no queue', { data: { repository: { mergeQueue: null } } }],
    ['a refusal', REFUSAL],
  ])('readGrouping returns undefined if the answer of GraphQL contains %s', async (_what, body) => {
    github().get(RULES).reply(403, { message: 'no' });
    github().post('/graphql').reply(200, body);
    expect(await read()).toBeUndefined();
  });
});

test('readMergeQueue returns an error if GraphQL refuses', async () => {
  github().post('/graphql').reply(200, REFUSAL);
  const rules = ok({ rules: [], complete: true });
  expect(await readMergeQueue(client(), 'release/1.x', rules, NEVER_ABORTED)).toEqual({
    ok: false,
    error: {
      kind: 'forbidden',
      operation: 'read the merge queue of the base branch',
      permission: 'contents: read',
      status: 200,
      message: '',
      ambiguous: false,
    },
  });
});
