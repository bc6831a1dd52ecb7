import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leaveForPost } from '../../../src/deliver/deliver.ts';
import { closeLog, deliverToLog } from '../../../src/deliver/job-log.ts';
import { outputsOf } from '../../../src/deliver/outputs.ts';
import type { Finding } from '../../../src/domain/finding.ts';
import { FAIL_ON_NONE } from '../../../src/domain/verdict.ts';
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

const TARGETS = { push: samplePush({}, true), schedule: sampleFullScan(true), 'an unknown event': undefined };

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

/** The withheld members of a finding. The verdict does not depend on them. */
const anyTexts = fc.record({
  id: hostileText,
  title: hostileText,
  cwe: fc.option(fc.nat(), { nil: undefined }),
  location: fc.option(
    fc.record({
      path: hostileText,
      startLine: fc.option(fc.integer(), { nil: undefined }),
      endLine: fc.constant(undefined),
    }),
    { nil: undefined },
  ),
  url: fc.option(hostileText, { nil: undefined }),
  description: fc.option(hostileText, { nil: undefined }),
  recommendedFix: fc.option(hostileText, { nil: undefined }),
  proofOfConcept: fc.option(hostileText, { nil: undefined }),
  triage: hostileText,
  evidence: hostileText,
}) satisfies fc.Arbitrary<SampleFinding>;
/** The shown members of a finding. The verdict depends on them. */
const anyLabelled = fc.record({
  label: fc.stringMatching(/^ZK-[A-Z\d]{8}$/),
  word: fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'SEVERE'),
  resolution: fc.constantFrom('NOT_STARTED', 'RESOLVED', 'MITIGATED'),
});

describe.each(Object.entries(TARGETS))('outputs of a public repository: %s', (event, target) => {
  test.each([
    ['blocked or passed', POLICY],
    ['passed', { ...POLICY, failOn: FAIL_ON_NONE }],
  ])(
    `on ${event}, the withheld members of a finding do not change any public output (%s)`,
    (_what, policy) => {
      fc.assert(
        fc.property(fc.array(fc.tuple(anyLabelled, anyTexts, anyTexts), { maxLength: 8 }), (given) => {
          const shown = [1, 2].map((which) => {
            const findings = given.map((one) => sampleFinding({ ...one[which === 1 ? 1 : 2], ...one[0] }));
            return shownIn(toReport(sampleWhole(findings, { target, policy })));
          });
          expect(shown[0]).toEqual(shown[1]);
        }),
        { numRuns: rounds(50, 300) },
      );
    },
  );

  test(`on ${event}, public outputs do not quote an unknown severity`, () => {
    const findings = [sampleFinding({ word: 'zqxseverityzqx' })];
    const shown = JSON.stringify(shownIn(toReport(sampleWhole(findings, { target }))));
    expect(shown).not.toMatch(/zqxseverityzqx/i);
    expect(shown).toContain('Unknown severity');
  });

  test(`on ${event}, public outputs escape the label of a finding`, () => {
    fc.assert(
      fc.property(hostileText, (label) => {
        const report = toReport(sampleWhole([sampleFinding({ label })], { target }));
        const { summary, check } = shownIn(report);
        for (const markdown of [summary, check.summary, check.text])
          expect(unintendedIn(markdown)).toEqual([]);
      }),
      { numRuns: rounds(10, 100) },
    );
  });

  test(`on ${event}, public outputs lose no label and exceed no limit`, () => {
    const findings = manyFindings(5_000);
    const report = toReport(sampleWhole(findings, { target }));
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

  test(`on ${event}, the SARIF file and the JSON report show the whole findings`, () => {
    const finding = sampleFinding({ title: 'TITLETEXT', description: 'DESCRIPTIONTEXT' });
    const whole = sampleWhole([finding], { target });
    for (const file of [[...renderSarif(whole)].join(''), [...renderJsonReport(whole)].join('')])
      for (const text of ['TITLETEXT', 'DESCRIPTIONTEXT', 'src/users/search.ts'])
        expect(file).toContain(text);
  });
});

test('public outputs show the group of each finding, and which findings block', () => {
  const findings: Finding[] = [
    sampleFinding({ label: 'ZK-BBBBBBBB' }),
    sampleFinding({ label: 'ZK-AAAAAAAA' }),
    sampleFinding({ label: 'ZK-MMMMMMMM', word: 'MEDIUM' }),
    sampleFinding({ label: 'ZK-LLLLLLLL', word: 'LOW' }),
    sampleFinding({ label: 'ZK-TTTTTTTT', resolution: 'MITIGATED' }),
  ];
  const { summary, log } = shownIn(toReport(sampleWhole(findings, { target: TARGETS.push })));
  expect(summary).toContain('<b>High</b> (**blocks**): <code>ZK-AAAAAAAA</code>, <code>ZK-BBBBBBBB</code>\n');
  expect(summary).toContain('<b>Medium</b>: <code>ZK-MMMMMMMM</code>\n');
  expect(summary).toContain('### Below medium\n\n🔵 <b>Low</b>: <code>ZK-LLLLLLLL</code>\n');
  expect(summary).toMatch(/### Closed by triage[^\n]+\n\n🟠 <b>High<\/b>: <code>ZK-TTTTTTTT/);
  expect(log).toContain('High: ZK-AAAAAAAA, blocks\nHigh: ZK-BBBBBBBB, blocks\nMedium: ZK-MMMMMMMM\n');
});

test('renderSummary refuses a report that contains whole findings', () => {
  const whole: WholeReport = sampleWhole([sampleFinding()], { target: TARGETS.push });
  // @ts-expect-error: a whole report contains what may not be shown.
  expect(() => renderSummary(whole)).toThrow();
});
