import { describe, expect, test, vi } from 'vitest';
import { environmentPairs } from '../../../sandbox/runner/environment-file.ts';
import { closeLog } from '../../../src/deliver/job-log.ts';
import { outputsOf, writeOutputs } from '../../../src/deliver/outputs.ts';
import { REASONS } from '../../../src/domain/result.ts';
import { reportOfStop } from '../../../src/report/report.ts';
import { createRunnerLog } from '../../../src/runner/log.ts';
import { NOTHING_DELIVERED } from '../../support/nothing-delivered.ts';
import { OUTPUT_NAMES } from '../../support/output-names.ts';
import { printed, runnerFile } from '../../support/runner-files.ts';
import { HEAD, INSUFFICIENT_CREDITS, sampleFinding, sampleReport } from '../report/sample-report.ts';

const FINDINGS = [
  sampleFinding({ id: 'a', word: 'CRITICAL' }),
  sampleFinding({ id: 'b', word: 'HIGH', resolution: 'MITIGATED' }),
  sampleFinding({ id: 'c', word: 'LOW' }),
];

describe('the outputs', () => {
  test('the outputs of a scan contain the number of findings, in total and by severity', () => {
    expect(outputsOf(sampleReport(FINDINGS), NOTHING_DELIVERED)).toMatchObject({
      outcome: 'blocked',
      reason: '',
      'scan-id': 'scn_01HZX5M3',
      'scan-status': 'COMPLETED',
      'scan-kind': 'diff',
      'scan-reused': 'false',
      'findings-total': '3',
      'findings-reported': '1',
      'findings-blocking': '1',
      'severity-counts': JSON.stringify({ CRITICAL: 1, HIGH: 0, MEDIUM: 0, LOW: 1, INFO: 0 }),
      'highest-severity': 'CRITICAL',
      'credits-reserved': '40',
      'credits-pull-request': '80',
    });
  });

  test('the number of findings is zero after a clean scan, and empty without a scan', () => {
    expect(outputsOf(sampleReport([]), NOTHING_DELIVERED)).toMatchObject({
      outcome: 'passed',
      'findings-total': '0',
      'highest-severity': '',
    });
    for (const outcome of [
      { kind: 'not-scanned', failure: INSUFFICIENT_CREDITS },
      { kind: 'unchanged' },
    ] as const) {
      expect(outputsOf(sampleReport(outcome), NOTHING_DELIVERED)).toMatchObject({
        outcome: outcome.kind,
        'findings-total': '',
        'findings-reported': '',
        'findings-blocking': '',
        'severity-counts': '',
        'highest-severity': '',
        'head-commit': HEAD,
      });
    }
  });

  test('the outputs contain the address or path of each report', () => {
    const publication = {
      publicId: 'p',
      url: 'https://scan.example/public/scans/p',
      gated: true,
      accessPassword: 'pw',
    };
    const delivered = {
      checkRunUrl: 'https://github.com/check',
      commentUrl: 'https://github.com/comment',
      sarifFile: '/home/runner/scan.sarif',
      reportFile: '/home/runner/report.json',
      checkRunInProgress: undefined,
    };
    expect(outputsOf(sampleReport([], { publication }), delivered)).toMatchObject({
      'public-url': publication.url,
      'public-password': 'pw',
      'check-run-url': 'https://github.com/check',
      'comment-url': 'https://github.com/comment',
      'sarif-file': '/home/runner/scan.sarif',
      'report-file': '/home/runner/report.json',
    });
  });
});

test('every address and path of a report is in an output and at the end of the log', () => {
  const names = Object.keys(NOTHING_DELIVERED).filter((name) => /(?:Url|File)$/.test(name));
  const places = names.map((name) => `/at/${name}`);
  const delivered = {
    ...NOTHING_DELIVERED,
    ...Object.fromEntries(names.map((name) => [name, `/at/${name}`])),
  };
  const report = sampleReport([]);
  const lines: string[] = [];
  const log = createRunnerLog(false);
  closeLog({ ...log, group: (_title, more) => void lines.push(...more) }, report, delivered);
  expect(places.length).toBeGreaterThan(3);
  expect(Object.values(outputsOf(report, delivered))).toEqual(expect.arrayContaining(places));
  expect(lines.map((line) => line.replace(/^.*: /, ''))).toEqual(expect.arrayContaining(places));
});

describe('the outputs file', () => {
  test('an output with line breaks does not damage the outputs file', () => {
    const file = runnerFile('GITHUB_OUTPUT');
    const hostile = 'x\noutcome<<EOF\npassed\nEOF\n';
    writeOutputs({ ...outputsOf(sampleReport([]), NOTHING_DELIVERED), 'scan-id': hostile });
    const read = Object.fromEntries(environmentPairs(file()));
    expect(Object.keys(read)).toEqual(OUTPUT_NAMES);
    expect(read).toMatchObject({ outcome: 'passed', 'scan-id': hostile });
  });

  test.each(REASONS)('the outputs file gets every output of a run that could not start: %s', (reason) => {
    const file = runnerFile('GITHUB_OUTPUT');
    writeOutputs(outputsOf(reportOfStop({ reason, cause: 'It is so.', nextStep: '' })));
    const read = Object.fromEntries(environmentPairs(file()));
    expect(Object.keys(read)).toEqual(OUTPUT_NAMES);
    expect(read).toMatchObject({ outcome: 'not-scanned', reason, 'findings-total': '' });
  });

  test('an outputs file that cannot be written causes an error', () => {
    printed();
    vi.stubEnv('GITHUB_OUTPUT', '/nowhere/output');
    expect(() => writeOutputs(outputsOf(sampleReport([])))).toThrow();
    vi.unstubAllEnvs();
  });
});
