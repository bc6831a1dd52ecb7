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

const anyFinding: fc.Arbitrary<SampleFinding> = fc.record({
  word: fc.oneof(fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'), hostileText),
  triage: fc.oneof(fc.constantFrom('CONFIRMED', 'PENDING', undefined), hostileText),
  evidence: fc.oneof(fc.constantFrom('POC', 'ANALYSIS', null, undefined), hostileText),
  resolution: fc.oneof(fc.constantFrom('NOT_STARTED', 'RESOLVED', 'MITIGATED', undefined), hostileText),
  title: hostileText,
  location: fc.option(
    fc.record({
      path: hostileText,
      startLine: fc.option(fc.integer(), { nil: undefined }),
      endLine: fc.constant(undefined),
    }),
    { nil: undefined },
  ),
  url: fc.option(
    hostileText.map((text) => `https://scan.example/${text}`),
    { nil: undefined },
  ),
  description: fc.option(hostileText, { nil: undefined }),
  recommendedFix: fc.option(hostileText, { nil: undefined }),
  proofOfConcept: fc.option(hostileText, { nil: undefined }),
});

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

  test.each(Object.entries({ ...STATES, ...REASON_STATES }))(
    'in the state %s, the Markdown outputs and the JSON report show foreign text as text',
    (_, report) => void check(report),
  );

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
  const sizes = [
    ['500 findings of usual length', 500, 'x'],
    ['12 findings with 100,000 characters each', 12, 'word '.repeat(20_000)],
    ['20 findings in which escaping lengthens every character', 20, '$\u202e'.repeat(2_000)],
    ['20 findings with nothing but fences', 20, '```\n~~~~\n'.repeat(1_000)],
    ['1,500 findings in Chinese script', 1_500, '漢字'],
  ] as const;

  test.each(sizes)('no Markdown output exceeds its limit or loses a finding (%s)', (_, count, text) => {
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

  test('a truncated comment keeps the worst findings, and counts the omitted findings', () => {
    const comment = renderComment(sampleReport(manyFindings(800)));
    expect(comment).toMatch(
      /\*\*\d+ more findings did not fit here\.\*\* See the full list \[in the job summary\]/,
    );
    expect(comment).toContain('<b>Critical:');
    expect(comment).not.toContain('<b>High:');
    expect(comment.match(/<details>/g)?.length ?? 0).toBe(comment.match(/<\/details>/g)?.length ?? 0);
  });

  test('the comment lists or counts all triaged findings in a collapsed section', () => {
    const closed = numbered(Array.from({ length: 300 }, () => ({ word: 'HIGH', resolution: 'MITIGATED' })));
    const comment = renderComment(sampleReport(closed));
    expect(comment).toContain('300 findings closed by triage');
    const listed = closed.filter(({ label }) => comment.includes(label)).length;
    expect(comment).toContain(`${300 - listed} more: listed [in the job summary]`);
  });
});

describe('exempt findings', () => {
  const pathsExempt = readPathPatterns('test/**').patterns;
  const exempt = numbered(
    Array.from({ length: 300 }, (_, index) => ({
      word: ['CRITICAL', 'LOW'][index % 2] ?? '',
      location: { path: `test/${index}.ts`, startLine: 1, endLine: 1 },
    })),
  );
  const report = sampleReport([...exempt, sampleFinding({ word: 'MEDIUM' })], {
    policy: { ...POLICY, pathsExempt },
  });
  const labels = exempt.map(({ label }) => label);

  test('the comment lists or counts all exempt findings in a collapsed section', () => {
    const comment = renderComment(report);
    expect(comment).toContain('<summary>300 findings exempt by path</summary>');
    const listed = labels.filter((label) => comment.includes(label)).length;
    expect(listed).toBeGreaterThan(10);
    expect(comment).toContain(`${300 - listed} more: listed [in the job summary]`);
  });

  test('the job summary lists all exempt findings under the heading "Exempt by path"', () => {
    const summary = renderSummary(report);
    const [, below = ''] = summary.split('### Exempt by path');
    expect(labels.filter((label) => !below.includes(label))).toEqual([]);
  });

  test('the check run counts exempt findings, and does not annotate them', () => {
    const annotated = toAnnotations(report);
    expect(annotated).toMatchObject({ annotations: [{}], leftOut: 0, unplaced: {} });
    const { title, summary, text } = renderCheckOutput(report, annotated);
    expect(title).toBe('Passed: 301 findings, none blocking (150 at or above high exempt by path)');
    expect(summary).toContain('300 findings exempt by path: listed [in the job summary](');
    expect(labels.filter((label) => text.includes(label))).toEqual([]);
  });

  test('the JSON report lists all exempt findings, and shows none of them as blocking', () => {
    const json: { counts: object; findings: { label: string; group: string; blocks: boolean }[] } =
      JSON.parse([...renderJsonReport(report)].join(''));
    expect(json.counts).toMatchObject({
      total: 301,
      reported: 1,
      blocking: 0,
      below: 0,
      exempt: 300,
      triaged: 0,
    });
    const there = json.findings.filter(({ group, blocks }) => group === 'exempt' && !blocks);
    expect(there.map(({ label }) => label).sort()).toEqual([...labels].sort());
    expect(json).toMatchObject({ policy: { pathsExempt: ['test/**'] } });
  });

  test('the SARIF file lists all exempt findings, and shows none of them as blocking', () => {
    const log: { runs: { results: { properties: object; suppressions: unknown[] }[] }[] } = JSON.parse(
      [...renderSarif(report)].join(''),
    );
    const results = log.runs[0]?.results ?? [];
    expect(results).toHaveLength(301);
    const there = results.filter(({ properties }) => 'group' in properties && properties.group === 'exempt');
    expect(there).toHaveLength(300);
    for (const { properties, suppressions } of there) {
      expect(properties).toMatchObject({ blocks: false });
      expect(suppressions).toEqual([]);
    }
  });
});

describe('what the outputs do not show', () => {
  const everything = (report: ListedReport) =>
    JSON.stringify([markdownSinks(report), [...renderJsonReport(report)].join(''), toAnnotations(report)]);

  test('on a public repository, the Markdown outputs, the JSON report and the annotations show no proof of concept', () => {
    const finding = sampleFinding({ proofOfConcept: 'PROOFTEXT' });
    const triaged = sampleFinding({ proofOfConcept: 'PROOFTEXT', resolution: 'MITIGATED' });
    const below = sampleFinding({ proofOfConcept: 'PROOFTEXT', word: 'LOW' });
    const findings = [finding, triaged, below];
    expect(everything(sampleReport(findings))).toContain('PROOFTEXT');
    expect(everything(sampleReport(findings, { isPublic: true }))).not.toContain('PROOFTEXT');
    const unknown = sampleWhole(findings, { target: undefined });
    expect([...renderJsonReport(unknown)].join('')).not.toContain('PROOFTEXT');
    expect(renderComment(sampleReport(findings, { isPublic: true }))).toContain(
      'only [in the scanning service](https://scan.example/app/findings/8Q4WD7RT)',
    );
  });

  test('the Markdown outputs, the JSON report and the annotations do not show the password of the published page', () => {
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

  test('the Markdown outputs and the JSON report show neither a table nor a count of findings if nothing was scanned', () => {
    for (const name of ['not-scanned', 'not-scanned-allowed', 'unchanged']) {
      const report = STATES[name];
      expect(report).toBeDefined();
      if (report === undefined) continue;
      for (const markdown of Object.values(markdownSinks(report)))
        expect(markdown).not.toMatch(/\d findings?|no findings|\| :-: \|/i);
      expect(JSON.parse([...renderJsonReport(report)].join(''))).toMatchObject({
        counts: null,
        findings: null,
      });
    }
  });
});

test('the comment with its hidden state stays within the limit, and counts the omitted findings', () => {
  const report = sampleReport(manyFindings(800));
  const hidden = 16_000;
  const comment = renderComment(report, { hidden });
  expect(comment.length).toBeLessThanOrEqual(COMMENT_LIMIT - hidden);
  const labels = report.verdict.findings.reported.map(({ label }) => label);
  expect(accounted(comment, labels)).toBe(labels.length);
});
