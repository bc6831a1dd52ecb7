import { expect, test } from 'vitest';
import { closeLog, deliverToLog } from '../../src/deliver/job-log.ts';
import { outputsOf } from '../../src/deliver/outputs.ts';
import { renderCheckOutput, toAnnotations } from '../../src/report/check-output.ts';
import { COMMENT_LIMIT, renderComment } from '../../src/report/comment.ts';
import { progressOf } from '../../src/report/log-lines.ts';
import { renderSarif } from '../../src/report/sarif.ts';
import { fitSummary, renderSummary, SUMMARY_LIMIT_BYTES } from '../../src/report/summary.ts';
import { createRunnerLog } from '../../src/runner/log.ts';
import { NOTHING_DELIVERED } from '../support/nothing-delivered.ts';
import { printed } from '../support/runner-files.ts';
import { completed, sampleFinding, sampleReport } from '../unit/report/sample-report.ts';

/** An invisible character is escaped as eight visible ones. */
const GROWTH = 8;
/**
 * The most characters that a line of the log may have. It contains a title, a path, four values of the service, and our
 * own words.
 */
const LONGEST_LOG_LINE = (300 + 200 + 4 * 40 + 100) * GROWTH;
/**
 * The most bytes that a SARIF file may have. Even uncompressed, such a file is below the 10 MB limit of code scanning.
 */
const LARGEST_SARIF = 2_000_000;

test.each(['x', '\u202e', '@a ', '`\n', '$', '\n', '##[', '漢', '😀', '\ud800'])(
  'the log, the Markdown outputs and the SARIF file truncate a finding whose texts repeat %j',
  (piece) => {
    const text = piece.repeat(2 ** 20 / piece.length);
    const finding = sampleFinding({
      word: text,
      triage: text,
      evidence: text,
      title: text,
      description: text,
      recommendedFix: text,
      proofOfConcept: text,
      url: text,
      location: { path: text, startLine: 1, endLine: 1 },
    });
    const report = sampleReport([finding], { warnings: [text], scanStatus: text });
    const lists = fitSummary(report);
    const lines = printed();
    deliverToLog(createRunnerLog(), report, lists);
    closeLog(createRunnerLog(), report, NOTHING_DELIVERED);
    for (const line of lines()) expect(line.length).toBeLessThanOrEqual(LONGEST_LOG_LINE);
    const { summary, text: list } = renderCheckOutput(report, toAnnotations(report), lists);
    expect(renderComment(report, { coverage: lists }).length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
    expect(Buffer.byteLength(list)).toBeLessThanOrEqual(65_535);
    expect(Buffer.byteLength(renderSummary(report, lists))).toBeLessThanOrEqual(SUMMARY_LIMIT_BYTES);
    expect([...renderSarif(report)].join('').length).toBeLessThanOrEqual(LARGEST_SARIF);
    expect(outputsOf(report, NOTHING_DELIVERED)['scan-status'].length).toBeLessThanOrEqual(40);
  },
);

test('the log truncates a very long status of a running scan', () => {
  const outcome = completed([]);
  if (outcome.kind !== 'completed') throw new Error('not completed');
  expect(progressOf({ ...outcome.scan, status: 'x'.repeat(2 ** 20) }).length).toBeLessThan(200);
});
