import { expect, test } from 'vitest';
import { toAnnotations } from '../../../src/report/check-output.ts';
import { POLICY, sampleFinding, sampleReport } from './sample-report.ts';
import { manyFindings } from './states.ts';

test('the level of an annotation depends on the severity', () => {
  const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'APOCALYPTIC'];
  const report = sampleReport(
    severities.map((word) => sampleFinding({ word, title: 'X' })),
    { policy: { ...POLICY, severityThreshold: 'info' } },
  );
  expect(toAnnotations(report).annotations.map(({ level, title }) => `${level} ${title}`)).toEqual([
    'failure ZK-8Q4WD7RT Unknown severity APOCALYPTIC: X',
    'failure ZK-8Q4WD7RT Critical: X',
    'failure ZK-8Q4WD7RT High: X',
    'warning ZK-8Q4WD7RT Medium: X',
    'notice ZK-8Q4WD7RT Low: X',
    'notice ZK-8Q4WD7RT Info: X',
  ]);
});

test('only the 200 worst findings with a line are annotated', () => {
  const elsewhere = [
    undefined,
    { path: 'a.ts', startLine: undefined, endLine: undefined },
    { path: '../x', startLine: 1, endLine: 1 },
  ].map((location) => sampleFinding({ location }));
  const { annotations, leftOut, unplaced } = toAnnotations(
    sampleReport([...manyFindings(250), ...elsewhere]),
  );
  expect([annotations.length, leftOut]).toEqual([200, 50]);
  expect(unplaced).toEqual({ 'no line is known': 2, 'the path leads to a parent folder': 1 });
  expect(annotations.slice(0, 167).every(({ level }) => level === 'failure')).toBe(true);
});

test('the texts of an annotation stay within the limits of GitHub', () => {
  const only = (...members: Parameters<typeof sampleFinding>) =>
    toAnnotations(sampleReport([sampleFinding(...members)])).annotations[0];
  const long = '😀漢'.repeat(40_000);
  const annotation = only({ title: long, description: long, recommendedFix: long, proofOfConcept: long });
  expect(annotation?.title.length).toBeLessThanOrEqual(255);
  expect(annotation?.title.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(annotation?.message ?? '')).toBeLessThanOrEqual(65_536);
  expect(Buffer.byteLength(annotation?.rawDetails ?? '')).toBeLessThanOrEqual(65_536);
  expect(only({ title: '', description: undefined, recommendedFix: ' ' })?.message).not.toBe('');
});
