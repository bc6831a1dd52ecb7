import { expect, test } from 'vitest';
import { toAnnotations } from '../../../src/report/annotations.ts';
import { renderCheckOutput } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { sampleFinding, sampleReport } from './sample-report.ts';

const SENTENCE = 'commit not confirmed by the service';

/** The report in every place that people or programs read. */
function places(report: ListedReport): readonly string[] {
  const { summary, text } = renderCheckOutput(report, toAnnotations(report));
  return [renderComment(report), renderSummary(report), `${summary}\n${text}`];
}

test('a commit that the service does not confirm stands in the footer of every place', () => {
  for (const text of places(sampleReport([sampleFinding()], { commitConfirmed: false })))
    expect(text).toContain(SENTENCE);
});

test.each([true, undefined])(
  'a commit of which `commitConfirmed` is %s is not mentioned',
  (commitConfirmed) => {
    for (const text of places(sampleReport([sampleFinding()], { commitConfirmed })))
      expect(text).not.toContain(SENTENCE);
  },
);

test.each([
  [true, true],
  [false, false],
  [undefined, null],
])('the JSON report says %s as %s', (commitConfirmed, shown) => {
  const text = [...renderJsonReport(sampleReport([], { commitConfirmed }))].join('');
  expect(JSON.parse(text)).toMatchObject({ scan: { commitConfirmed: shown } });
});
