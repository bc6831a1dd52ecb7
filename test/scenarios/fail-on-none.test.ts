import { expect, test } from 'vitest';
import { expectResult } from './expect-result.ts';
import { VULNERABLE } from './repository.ts';
import { runScenario } from './scenario.ts';

test('a run with `fail-on: none` reports all findings, and blocks nothing', async () => {
  const result = await runScenario({ inputs: { 'fail-on': 'none' } });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'neutral',
    launches: 1,
    texts: ['Passed: 4 findings, none can block (fail-on: none)'],
  });
  expect(result.run.outputs).toMatchObject({
    'findings-total': String(VULNERABLE.total),
    'findings-reported': '3',
    'findings-blocking': '0',
    'severity-counts': JSON.stringify(VULNERABLE.counts),
    'highest-severity': 'CRITICAL',
  });
});
