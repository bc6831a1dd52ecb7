import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectNotScanned, expectResult } from './expect-result.ts';
import { VULNERABLE } from './repository.ts';
import { runScenario } from './scenario.ts';
import { triaging } from './triage.ts';

describe('fail-on with a list', () => {
  test.each([
    ['critical, medium:poc', '1', '2 more without the evidence'],
    ['critical:confirmed, medium:poc', undefined, '3 at or above medium without the evidence'],
    ['critical, high', '2', 'at or above high'],
  ])(
    'with `fail-on: %s`, a finding blocks only if it has the evidence that its severity needs',
    async (failOn, blocking, text) => {
      const pending = triaging({ triageStatus: 'PENDING', confirmationEvidence: null });
      const result = await runScenario({ ...pending, inputs: { 'fail-on': failOn } });
      expectResult(result, {
        outcome: blocking === undefined ? 'passed' : 'blocked',
        exitCode: blocking === undefined ? 0 : 1,
        conclusion: blocking === undefined ? 'neutral' : 'failure',
        launches: 1,
        texts: [text],
      });
      expect(result.run.outputs).toMatchObject({ 'findings-blocking': blocking ?? '0' });
    },
  );

  test('the headline shows the list in the input `fail-on`', async () => {
    const result = await runScenario({ inputs: { 'fail-on': 'critical, high:confirmed' } });
    expect(result.run.summary).toContain('Blocked: ');
    expect(result.run.summary).toContain('(fail-on: critical, high:confirmed');
    expect(result.environment.github.checkRuns[0]?.output?.title).toContain(
      '(fail-on: critical, high:confirmed',
    );
  });

  test('the input `fail-on` is invalid if a higher severity needs stronger evidence than a lower one', async () => {
    const result = await runScenario({ inputs: { 'fail-on': 'critical:poc, high' } });
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['fail-on asks for more proof of the worse severity: critical:poc, but high:any.'],
    });
  });
});

describe('paths-exempt', () => {
  test('findings in exempt paths are shown, but do not block', async () => {
    const result = await runScenario({
      inputs: { 'paths-exempt': 'src/pack.js\n', 'report-file': 'report.json', 'sarif-file': 'scan.sarif' },
    });
    expectResult(result, {
      outcome: 'passed',
      exitCode: 0,
      conclusion: 'neutral',
      launches: 1,
      texts: ['Passed: 4 findings, none blocking (2 at or above high exempt by path)'],
    });
    const { run, workspace, environment } = result;
    expect(run.outputs).toMatchObject({
      'findings-total': String(VULNERABLE.total),
      'findings-reported': '1',
      'findings-blocking': '0',
      'severity-counts': JSON.stringify(VULNERABLE.counts),
      'highest-severity': 'CRITICAL',
    });
    expect(run.summary).toContain('### Exempt by path');
    expect(run.log).toContain('Not listed here: 1 finding below medium and 2 findings exempt by path.');
    expect(environment.github.comments[0]?.body).toContain('<summary>2 findings exempt by path</summary>');
    const annotated = environment.github.checkRuns.flatMap(({ annotations }) => annotations);
    expect(annotated.map((annotation) => annotation.path)).toEqual(['src/agent.js']);
    const read = async (file: string) => readFile(path.join(workspace, file), 'utf8');
    expect(JSON.parse(await read('report.json'))).toMatchObject({
      policy: { pathsExempt: ['src/pack.js'] },
      counts: { total: 4, reported: 1, blocking: 0, below: 1, exempt: 2, triaged: 0 },
    });
    expect((await read('scan.sarif')).match(/"group": ?"exempt"/g)).toHaveLength(2);
  });

  test('in `paths-exempt`, a `!` pattern removes a folder from the exempt paths', async () => {
    const result = await runScenario({ inputs: { 'paths-exempt': '**\n!src' } });
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings at or above high'],
    });
    expect(result.run.outputs).toMatchObject({ 'findings-reported': '3', 'findings-blocking': '2' });
  });

  test.each([
    ['**', 'paths-exempt matches files of any name in any folder'],
    ['src/', 'paths-exempt contains src/. For all files in a folder, end the pattern with /**.'],
    ['src/**, docs/**', 'paths-exempt contains src/**, docs/**. Write one pattern per line.'],
  ])('the input `paths-exempt: %s` is invalid, and no scan is launched', async (given, text) => {
    const result = await runScenario({ inputs: { 'paths-exempt': given } });
    expectNotScanned(result, 'configuration', { launches: 0, texts: [text] });
  });
});
