import { expect, test } from 'vitest';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { judge } from '../../../src/domain/verdict.ts';
import { withholdFindings } from '../../../src/report/report.ts';
import { completed, POLICY, type SampleFinding, sampleFinding } from './sample-report.ts';

const policy = { ...POLICY, pathsExempt: readPathPatterns('test/**').patterns };

function withhold(...findings: readonly SampleFinding[]) {
  const { findings: groups } = judge(completed(findings.map(sampleFinding)), policy);
  return { groups, withheld: withholdFindings(groups) };
}

test('withholdFindings keeps the label, severity and group of each finding', () => {
  const inTest = { path: 'test/a.ts', startLine: 1, endLine: 1 };
  const { groups, withheld } = withhold(
    { label: 'ZK-1', word: 'CRITICAL' },
    { label: 'ZK-2', word: 'MEDIUM' },
    { label: 'ZK-3', word: 'LOW' },
    { label: 'ZK-4', location: inTest },
    { label: 'ZK-5', resolution: 'MITIGATED' },
    { label: 'ZK-6', word: 'SEVERE' },
  );
  const { total, counts, highest } = groups;
  const critical = { label: 'ZK-1', level: 'critical' };
  const unknown = { label: 'ZK-6', level: 'unknown' };
  const exempt = { label: 'ZK-4', level: 'high' };
  expect(withheld).toEqual({
    reported: [unknown, critical, { label: 'ZK-2', level: 'medium' }],
    blocking: [unknown, critical],
    below: [{ label: 'ZK-3', level: 'low' }],
    exempt: [exempt],
    exemptAtGate: [exempt],
    triaged: [{ label: 'ZK-5', level: 'high' }],
    withoutEvidence: [],
    total,
    counts,
    highest,
  });
});

test('withheld findings are sorted by severity, and then by label', () => {
  const at = (path: string) => ({ location: { path, startLine: 1, endLine: 1 } });
  const { withheld } = withhold(
    { label: 'ZK-B', ...at('a.ts') },
    { label: 'ZK-C', ...at('b.ts') },
    { label: 'ZK-A', ...at('c.ts') },
    { label: 'ZK-C', ...at('d.ts') },
    { label: 'ZK-0', word: 'MEDIUM', ...at('a.ts') },
    { label: 'ZK-Z', word: 'CRITICAL', ...at('z.ts') },
  );
  expect(withheld.reported.map(({ label }) => label)).toEqual([
    'ZK-Z',
    'ZK-A',
    'ZK-B',
    'ZK-C',
    'ZK-C',
    'ZK-0',
  ]);
});

test('withholdFindings lists one object for a finding under `reported` and under `blocking`', () => {
  const { withheld } = withhold({ label: 'ZK-SAME' }, { label: 'ZK-SAME' });
  const reported = new Set(withheld.reported);
  expect(reported.size).toBe(2);
  expect(withheld.blocking.every((one) => reported.has(one))).toBe(true);
});
