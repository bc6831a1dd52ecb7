import { expect, test } from 'vitest';
import { compareFindings, nextHistory } from '../../../src/domain/history.ts';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { REASON_STATES } from './reason-states.ts';
import { HEAD, sampleFinding, sampleReport } from './sample-report.ts';

/** A label ends in the last eight characters of the id. GitHub can take these characters for a commit id. */
const finding = sampleFinding({ id: 'fnd_9ecd437b', label: 'ZK-9ecd437b' });
const gone = sampleFinding({ id: 'fnd_137b2741', label: 'ZK-137b2741', title: 'Gone' });

test('a label can be copied unchanged from the comment, the job summary and the check run', () => {
  const report = sampleReport([finding, { ...finding, id: 'other', label: 'ZK-432d9921', url: undefined }]);
  const before = nextHistory(
    undefined,
    'c0ffee1234567890c0ffee1234567890c0ffee12',
    sampleReport([gone]).verdict.findings,
  );
  const since = compareFindings(before, HEAD, report.verdict.findings);
  const { text } = renderCheckOutput(report, toAnnotations(report));
  for (const shown of [renderComment(report), renderSummary(report), text]) {
    expect(shown).toContain('[<code>ZK-9ecd437b</code>](');
    expect(shown).toContain('<code>ZK-432d9921</code>');
  }
  expect(renderComment(report, { since })).toContain('High <code>ZK-137b2741</code>');
});

test('a commit and a project can be copied unchanged from the message about a lost launch', () => {
  const report = REASON_STATES['launch-unknown'];
  if (report === undefined) throw new Error('the reason is not in the list');
  expect(renderComment(report)).toContain('<code>prj&#95;1</code>');
  expect(renderComment(report)).toContain(`<code>${HEAD.slice(0, 12)}</code>`);
});

test.each(Object.entries(REASON_STATES))(
  'the title of the check run for the reason `%s` is plain text, and its summary does not repeat it',
  (_reason, report) => {
    const { title, summary } = renderCheckOutput(report, toAnnotations(report));
    expect(title).toMatch(/^Not scanned(?: \(allowed\))?: [^`]+$/);
    expect(title).not.toContain(report.verdict.failure?.cause);
    expect(summary).toMatch(/^\*\*Why:\*\* /);
  },
);

test('the check run counts the findings that it does not list', () => {
  const low = sampleFinding({ id: 'fnd_low', word: 'LOW' });
  const closed = sampleFinding({ id: 'fnd_closed', resolution: 'WONT_FIX' });
  const summaryOf = (...findings: (typeof finding)[]) => {
    const report = sampleReport(findings);
    return renderCheckOutput(report, toAnnotations(report)).summary;
  };
  expect(summaryOf(finding, low, closed)).toContain(
    '1 finding below medium and 1 finding closed by triage: listed [in the job summary](',
  );
  expect(summaryOf(finding)).not.toContain('job summary');
});
