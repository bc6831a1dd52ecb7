import { expect, test } from 'vitest';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { COMMENT_LIMIT, renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { sampleFinding, sampleReport } from './sample-report.ts';

const CONFIRMED = [
  ['commitConfirmed', 'commit not confirmed by the service'],
  ['baseConfirmed', 'base not confirmed by the service'],
] as const;

/** The report in every output that has a footer. */
function places(report: ListedReport): readonly string[] {
  const { summary, text } = renderCheckOutput(report, toAnnotations(report));
  return [renderComment(report), renderSummary(report), `${summary}\n${text}`];
}

test.each(CONFIRMED)('every footer has one remark about `%s` if the value is false', (member, sentence) => {
  for (const text of places(sampleReport([sampleFinding()], { [member]: false })))
    expect(text.split(sentence)).toHaveLength(2);
});

test('every footer says that the service confirmed neither the commit nor the base', () => {
  const report = sampleReport([sampleFinding()], { commitConfirmed: false, baseConfirmed: false });
  for (const text of places(report))
    expect(text).toMatch(/commit not confirmed by the service.{1,20}base not confirmed by the service/);
});

test.each(
  CONFIRMED.flatMap(([member, sentence]) => [true, undefined].map((is) => [member, is, sentence] as const)),
)('no footer has a remark about `%s` if the value is %s', (member, is, sentence) => {
  for (const text of places(sampleReport([sampleFinding()], { [member]: is })))
    expect(text).not.toContain(sentence);
});

test.each([
  [true, true],
  [false, false],
  [undefined, null],
])('if `commitConfirmed` and `baseConfirmed` are %s, the JSON report shows %s', (is, shown) => {
  const report = sampleReport([], { commitConfirmed: is, baseConfirmed: is });
  expect(JSON.parse([...renderJsonReport(report)].join(''))).toMatchObject({
    scan: { commitConfirmed: shown, baseConfirmed: shown },
  });
});

test('the note of the workflow stands as Markdown below the footer of every output', () => {
  const note = 'Ask **#appsec**, or read [our policy](https://intranet.example/appsec).';
  for (const outcome of [[sampleFinding()], { kind: 'unchanged' }] as const) {
    const report = sampleReport(outcome, { note });
    expect(renderComment(report)).toMatch(/<\/sub>\n\nAsk \*\*#appsec\*\*, .*\)\.$/);
    expect(renderCheckOutput(report, toAnnotations(report)).summary.endsWith(`</sub>\n\n${note}`)).toBe(true);
    expect(renderSummary(report).endsWith(`</sub>\n\n${note}\n`)).toBe(true);
  }
});

test('the comment with a long note stays within its limit', () => {
  const findings = Array.from({ length: 400 }, (_, index) => sampleFinding({ id: `f-${index}` }));
  const report = sampleReport(findings, { note: 'n'.repeat(500) });
  expect(renderComment(report).length).toBeLessThanOrEqual(COMMENT_LIMIT);
});

test('no footer says that the pull request has cost nothing so far', () => {
  for (const text of places(sampleReport([], { creditsPullRequest: 0 })))
    expect(text).not.toContain('for this pull request');
});
