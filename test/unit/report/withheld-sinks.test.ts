import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leaveForPost } from '../../../src/deliver/deliver.ts';
import { closeLog, deliverToLog } from '../../../src/deliver/job-log.ts';
import { outputsOf } from '../../../src/deliver/outputs.ts';
import { FAIL_ON_NONE, type GatePolicy } from '../../../src/domain/verdict.ts';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import { type Report, toReport, type WholeReport } from '../../../src/report/report.ts';
import { renderSarif } from '../../../src/report/sarif.ts';
import { fitSummary, renderSummary, SUMMARY_LIMIT_BYTES } from '../../../src/report/summary.ts';
import { createRunnerLog } from '../../../src/runner/log.ts';
import { unintendedIn } from '../../security/unintended.ts';
import { NOTHING_DELIVERED } from '../../support/nothing-delivered.ts';
import { rounds } from '../../support/rounds.ts';
import { printed } from '../../support/runner-files.ts';
import { anyTexts } from './any-finding.ts';
import { hostileText } from './hostile.ts';
import {
  POLICY,
  type SampleFinding,
  sampleFinding,
  sampleFullScan,
  samplePush,
  sampleWhole,
} from './sample-report.ts';
import { manyFindings } from './states.ts';

const PUSH = { target: samplePush({}, true) };

/** Everything that a run shows. The SARIF file and the JSON report are left out. */
function shownIn(report: Report) {
  const lists = fitSummary(report);
  const lines = printed();
  const log = createRunnerLog();
  deliverToLog(log, report, lists);
  closeLog(log, report, NOTHING_DELIVERED);
  const saved: unknown[] = [];
  const state = {
    saveScan: () => {},
    savePendingLaunch: () => {},
    clearScan: () => {},
    saveCheckRun: (checkRun: object) => void saved.push(checkRun),
    clearCheckRun: () => {},
  };
  leaveForPost(state, report, 7, false);
  return {
    log: lines().join('\n'),
    summary: renderSummary(report, lists),
    check: renderCheckOutput(report, toAnnotations(report), lists),
    annotations: toAnnotations(report),
    outputs: outputsOf(report, NOTHING_DELIVERED),
    state: saved,
  };
}

/** The shown members of a finding. The verdict depends on them. */
const anyLabelled = fc.record({
  label: fc.stringMatching(/^ZK-[A-Z\d]{8}$/),
  word: fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'unknown'),
  resolution: fc.constantFrom('NOT_STARTED', 'RESOLVED', 'MITIGATED'),
});
/** Two findings that look the same in public. The word of an unknown severity is withheld too. */
const twins = fc.tuple(anyLabelled, anyTexts, anyTexts).map(([labelled, ...texts]) =>
  texts.map(
    (members): SampleFinding => ({
      ...members,
      ...labelled,
      word: labelled.word === 'unknown' ? `ZQX${members.title}` : labelled.word,
    }),
  ),
);

test.each<[string, WholeReport['target'], Partial<GatePolicy>]>([
  ['on a push', PUSH.target, {}],
  ['on a full scan', sampleFullScan(true), {}],
  ['on an unknown event', undefined, {}],
  ['on a push that nothing can block', PUSH.target, { failOn: FAIL_ON_NONE }],
])('the withheld members of a finding do not change any public output (%s)', (_what, target, changed) => {
  const policy = { ...POLICY, ...changed };
  fc.assert(
    fc.property(fc.array(twins, { maxLength: 8 }), (given) => {
      const [one, other] = [0, 1].map((which) => {
        const findings = given.map((members) => sampleFinding(members[which]));
        return shownIn(toReport(sampleWhole(findings, { target, policy })));
      });
      expect(one).toEqual(other);
    }),
    { numRuns: rounds(50, 300) },
  );
});

test('public outputs escape the label of a finding', () => {
  fc.assert(
    fc.property(hostileText, (label) => {
      const { summary, check } = shownIn(toReport(sampleWhole([sampleFinding({ label })], PUSH)));
      for (const markdown of [summary, check.summary, check.text]) expect(unintendedIn(markdown)).toEqual([]);
    }),
    { numRuns: rounds(10, 100) },
  );
});

test('public outputs lose no label and exceed no limit', () => {
  const report = toReport(sampleWhole(manyFindings(5_000), PUSH));
  const { log, summary, check, annotations } = shownIn(report);
  const labelsIn = (text: string) => new Set(text.match(/ZK-MANY\d+/g)).size;
  expect(labelsIn(log)).toBe(5_000);
  expect(labelsIn(summary)).toBe(5_000);
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(SUMMARY_LIMIT_BYTES);
  expect(Buffer.byteLength(check.text)).toBeLessThanOrEqual(65_535);
  const [, leftOut] = check.text.match(/(\d+) more findings did not fit here/) ?? [];
  expect(labelsIn(check.text)).toBeGreaterThan(1_000);
  expect(labelsIn(check.text) + Number(leftOut)).toBe(5_000);
  expect(check.text).toContain('See the full list in the job summary');
  expect(annotations).toEqual({ annotations: [], leftOut: 0, unplaced: {} });
});

test('the SARIF file and the JSON report of a public repository show the whole findings', () => {
  const finding = sampleFinding({ title: 'TITLETEXT', description: 'DESCRIPTIONTEXT' });
  for (const target of [PUSH.target, sampleFullScan(true), undefined]) {
    const whole = sampleWhole([finding], { target });
    for (const file of [[...renderSarif(whole)].join(''), [...renderJsonReport(whole)].join('')])
      for (const text of ['TITLETEXT', 'DESCRIPTIONTEXT', 'src/users/search.ts'])
        expect(file).toContain(text);
  }
});

test('renderSummary refuses a report that contains whole findings', () => {
  const whole: WholeReport = sampleWhole([sampleFinding()], PUSH);
  // @ts-expect-error: a whole report contains what may not be shown.
  expect(() => renderSummary(whole)).toThrow();
});
