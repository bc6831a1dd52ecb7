import { expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/finding.ts';
import type { Disclosure } from '../../../src/domain/target.ts';
import { FAIL_ON_NONE, failOnAt, type GatePolicy } from '../../../src/domain/verdict.ts';
import { resultNotices } from '../../../src/scan/result.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { finding } from '../domain/sample-finding.ts';
import { POLICY } from '../report/sample-report.ts';
import { aScan } from './fake-api.ts';

const POC = failOnAt('high', 'poc');

interface Given {
  readonly phases?: readonly [completed: number | undefined, total: number | undefined];
  readonly findings?: readonly Finding[];
  readonly failOn?: GatePolicy['failOn'];
  readonly disclosure?: Disclosure;
}

function noticesOf({ phases: [phasesCompleted, phasesTotal] = [undefined, undefined], ...given }: Given) {
  const { findings = [], failOn = POLICY.failOn, disclosure = 'everything' } = given;
  const { progress } = aScan('COMPLETED');
  const scan = aScan('COMPLETED', { progress: { ...progress, phasesCompleted, phasesTotal } });
  return resultNotices(scan, findings, { ...POLICY, failOn }, disclosure);
}
const shown = (given: Given) => noticesOf(given).join('\n    ') || 'none';
/** The notices about one finding if the gate needs a proof of concept to block. */
const aboutOne = (fields: Parameters<typeof finding>[0]) =>
  shown({ findings: [finding(fields)], failOn: POC });

const ODD = ['SEVERE', 'SEVERE', 'BLOCKER'].map((severity) => finding({ severity }));
const [SILENT, MAYBE] = [finding({ triage: undefined }), finding({ triage: 'MAYBE' })];
const UNPROVEN = finding({ triage: 'CONFIRMED', evidence: null });
const FUZZED = finding({ triage: 'CONFIRMED', evidence: 'FUZZED' });

test('a result has the notices that result.txt shows', async () => {
  await expectTable('result', {
    'the finished phases': casesOf<NonNullable<Given['phases']>>((phases) => shown({ phases }), {
      '1 of 8': [1, 8],
      '0 of 8': [0, 8],
      '8 of 8': [8, 8],
      '9 of 8': [9, 8],
      '0 of 0': [0, 0],
      'unknown of 8': [undefined, 8],
      '1 of unknown': [1, undefined],
    }),
    'the severity': casesOf(shown, {
      unknown: { findings: [...ODD, finding({ severity: 'LOW' })] },
      'unknown, if the gate needs evidence': { findings: ODD, failOn: POC },
      'not shown, if the gate blocks nothing': {
        findings: [finding({ severity: '' })],
        failOn: FAIL_ON_NONE,
      },
      'unknown, of a closed finding': {
        findings: [finding({ severity: 'SEVERE', resolution: 'MITIGATED' })],
      },
      'unknown, on a pull request of a public repository': { findings: ODD, disclosure: 'without-proof' },
      'unknown, if findings are shown only by label': { findings: ODD, disclosure: 'labels' },
    }),
    'the evidence': casesOf(shown, {
      'unknown, if the gate needs a proof of concept': {
        findings: [SILENT, MAYBE, UNPROVEN, FUZZED],
        failOn: POC,
      },
      'unknown, if the gate needs a confirmation': {
        findings: [MAYBE, MAYBE, UNPROVEN, FUZZED],
        failOn: failOnAt('high', 'confirmed'),
      },
      'unknown, if the gate needs none': { findings: [MAYBE] },
      'unknown, if the gate blocks nothing': { findings: [MAYBE], failOn: FAIL_ON_NONE },
      'unknown, if findings are shown only by label': {
        findings: [MAYBE, FUZZED],
        failOn: POC,
        disclosure: 'labels',
      },
    }),
    'one finding, if the gate needs a proof of concept, whose': casesOf(aboutOne, {
      'severity is too low to block': { triage: 'MAYBE', severity: 'MEDIUM' },
      'resolution closes it': { triage: 'MAYBE', resolution: 'DUPLICATE' },
      'triage is pending': { triage: 'PENDING', evidence: null },
      'evidence is an analysis': { triage: 'CONFIRMED', evidence: 'ANALYSIS' },
      'proof of concept ran': { triage: 'CONFIRMED', evidence: 'POC' },
    }),
  });
});

test('a notice quotes the unknown triage of many findings in one short sentence without line breaks', () => {
  const values = Array.from({ length: 30 }, (_, index) => `W${index}\n::error::${'x'.repeat(500)}`);
  const [notice = '', ...others] = noticesOf({
    findings: values.map((triage) => finding({ triage })),
    failOn: POC,
  });
  expect(others).toEqual([]);
  expect(notice).not.toContain('\n');
  expect(notice).toMatch(/^.*30 findings at or above high count as proven.*and 25 more\.$/);
  expect(notice.length).toBeLessThan(500);
});
