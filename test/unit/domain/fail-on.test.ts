import { expect, test } from 'vitest';
import { contradiction, normalRules } from '../../../src/domain/fail-on.ts';

test('normalRules puts the worst severity first, and drops redundant rules', () => {
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

test('`contradiction` returns two rules if a high finding needs more evidence than a medium one', () => {
  const rules = [
    { severity: 'medium', evidence: 'any' },
    { severity: 'critical', evidence: 'any' },
    { severity: 'high', evidence: 'poc' },
  ] as const;
  expect(contradiction(rules)).toEqual({ worse: rules[2], milder: rules[0] });
});
