import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import {
  readGrouping,
  readMergeQueue,
  requiredChecks,
  requiredWorkflows,
  requireMore,
} from '../../../src/github/branch-rules.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import type { Reply } from '../../support/answering.ts';
import { SHA } from './client.ts';
import { expectConversations } from './conversation.ts';
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

const read = (github: GitHubClient) => readGrouping(github, 'release/1.x');
const rule = (grouping: unknown) => ({ type: 'merge_queue', parameters: { grouping_strategy: grouping } });
const queue = (mergingStrategy: unknown): Reply => [
  200,
  { data: { repository: { mergeQueue: { configuration: { mergingStrategy } } } } },
];
const REFUSAL: Reply = [200, { data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] }];
const NO_QUEUE: Reply = [200, { data: { repository: { mergeQueue: null } } }];
const NO: Reply = [403, { message: 'no' }];
const OTHERS = [{ type: 'deletion' }, { type: 7 }, null];

test('the grouping of a merge queue comes from the rules of the branch, else from GraphQL', async () => {
  await expectConversations('branch-rules', [
    ['ALLGREEN', read, [200, [rule('ALLGREEN')]]],
    ['equal rules among others', read, [200, [rule('ALLGREEN'), rule('ALLGREEN'), ...OTHERS]]],
    ['HEADGREEN', read, [200, [rule('HEADGREEN')]]],
    ['different rules', read, [200, [rule('ALLGREEN'), rule('HEADGREEN')]]],
    ['a rule without parameters', read, [200, [rule('ALLGREEN'), { type: 'merge_queue' }]]],
    ['an unknown grouping', read, [200, [rule('ALLGREEN'), rule('SOMETHING_NEW')]]],
    ['several pages of rules', read, [200, [rule('ALLGREEN')], NEXT], queue('HEADGREEN')],
    ['no rule, but a queue with ALLGREEN', read, [200, OTHERS], queue('ALLGREEN')],
    ['no rule, but a queue with HEADGREEN', read, [200, OTHERS], queue('HEADGREEN')],
    ['unreadable rules, and no queue', read, NO, NO_QUEUE],
    ['unreadable rules, and an unreadable queue', read, NO, REFUSAL],
    [
      'an unreadable queue',
      (github) => readMergeQueue(github, 'release/1.x', ok({ rules: [], complete: true })),
      REFUSAL,
    ],
  ]);
});
