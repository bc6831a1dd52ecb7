import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { renderCheckOutput, toAnnotations } from '../../../src/report/check-output.ts';
import { COMMENT_LIMIT, renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { renderSarif } from '../../../src/report/sarif.ts';
import { fitSummary, renderSummary, SUMMARY_LIMIT_BYTES } from '../../../src/report/summary.ts';
import { unintendedIn } from '../../security/unintended.ts';
import { rounds } from '../../support/rounds.ts';
import { anyFinding } from './any-finding.ts';
import { hostileText } from './hostile.ts';
import { REASON_STATES } from './reason-states.ts';
import {
  INSUFFICIENT_CREDITS,
  POLICY,
  type SampleFinding,
  sampleFinding,
  sampleReport,
  sampleWhole,
} from './sample-report.ts';
import { manyFindings, STATES } from './states.ts';

const markdownSinks = (report: ListedReport) => {
  const lists = fitSummary(report);
  const { title, summary, text } = renderCheckOutput(report, toAnnotations(report), lists);
  return {
    comment: renderComment(report, { coverage: lists }),
    summary: renderSummary(report, lists),
    title,
    checkSummary: summary,
    checkText: text,
  };
};

/** Checks that no Markdown output exceeds its limit. Returns the Markdown outputs and the JSON report. */
function expectWithinLimits(report: ListedReport) {
  const markdown = markdownSinks(report);
  const json = [...renderJsonReport(report)].join('');
  const { comment, summary, title, checkSummary, checkText } = markdown;
  expect(comment.length).toBeLessThanOrEqual(COMMENT_LIMIT);
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(SUMMARY_LIMIT_BYTES);
  expect(Buffer.byteLength(checkSummary)).toBeLessThanOrEqual(65_535);
  expect(Buffer.byteLength(checkText)).toBeLessThanOrEqual(65_535);
  expect(title.length).toBeLessThanOrEqual(255);
  for (const text of [comment, summary, checkSummary, checkText, title, json])
    expect(text.isWellFormed()).toBe(true);
  return { markdown, json };
}

/** Adds up the findings that the output lists and the findings that it counts as left out. */
function accounted(markdown: string, labels: readonly string[]) {
  const shown = new Set(markdown.match(/ZK-[A-Z\d]+/g));
  const listed = labels.filter((label) => shown.has(label)).length;
  const leftOut = [...markdown.matchAll(/(\d+) more findings? did not fit here/g)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
  return listed + leftOut;
}

const numbered = (findings: readonly SampleFinding[]) =>
  findings.map((finding, index) =>
    sampleFinding({ ...finding, label: `ZK-N${String(index).padStart(5, '0')}E` }),
  );

describe('foreign text', () => {
  const check = (report: ListedReport) => {
    const shown = expectWithinLimits(report);
    for (const [sink, markdown] of Object.entries(shown.markdown)) {
      expect(unintendedIn(markdown), sink).toEqual([]);
    }
    expect(shown.json).not.toContain('##[');
    expect(shown.json.split(/\r\n|\r|\n/).filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
    return shown;
  };

  test('the Markdown outputs and the JSON report show each reason as text', () => {
    for (const report of Object.values(REASON_STATES)) check(report);
  });

  test('the Markdown outputs and the JSON report show findings, warnings and names as text, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 6 }), hostileText, (members, text) => {
        const report = sampleReport(numbered(members), { checkName: text, scanId: text, warnings: [text] });
        const shown = check(report);
        const labels = [...report.verdict.findings.reported, ...report.verdict.findings.triaged].map(
          ({ label }) => label,
        );
        expect(accounted(shown.markdown.comment, labels)).toBe(labels.length);
        const json: { findings: { title: string }[] } = JSON.parse(shown.json);
        const titles = new Set(members.map(({ title }) => title));
        expect(json.findings.length).toBe(members.length);
        for (const { title } of json.findings) expect(titles).toContain(title);
      }),
      { numRuns: rounds(10, 100) },
    );
  });
});

