import { describe, expect, test } from 'vitest';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import { findingLines } from '../../../src/report/log-lines.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { sampleFinding, sampleReport } from './sample-report.ts';

const STILL_FOUND =
  'This scan still reports the finding, although it is marked RESOLVED. Push the fix, or close the finding as FALSE_POSITIVE, WONT_FIX, MITIGATED or DUPLICATE in the scanning service.';
const PLACES: readonly [place: string, render: (report: ListedReport) => string][] = [
  ['the comment', renderComment],
  ['the check run', (report) => renderCheckOutput(report, toAnnotations(report)).text],
  ['the job summary', renderSummary],
  ['the log', (report) => findingLines(report).join('\n')],
  ['an annotation', (report) => toAnnotations(report).annotations[0]?.message ?? ''],
];

/** The text as a reader sees it. */
const shown = (text: string) => text.replaceAll('\\', '').replaceAll('&#95;', '_');

describe.each(PLACES)('%s', (place, render) => {
  const textOf = (resolution: string) => shown(render(sampleReport([sampleFinding({ resolution })])));

  test(`${place} gives advice about a finding with the status "RESOLVED"`, () => {
    expect(textOf('RESOLVED')).toContain(STILL_FOUND);
  });

  test.each(['IN_PROGRESS', 'MITIGATED', 'resolved'])(
    `${place} gives no advice about a finding with the status "%s"`,
    (resolution) => {
      expect(textOf(resolution)).not.toContain(STILL_FOUND);
    },
  );
});

test('the JSON report shows the resolution as the service writes it', () => {
  const report = sampleReport([sampleFinding({ resolution: 'RESOLVED' })]);
  expect(JSON.parse([...renderJsonReport(report)].join(''))).toMatchObject({
    outcome: 'blocked',
    findings: [{ group: 'reported', blocks: true, resolution: 'RESOLVED' }],
  });
});
