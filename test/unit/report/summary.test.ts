import { expect, test } from 'vitest';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import { toReport } from '../../../src/report/report.ts';
import { renderSarif } from '../../../src/report/sarif.ts';
import { fitSummary, placeOfMissing, renderSummary } from '../../../src/report/summary.ts';
import { sampleFinding, samplePush, sampleReport, sampleWhole } from './sample-report.ts';
import { manyFindings, withFiftyRead } from './states.ts';

test('findings that an output leaves out are in the job summary, as far as that lists them', () => {
  expect([0, 2, 5, 9].map((leftOut) => placeOfMissing(5, leftOut))).toEqual([
    'in the job summary',
    'in the scanning service, 3 of them also in the job summary',
    'in the scanning service',
    'in the scanning service',
  ]);
});

test('the comment and the check run refer to the job summary if it lists all findings', () => {
  const report = sampleReport([...manyFindings(200), sampleFinding({ word: 'LOW' })]);
  expect(fitSummary(report).leftOut).toEqual({ reported: 0, below: 0, exempt: 0, triaged: 0 });
  const { text, summary } = renderCheckOutput(report, toAnnotations(report));
  expect(renderComment(report)).toContain('1 finding below medium: listed [in the job summary](');
  expect(summary).toContain('1 finding below medium: listed [in the job summary](');
  expect(text).toContain('did not fit here.** See the full list in the job summary.');
});

test('the comment and the check run refer to the scanning service if the job summary leaves out findings', () => {
  const title = '漢'.repeat(300);
  const report = sampleReport([
    ...Array.from({ length: 1_000 }, (_, index) => sampleFinding({ label: `ZK-${index}`, title })),
    sampleFinding({ word: 'LOW' }),
  ]);
  const lists = fitSummary(report);
  expect(lists.leftOut.reported).toBeGreaterThan(0);
  expect(renderSummary(report, lists)).toContain(
    `**${lists.leftOut.reported} more findings did not fit here.** See the scanning service for all of them.`,
  );
  const { text, summary } = renderCheckOutput(report, toAnnotations(report));
  for (const shown of [renderComment(report), `${summary}\n${text}`]) {
    expect(shown).toMatch(
      /did not fit here\.\*\* See the full list \[?in the scanning service, \d+ of them also /,
    );
  }
});

test('outputs refer to the scanning service for details that the run did not read', () => {
  const report = sampleReport([...withFiftyRead(manyFindings(60)), sampleFinding({ word: 'LOW' })]);
  const { text } = renderCheckOutput(report, toAnnotations(report));
  for (const shown of [renderComment(report), text, renderSummary(report)]) {
    expect(shown).toContain('The details of 10 findings above are only in the scanning service.');
  }
  // The run read the details that do not fit into the comment, so the job summary shows them.
  expect(renderComment(report)).toContain('findings above without details, which are [in the job summary](');

  const one = sampleReport(withFiftyRead(manyFindings(51)));
  expect(renderSummary(one)).toContain('The details of 1 finding above are only in the scanning service.');
  const none = sampleReport(withFiftyRead(manyFindings(50)));
  for (const shown of [renderComment(none), renderSummary(none)]) expect(shown).not.toContain('only in the');
});

test('if the findings are withheld, only the files of a run count the details that the run did not read', () => {
  const report = sampleWhole(withFiftyRead(manyFindings(60)), { target: samplePush({}, true) });
  const notice = 'The details of 10 findings are only in the scanning service.';
  expect([...renderJsonReport(report)].join('')).toContain(notice);
  expect([...renderSarif(report)].join('')).toContain(notice);
  const withheld = toReport(report);
  const { summary, text } = renderCheckOutput(withheld, toAnnotations(withheld));
  expect(`${summary}${text}${renderSummary(withheld)}`).not.toContain('The details of');
});

test('long warnings do not reduce the number of findings in the job summary', () => {
  const report = sampleReport(manyFindings(1_500));
  const warnings = Array.from({ length: 50 }, () => '😀$'.repeat(250));
  const lists = fitSummary(report);
  const rendered = renderSummary({ ...report, warnings }, lists);
  const labels = report.verdict.findings.reported.filter(({ label }) => rendered.includes(label));
  expect(labels.length + lists.leftOut.reported).toBe(1_500);
});

test('two runs with the same result write the same comment', () => {
  const findings = [
    ...manyFindings(300),
    sampleFinding({ word: 'LOW' }),
    sampleFinding({ resolution: 'MITIGATED' }),
  ];
  const first = sampleReport(findings);
  const diffBase = first.diffBase && ({ ...first.diffBase, how: 'git' } as const);
  const runUrl = 'https://github.com/acme/shop/actions/runs/77';
  const again = { ...first, diffBase, runUrl, runAttempt: 2, reused: true, creditsReserved: 0 };
  expect(renderComment(again)).toBe(renderComment(first));
});
