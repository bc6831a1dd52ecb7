import { expect, test } from 'vitest';
import { expectResult } from './expect-result.ts';
import { MERGE_BASE, VULNERABLE } from './repository.ts';
import { runScenario } from './scenario.ts';
import { triaging } from './triage.ts';

test('a clean change passes with one paid scan of exactly the change, and without a comment', async () => {
  const result = await runScenario({ head: 'clean' });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    texts: ['Passed: no findings', 'The scan completed without findings.'],
  });
  const { repository, run, environment, headSha } = result;
  expect(run.outputs).toMatchObject({
    'base-commit': repository.id(MERGE_BASE),
    'head-commit': headSha,
    'findings-total': '0',
    'highest-severity': '',
    'credits-reserved': '20',
    'scan-reused': 'false',
    'comment-url': '',
  });
  expect(environment.service.scans()).toMatchObject([
    { baseCommit: repository.id(MERGE_BASE), commit: headSha, status: 'COMPLETED' },
  ]);
  expect(environment.github.comments).toEqual([]);
});

test('a run passes with a warning if some phases of the scan did not finish', async () => {
  const result = await runScenario({
    head: 'clean',
    service: {
      intercept: ({ point }) =>
        point === 'scans.read'
          ? {
              rewrite: (answer) => ({
                ...answer,
                body: JSON.parse(JSON.stringify(answer.body).replace(/"phasesTotal":6/, '"phasesTotal":8')),
              }),
            }
          : undefined,
    },
  });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    texts: ['Passed: no findings', 'only 6 of 8 phases finished'],
  });
  expect(result.run.log).toContain('##[warning]The scan is COMPLETED, but only 6 of 8 phases finished');
});

test('findings below `fail-on` are shown, and make the check run neutral', async () => {
  const result = await runScenario({ head: 'medium' });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'neutral',
    launches: 1,
    texts: ['Passed: 1 finding, none at or above high', 'No blocking findings.'],
  });
  expect(result.run.outputs).toMatchObject({
    'findings-total': '1',
    'findings-reported': '1',
    'findings-blocking': '0',
    'highest-severity': 'MEDIUM',
  });
  expect(result.environment.github.comments).toHaveLength(1);
});

test('findings below `severity-threshold` are counted, and cause no comment', async () => {
  const result = await runScenario({ head: 'low' });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    texts: ['Passed: 1 finding, none at or above high'],
  });
  expect(result.run.outputs).toMatchObject({
    'findings-total': '1',
    'findings-reported': '0',
    'severity-counts': JSON.stringify({ CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 1, INFO: 0 }),
  });
  expect(result.environment.github.comments).toEqual([]);
});

test.each(['MITIGATED', 'FALSE_POSITIVE'])(
  'a change passes if all its findings are triaged as %s',
  async (resolutionStatus) => {
    const result = await runScenario(triaging({ resolutionStatus }));
    expectResult(result, {
      outcome: 'passed',
      exitCode: 0,
      conclusion: 'success',
      launches: 1,
      texts: [`Passed: no open findings, ${VULNERABLE.total} closed by triage`],
    });
    expect(result.run.outputs).toMatchObject({
      'findings-total': String(VULNERABLE.total),
      'findings-reported': '0',
      'findings-blocking': '0',
      'highest-severity': '',
    });
    expect(result.environment.github.checkRuns[0]?.annotations).toEqual([]);
  },
);
