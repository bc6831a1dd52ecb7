import { expect, test } from 'vitest';
import { expectResult } from './expect-result.ts';
import { MERGE_BASE, VULNERABLE } from './repository.ts';
import { runScenario } from './scenario.ts';
import { triaging } from './triage.ts';

const BLOCKED_NEXT =
  'Push a fix for each blocking finding, or contest it: close it in the scanning service (`';

test('a vulnerable change is blocked, and vulnerabilities of the base branch are not reported', async () => {
  const result = await runScenario({});
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 2 findings at or above high', BLOCKED_NEXT],
  });
  const { run, repository, environment, headSha } = result;
  expect(run.outputs).toMatchObject({
    'base-commit': repository.id(MERGE_BASE),
    'findings-total': String(VULNERABLE.total),
    'findings-reported': '3',
    'findings-blocking': '2',
    'severity-counts': JSON.stringify(VULNERABLE.counts),
    'highest-severity': 'CRITICAL',
    'credits-reserved': '20',
  });
  // The log names the pull request, the head and the base branch, and ends with the next step.
  expect(run.log).toContain(`Pull request #7 of octo-org/octo-repo: ${headSha} onto branch main.`);
  expect(run.log.trimEnd().split('\n').at(-1)).toContain(
    `##[error]Blocked: 2 findings at or above high. ${BLOCKED_NEXT}`,
  );
  expect(
    JSON.stringify([environment.github.checkRuns, environment.github.comments, run.summary]),
  ).not.toContain('admin.js');
  expect(environment.github.comments).toHaveLength(1);
});

test.each([
  ['low', '4'],
  ['medium', '3'],
  ['high', '2'],
  ['critical', '1'],
])('the input `fail-on: %s` blocks findings of this severity or worse', async (failOn, blocking) => {
  const result = await runScenario({ inputs: { 'fail-on': failOn } });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: [`Blocked: ${blocking} finding`, `at or above ${failOn}`],
  });
  expect(result.run.outputs).toMatchObject({ 'findings-blocking': blocking });
});

test('a blocking finding below `severity-threshold` is reported', async () => {
  const result = await runScenario({
    head: 'low',
    inputs: { 'fail-on': 'low', 'severity-threshold': 'critical' },
  });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 1 finding at or above low'],
  });
  expect(result.run.outputs).toMatchObject({ 'findings-reported': '1', 'findings-blocking': '1' });
});

test.each([
  ['confirmed', 'ANALYSIS', { triageStatus: 'CONFIRMED', confirmationEvidence: 'ANALYSIS' }],
  ['confirmed', 'POC', { triageStatus: 'CONFIRMED', confirmationEvidence: 'POC' }],
  ['poc', 'POC', { triageStatus: 'CONFIRMED', confirmationEvidence: 'POC' }],
])('with `fail-on-evidence: %s`, a finding with the evidence %s blocks', async (evidence, _what, verdict) => {
  const result = await runScenario({ ...triaging(verdict), inputs: { 'fail-on-evidence': evidence } });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 2 findings at or above high'],
  });
});

test.each([
  [
    'confirmed',
    'whose `triageStatus` is PENDING',
    { triageStatus: 'PENDING', confirmationEvidence: null },
    '2 at or above high, but not confirmed',
  ],
  [
    'confirmed',
    'whose `triageStatus` is REJECTED',
    { triageStatus: 'REJECTED', confirmationEvidence: null },
    '2 at or above high, but not confirmed',
  ],
  [
    'poc',
    'with the evidence ANALYSIS',
    { triageStatus: 'CONFIRMED', confirmationEvidence: 'ANALYSIS' },
    '2 at or above high without a proof of concept',
  ],
])('with `fail-on-evidence: %s`, a finding %s does not block', async (evidence, _what, verdict, text) => {
  const result = await runScenario({ ...triaging(verdict), inputs: { 'fail-on-evidence': evidence } });
  expectResult(result, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'neutral',
    launches: 1,
    texts: [text],
  });
  expect(result.run.outputs).toMatchObject({ 'findings-reported': '3', 'findings-blocking': '0' });
});

test.each([
  [
    'confirmed',
    'whose `triageStatus` is unknown',
    { triageStatus: 'SOMETHING_NEW', confirmationEvidence: null },
    'triage is unknown: SOMETHING_NEW',
  ],
  [
    'poc',
    'with unknown evidence',
    { triageStatus: 'CONFIRMED', confirmationEvidence: null },
    'the service does not show their evidence',
  ],
])('with `fail-on-evidence: %s`, a finding %s blocks', async (evidence, _what, verdict, text) => {
  const result = await runScenario({ ...triaging(verdict), inputs: { 'fail-on-evidence': evidence } });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 2 findings at or above high', text],
  });
  expect(result.run.log).toContain(`##[warning]With \`fail-on-evidence: ${evidence}\`, 2 findings`);
});

test('with `fail-on-evidence: poc`, a finding blocks if its details show a proof, but the list does not', async () => {
  const { service, before } = triaging({ triageStatus: 'CONFIRMED', confirmationEvidence: 'POC' });
  const result = await runScenario({
    before,
    service: { ...service, hideFields: { findingItem: ['triageStatus', 'confirmationEvidence'] } },
    inputs: { 'fail-on-evidence': 'poc' },
  });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 2 findings at or above high'],
  });
});

test('with `fail-on-evidence: poc`, a finding blocks if the service does not show its evidence', async () => {
  const hidden = ['triageStatus', 'confirmationEvidence'];
  const result = await runScenario({
    service: { hideFields: { findingItem: hidden, findingDetail: hidden } },
    inputs: { 'fail-on-evidence': 'poc' },
  });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 2 findings at or above high', 'the service does not show their triage'],
  });
});

test('a finding with the status RESOLVED blocks if the scan of the head reports it', async () => {
  const result = await runScenario(triaging({ resolutionStatus: 'RESOLVED' }));
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: [
      'Blocked: 2 findings at or above high',
      'This scan still reports the finding, although it is marked RESOLVED.',
    ],
  });
});

test('a finding with an unknown severity blocks', async () => {
  const result = await runScenario({
    head: 'low',
    service: {
      intercept: ({ point }) =>
        point === 'findings.list'
          ? {
              rewrite: (answer) => ({
                ...answer,
                body: JSON.parse(JSON.stringify(answer.body).replaceAll('"LOW"', '"CATASTROPHIC"')),
              }),
            }
          : undefined,
    },
  });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 1 finding at or above high', 'its severity is unknown: CATASTROPHIC'],
  });
  expect(result.run.outputs['severity-counts']).toContain('"UNKNOWN":1');
});
