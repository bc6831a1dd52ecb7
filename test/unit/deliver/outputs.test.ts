import { describe, expect, test, vi } from 'vitest';
import { environmentPairs } from '../../../sandbox/runner/environment-file.ts';
import { closeLog } from '../../../src/deliver/job-log.ts';
import { outputsOf, writeOutputs } from '../../../src/deliver/outputs.ts';
import { reportOfStop } from '../../../src/report/report.ts';
import { createRunnerLog } from '../../../src/runner/log.ts';
import { NOTHING_DELIVERED } from '../../support/nothing-delivered.ts';
import { OUTPUT_NAMES } from '../../support/output-names.ts';
import { printed, runnerFile } from '../../support/runner-files.ts';
import { changes } from '../../support/shown.ts';
import { INSUFFICIENT_CREDITS, sampleFinding, sampleReport } from '../report/sample-report.ts';

const FINDINGS = [
  sampleFinding({ id: 'a', word: 'CRITICAL' }),
  sampleFinding({ id: 'b', word: 'HIGH', resolution: 'MITIGATED' }),
  sampleFinding({ id: 'c', word: 'LOW' }),
];

const PUBLICATION = {
  publicId: 'p',
  url: 'https://scan.example/public/scans/p',
  gated: true,
  accessPassword: 'pw',
};
const DELIVERED = {
  checkRunUrl: 'https://github.com/check',
  commentUrl: 'https://github.com/comment',
  sarifFile: '/home/runner/scan.sarif',
  reportFile: '/home/runner/report.json',
  checkRunInProgress: undefined,
};
const OUTPUTS = {
  'a blocked change': outputsOf(sampleReport(FINDINGS), NOTHING_DELIVERED),
  'no findings': outputsOf(sampleReport([]), NOTHING_DELIVERED),
  'not scanned': outputsOf(
    sampleReport({ kind: 'not-scanned', failure: INSUFFICIENT_CREDITS }),
    NOTHING_DELIVERED,
  ),
  unchanged: outputsOf(sampleReport({ kind: 'unchanged' }), NOTHING_DELIVERED),
  'a published page, and all reports': outputsOf(sampleReport([], { publication: PUBLICATION }), DELIVERED),
  'a run that could not start': outputsOf(
    reportOfStop({ reason: 'configuration', cause: 'It is so.', nextStep: '' }),
  ),
};

test('the outputs have the result, the counts, the credits, and the address or path of each report', async () => {
  const [usual] = Object.values(OUTPUTS);
  const shown = Object.entries(OUTPUTS).flatMap(([name, outputs], index) => [
    `${name}:`,
    ...changes(index === 0 ? {} : usual, outputs).map((line) => `  ${line}`),
  ]);
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/outputs.txt');
  for (const outputs of Object.values(OUTPUTS)) expect(Object.keys(outputs)).toEqual(OUTPUT_NAMES);
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

  test('an outputs file that cannot be written causes an error', () => {
    printed();
    vi.stubEnv('GITHUB_OUTPUT', '/nowhere/output');
    expect(() => writeOutputs(outputsOf(sampleReport([])))).toThrow();
    vi.unstubAllEnvs();
  });
});
