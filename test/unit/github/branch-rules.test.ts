import { expect, test } from 'vitest';
import { requiredChecks, requiredWorkflows, requireMore } from '../../../src/github/branch-rules.ts';
import { SHA } from './samples.ts';

test('the rules of a branch show the required status checks and their apps', () => {
  const checks = (...all: readonly [name: unknown, app: number | null][]) => ({
    type: 'required_status_checks',
    parameters: { required_status_checks: all.map(([context, app]) => ({ context, integration_id: app })) },
  });
  const others = [
    { ...checks(['d', null]), type: 'deletion' },
    { type: '' },
    checks([7, null]),
    { type: 'required_status_checks' },
  ];
  expect(requiredChecks([checks(['a', null], ['b', 15_368]), ...others, checks(['c', null])])).toEqual([
    { name: 'a', appId: undefined },
    { name: 'b', appId: 15_368 },
    { name: 'c', appId: undefined },
  ]);
});

test('the rules of a branch show the path, the repository and the ref of each required workflow', () => {
  const of = (...workflows: unknown[]) => ({ type: 'workflows', parameters: { workflows } });
  const main = { repository_id: 2, ref: 'refs/heads/main' };
  const rules = [
    of({ path: 'a.yml', repository_id: 1 }, { path: 'b.yml', ...main }),
    of({ path: 'c.yml', ...main, sha: SHA.head }),
  ];
  expect(requiredWorkflows(rules)).toEqual([
    { path: 'a.yml', repositoryId: 1, ref: undefined },
    { path: 'b.yml', repositoryId: 2, ref: 'refs/heads/main' },
    { path: 'c.yml', repositoryId: 2, ref: SHA.head },
  ]);
  expect(requiredWorkflows([of({ path: 7 }), { ...rules[0], type: 'deletion' }])).toEqual([]);
});

test.each([
  [true, 'is unreadable', '', undefined],
  [true, 'requires workflows in an unknown form', 'workflows', { workflows: [{ path: 7 }] }],
  [true, 'requires checks in an unknown form', 'required_status_checks', {}],
  [false, 'requires workflows', 'workflows', { workflows: [] }],
  [false, 'requires checks', 'required_status_checks', { required_status_checks: [] }],
  [false, 'requires neither', 'deletion', undefined],
])('requireMore returns %s for a rule that %s', (more, _what, type, parameters) => {
  expect(requireMore([{ type: 'deletion' }, { type, parameters }])).toBe(more);
});