describe('many and long findings', () => {
  test.each([
    ['500 findings of usual length', 500, 'x'],
    ['12 findings with 100,000 characters each', 12, 'word '.repeat(20_000)],
    ['20 findings in which escaping lengthens every character', 20, '$\u202e'.repeat(2_000)],
    ['20 findings with nothing but fences', 20, '```\n~~~~\n'.repeat(300)],
    ['1,500 findings in Chinese script', 1_500, '漢字'],
  ])('no Markdown output exceeds its limit or loses a finding (%s)', (_, count, text) => {
    const findings = numbered(
      Array.from({ length: count }, (_value, index) => ({
        word: index % 2 === 0 ? 'HIGH' : 'MEDIUM',
        title: text.slice(0, 1_000),
        description: text,
        proofOfConcept: text,
      })),
    );
    const report = sampleReport(findings, {
      warnings: Array.from({ length: 80 }, () => text.slice(0, 5_000)),
    });
    const { comment, summary, checkText } = expectWithinLimits(report).markdown;
    const labels = findings.map(({ label }) => label);
    for (const markdown of [comment, summary, checkText]) expect(accounted(markdown, labels)).toBe(count);
    const { annotations, leftOut, unplaced } = toAnnotations(report);
    const without = Object.values(unplaced).reduce((sum, one) => sum + one, 0);
    expect(annotations.length + leftOut + without).toBe(count);
  });

  test.each(['$', '\u202e', '漢', '@a ', 'deadbeef', '😀$'])(
    'no Markdown output exceeds its limit if the cause and the next step consist only of %j',
    (sign) => {
      const text = sign.repeat(20_000);
      const failure = { ...INSUFFICIENT_CREDITS, cause: text, nextStep: text };
      const report = sampleReport({ kind: 'not-scanned', failure }, { warnings: [text] });
      const { comment, summary } = expectWithinLimits(report).markdown;
      for (const markdown of [comment, summary])
        expect(markdown.match(/…/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
    },
  );

  test('a truncated comment keeps the worst findings, counts the others, and has space for its hidden state', () => {
    const report = sampleReport(manyFindings(800));
    const hidden = 16_000;
    const comment = renderComment(report, { hidden });
    expect(comment.length).toBeLessThanOrEqual(COMMENT_LIMIT - hidden);
    expect(comment).toMatch(
      /\*\*\d+ more findings did not fit here\.\*\* See the full list \[in the job summary\]/,
    );
    expect(comment).toContain('<b>Critical:');
    expect(comment).not.toContain('<b>High:');
    const labels = report.verdict.findings.reported.map(({ label }) => label);
    expect(accounted(comment, labels)).toBe(labels.length);
  });

  const exempt = { location: { path: 'test/a.ts', startLine: 1, endLine: 1 } };
  test.each([
    ['closed by triage', { resolution: 'MITIGATED' }],
    ['exempt by path', exempt],
  ])(
    'the comment lists or counts all findings that are %s, and the job summary lists them',
    (name, members) => {
      const findings = numbered(Array.from({ length: 300 }, () => members));
      const policy = { ...POLICY, pathsExempt: readPathPatterns('test/**').patterns };
      const { comment, summary, checkText } = markdownSinks(sampleReport(findings, { policy }));
      expect(comment).toContain(`<details><summary>300 findings ${name}`);
      const listedIn = (text: string) => findings.filter(({ label }) => text.includes(label)).length;
      expect(listedIn(comment)).toBeGreaterThan(10);
      expect(comment).toContain(`${300 - listedIn(comment)} more: listed [in the job summary]`);
      expect([listedIn(summary), listedIn(checkText)]).toEqual([300, 0]);
    },
  );
});

describe('what the outputs do not show', () => {
  const files = (report: Parameters<typeof renderSarif>[0]) => [
    [...renderJsonReport(report)].join(''),
    [...renderSarif(report)].join(''),
  ];
  const everything = (report: ListedReport) =>
    JSON.stringify([markdownSinks(report), files(report), toAnnotations(report)]);

  test('on a public or unknown repository, no output shows a proof of concept', () => {
    const findings = [{}, { resolution: 'MITIGATED' }, { word: 'LOW' }].map((members) =>
      sampleFinding({ ...members, proofOfConcept: 'PROOFTEXT' }),
    );
    for (const file of files(sampleReport(findings))) expect(file).toContain('PROOFTEXT');
    expect(everything(sampleReport(findings, { isPublic: true }))).not.toContain('PROOFTEXT');
    expect(files(sampleWhole(findings, { target: undefined })).join('')).not.toContain('PROOFTEXT');
  });

  test('no output shows the password of the published page', () => {
    const publication = {
      publicId: 'p',
      url: 'https://scan.example/public/scans/p',
      gated: true,
      accessPassword: 'PASSWORD',
    };
    const shown = everything(sampleReport([sampleFinding()], { publication }));
    expect(shown).toContain('https://scan.example/public/scans/p');
    expect(shown).not.toContain('PASSWORD');
  });

  test('the Markdown outputs show neither a table nor a count of findings if nothing was scanned', () => {
    const reports = [STATES['unchanged'], STATES['not-scanned-allowed'], ...Object.values(REASON_STATES)];
    for (const report of reports)
      for (const markdown of Object.values(
        report === undefined ? { none: '1 finding' } : markdownSinks(report),
      ))
        expect(markdown).not.toMatch(/\d findings?\b|no findings|\| :-: \|/i);
  });
});
