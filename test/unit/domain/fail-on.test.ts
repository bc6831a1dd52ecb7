import { expect, test } from 'vitest';
import { contradiction, normalRules } from '../../../src/domain/fail-on.ts';

test('the rules of fail-on are normalized: worst first, and none that repeats the next milder one', () => {
  const rules = [
    { severity: 'low', evidence: 'poc' },
    { severity: 'critical', evidence: 'any' },
    { severity: 'medium', evidence: 'poc' },
    { severity: 'high', evidence: 'any' },
  ] as const;
  expect(normalRules(rules)).toEqual([rules[3], rules[0]]);
  expect(contradiction(rules)).toBeUndefined();
  expect(contradiction([])).toBeUndefined();
});

test('a contradiction in fail-on names the rules of both severities', () => {
  const rules = [
    { severity: 'medium', evidence: 'any' },
    { severity: 'critical', evidence: 'any' },
    { severity: 'high', evidence: 'poc' },
  ] as const;
  expect(contradiction(rules)).toEqual({ worse: rules[2], milder: rules[0] });
});
