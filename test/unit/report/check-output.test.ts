import { expect, test } from 'vitest';
import { failOnAt } from '../../../src/domain/verdict.ts';
import { toAnnotations } from '../../../src/report/check-output.ts';
import { sampleFinding, sampleReport } from './sample-report.ts';
import { manyFindings } from './states.ts';

const only = (...arguments_: Parameters<typeof sampleFinding>) =>
  toAnnotations(sampleReport([sampleFinding(...arguments_)])).annotations[0];

test('the level of an annotation depends on the severity', () => {
  const policy = {
    severityThreshold: 'info',
    failOn: failOnAt('high'),
    allowUnscanned: [],
    pathsExempt: [],
  } as const;
  const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'APOCALYPTIC'];
  const report = sampleReport(
    severities.map((word) => sampleFinding({ word })),
    { policy },
  );
  expect(toAnnotations(report).annotations.map(({ level, title }) => `${level} ${title}`)).toEqual([
    'failure ZK-8Q4WD7RT Unknown severity APOCALYPTIC: SQL is built from the request’s input',
    'failure ZK-8Q4WD7RT Critical: SQL is built from the request’s input',
    'failure ZK-8Q4WD7RT High: SQL is built from the request’s input',
    'warning ZK-8Q4WD7RT Medium: SQL is built from the request’s input',
    'notice ZK-8Q4WD7RT Low: SQL is built from the request’s input',
    'notice ZK-8Q4WD7RT Info: SQL is built from the request’s input',
  ]);
});

test('only the 200 worst findings are annotated', () => {
  const unplaced = [
    sampleFinding({ location: undefined }),
    sampleFinding({ location: { path: '../x', startLine: 1, endLine: 1 } }),
  ];
  const {
    annotations,
    leftOut,
    unplaced: without,
  } = toAnnotations(sampleReport([...manyFindings(250), ...unplaced]));
  expect([annotations.length, leftOut]).toEqual([200, 50]);
  expect(without).toEqual({ 'no line is known': 1, 'the path leads to a parent folder': 1 });
  expect(annotations.slice(0, 167).every(({ level }) => level === 'failure')).toBe(true);
});

test('closed findings and findings below the threshold are not annotated', () => {
  const report = sampleReport([sampleFinding({ resolution: 'MITIGATED' }), sampleFinding({ word: 'LOW' })]);
  expect(toAnnotations(report)).toEqual({ annotations: [], leftOut: 0, unplaced: {} });
});

test('a finding without a line is not annotated', () => {
  const finding = sampleFinding({ location: { path: 'a.ts', startLine: undefined, endLine: undefined } });
  expect(toAnnotations(sampleReport([finding]))).toMatchObject({
    annotations: [],
    unplaced: { 'no line is known': 1 },
  });
});

test('annotations show the proof of concept only in private repositories', () => {
  expect(only()?.rawDetails).toMatch(/^curl/);
  const shown = toAnnotations(sampleReport([sampleFinding({ proofOfConcept: 'PROOF' })], { isPublic: true }));
  expect(JSON.stringify(shown)).not.toContain('PROOF');
});

test('the texts of an annotation stay within the limits of GitHub', () => {
  const long = '😀漢'.repeat(40_000);
  const annotation = only({ title: long, description: long, recommendedFix: long, proofOfConcept: long });
  expect(annotation?.title.length).toBeLessThanOrEqual(255);
  expect(annotation?.title.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(annotation?.message ?? '')).toBeLessThanOrEqual(65_536);
  expect(Buffer.byteLength(annotation?.rawDetails ?? '')).toBeLessThanOrEqual(65_536);
  expect(only({ title: '', description: undefined, recommendedFix: ' ' })?.message).not.toBe('');
});
