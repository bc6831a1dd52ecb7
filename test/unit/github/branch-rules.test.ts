import { expect, test } from 'vitest';
import { requiredChecks, requiredWorkflows, requireMore } from '../../../src/github/branch-rules.ts';
import { SHA } from './client.ts';

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
