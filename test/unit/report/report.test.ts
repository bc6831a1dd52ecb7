import { expect, test } from 'vitest';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { judge } from '../../../src/domain/verdict.ts';
import { withholdFindings } from '../../../src/report/report.ts';
import { completed, POLICY, sampleFinding } from './sample-report.ts';

test('withheld findings keep their group, severity and label, by which each group is sorted', () => {
  const at = (path: string) => ({ location: { path, startLine: 1, endLine: 1 } });
  const findings = [
    { label: 'ZK-B', ...at('a.ts') },
    { label: 'ZK-C', ...at('b.ts') },
    { label: 'ZK-A', ...at('c.ts') },
    { label: 'ZK-C', ...at('d.ts') },
    { label: 'ZK-0', word: 'MEDIUM', ...at('a.ts') },
    { label: 'ZK-Z', word: 'CRITICAL', ...at('z.ts') },
    { label: 'ZK-3', word: 'LOW' },
    { label: 'ZK-4', ...at('test/a.ts') },
    { label: 'ZK-5', resolution: 'MITIGATED' },
    { label: 'ZK-6', word: 'SEVERE' },
  ].map(sampleFinding);
  const policy = { ...POLICY, pathsExempt: readPathPatterns('test/**').patterns };
  const { findings: groups } = judge(completed(findings), policy);
  const shown = Object.entries(withholdFindings(groups)).map(([group, value]) => {
    const items = Array.isArray(value) ? value.map(({ label, level }) => `${level} ${label}`).join(', ') : '';
    return `${group}: ${items || JSON.stringify(value)}\n`;
  });
  expect(shown.join('')).toMatchInlineSnapshot(`
    "reported: unknown ZK-6, critical ZK-Z, high ZK-A, high ZK-B, high ZK-C, high ZK-C, medium ZK-0
    blocking: unknown ZK-6, critical ZK-Z, high ZK-A, high ZK-B, high ZK-C, high ZK-C
    below: low ZK-3
    exempt: high ZK-4
    exemptAtGate: high ZK-4
    triaged: high ZK-5
    withoutEvidence: []
    total: 10
    counts: {"CRITICAL":1,"HIGH":5,"MEDIUM":1,"LOW":1,"INFO":0,"UNKNOWN":1}
    highest: "UNKNOWN"
    "
  `);
  expect(withholdFindings(groups).reported[0]).toEqual({ label: 'ZK-6', level: 'unknown' });
});
