import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUpdate } from '../../sandbox/github/check-run-request.ts';
import { environmentPairs } from '../../sandbox/runner/environment-file.ts';
import { annotateInLog, closeLog, deliverToLog } from '../../src/deliver/job-log.ts';
import { outputsOf, writeOutputs } from '../../src/deliver/outputs.ts';
import type { Finding } from '../../src/domain/finding.ts';
import { readPathPatterns } from '../../src/domain/path-patterns.ts';
import { hiddenLines, readMarker, readState } from '../../src/github/comment-marker.ts';
import { renderCheckOutput, toAnnotations } from '../../src/report/check-output.ts';
import { COMMENT_LIMIT, renderComment } from '../../src/report/comment.ts';
import { renderJsonReport } from '../../src/report/json-report.ts';
import { progressOf } from '../../src/report/log-lines.ts';
import type { ListedReport } from '../../src/report/report.ts';
import { renderSarif } from '../../src/report/sarif.ts';
import { fitSummary, renderStop, renderSummary, SUMMARY_LIMIT_BYTES } from '../../src/report/summary.ts';
import { createRunnerLog } from '../../src/runner/log.ts';
import { hasInvisible } from '../../src/text/visible-text.ts';
import { NOTHING_DELIVERED } from '../support/nothing-delivered.ts';
import { rounds } from '../support/rounds.ts';
import { printed, runnerFile } from '../support/runner-files.ts';
import { hostileText } from '../unit/report/hostile.ts';
import {
  HEAD,
  INSUFFICIENT_CREDITS,
  POLICY,
  sampleFinding,
  sampleReport,
} from '../unit/report/sample-report.ts';
import { aScan } from '../unit/scan/fake-api.ts';
import { CORPUS, TRIED } from './corpus.ts';
import { commandsIn, unintendedIn, unseenIn } from './unintended.ts';

/**
 * Findings that have the text in their members. In the first one, the text is also the path. The second one has a valid
 * path, so it is annotated. The third one is closed by triage, and the fourth one is exempt by its path.
 */
/** The names of all texts of a finding. If a finding gets another text, `findingsOf` lacks it and does not compile. */
type FindingText = {
  [Name in keyof Finding]-?: Finding[Name] extends string | null | undefined ? Name : never;
}[keyof Finding];

function findingsOf(text: string) {
  const texts: Record<Exclude<FindingText, 'id' | 'url'> | 'triage', string> = {
    label: `ZK-${text}`,
    triage: text,
    evidence: text,
    title: text,
    description: text,
    recommendedFix: text,
    proofOfConcept: text,
    resolution: text,
  };
  const url = `https://scan.example/${text}`;
  return [
    sampleFinding({ ...texts, id: 'a', word: text, url, location: { path: text, startLine: 1, endLine: 2 } }),
    sampleFinding({ ...texts, id: 'b', url: text, location: { path: 'src/a.ts', startLine: 3, endLine: 3 } }),
    sampleFinding({
      ...texts,
      id: 'c',
      resolution: 'MITIGATED',
      location: { path: `../${text}`, startLine: -1, endLine: 0 },
    }),
    sampleFinding({ ...texts, id: 'd', location: { path: 'test/a.ts', startLine: 3, endLine: 3 } }),
  ];
}

/** Reports with the text: one of a completed scan, and one without a scan. */
function reportsOf(text: string): readonly [scanned: ListedReport, stopped: ListedReport] {
  const policy = { ...POLICY, pathsExempt: readPathPatterns('test/**').patterns };
  const names = {
    policy,
    checkName: text,
    warnings: [text],
    preflight: { preset: { ref: text, name: text, minCredits: 0 } },
  };
  const publication = {
    publicId: text,
    url: `https://scan.example/public/scans/${text}`,
    gated: false,
    accessPassword: null,
  };
  const stop = { ...INSUFFICIENT_CREDITS, cause: text, nextStep: text };
  return [
    sampleReport(findingsOf(text), { ...names, scanId: text, scanStatus: text, publication }),
    sampleReport({ kind: 'not-scanned', failure: stop }, names),
  ];
}

function markdownFaults(text: string): string[] {
  return reportsOf(text).flatMap((report) => {
    const lists = fitSummary(report);
    const { summary, text: list } = renderCheckOutput(report, toAnnotations(report), lists);
    const sinks = {
      comment: renderComment(report, { coverage: lists }),
      summary: renderSummary(report, lists),
      'check summary': summary,
      'check text': list,
    };
    return Object.entries(sinks).flatMap(([sink, markdown]) =>
      unintendedIn(markdown).map((fault) => `${sink}: ${fault}`),
    );
  });
}

/**
 * Checks that the hidden first lines of a comment are read exactly as they were written. The text below them must not
 * matter.
 */
function markerFaults(text: string): string[] {
  const marker = { checkName: text, headSha: HEAD, runId: 42, runAttempt: 1 };
  return reportsOf(text).flatMap((report) => {
    const body = renderComment(report);
    const faults: string[] = [];
    if (readMarker(body, text) !== undefined) faults.push('a marker of its own');
    for (const state of ['', 'v1:s:k:m']) {
      const comment = `${hiddenLines(marker, state)}\n${body}`;
      if (JSON.stringify(readMarker(comment, text)) !== JSON.stringify(marker)) faults.push('another marker');
      if ((readState(comment) ?? '') !== state) faults.push('another state');
    }
    return faults;
  });
}

/** Checks that the log contains only the intended commands. */
function logFaults(text: string): string[] {
  const [scanned, stopped] = reportsOf(text);
  const lines = printed();
  const log = createRunnerLog();
  const { annotations, leftOut } = toAnnotations(scanned);
  log.info(text);
  log.warning(`x ${text}`);
  const lists = fitSummary(scanned);
  log.group(text, [text, `${text}${text}`]);
  deliverToLog(log, scanned, lists);
  annotateInLog(log, annotations, leftOut, lists);
  closeLog(log, scanned, { ...NOTHING_DELIVERED, checkRunUrl: text, commentUrl: text, sarifFile: text });
  deliverToLog(log, stopped, fitSummary(stopped));
  closeLog(log, stopped, NOTHING_DELIVERED);
  const folded = ['group', 'endgroup'];
  const placed = annotations.map(() => 'error');
  const meant = ['warning', ...folded, ...folded, ...placed, ...folded, 'error', 'error'];
  const shown = lines().join('\n');
  const found = commandsIn(shown);
  return [...(found.join() === meant.join() ? [] : [`obeyed: ${found.join()}`]), ...unseenIn(shown)];
}

function annotationFaults(text: string): string[] {
  const [scanned] = reportsOf(text);
  const { annotations, unplaced, leftOut } = toAnnotations(scanned);
  const sent = annotations.map(({ startLine, endLine, level, rawDetails, ...texts }) => ({
    ...texts,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    raw_details: rawDetails,
  }));
  const taken = readUpdate({ output: { title: '', summary: '', annotations: sent } });
  const counted = [annotations.length, leftOut, ...Object.values(unplaced)];
  const total = counted.reduce((sum, one) => sum + one, 0);
  return [
    ...('refusal' in taken ? [`refused: ${JSON.stringify(taken.refusal.body)}`] : []),
    ...(total === scanned.verdict.findings.reported.length ? [] : ['a finding that is not counted']),
    ...sent.flatMap(({ path, title, message, raw_details = '' }) =>
      [path, title, message, raw_details].flatMap(unseenIn),
    ),
  ];
}

/** The strings in a SARIF file, each with the name of its member. */
function stringsIn(value: unknown, name = ''): (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((member) => stringsIn(member, name));
  return Object.entries(Object(value)).flatMap(([key, member]) => stringsIn(member, key));
}

function fileFaults(text: string): string[] {
  const [scanned] = reportsOf(text);
  const sarif = [...renderSarif(scanned)].join('');
  const json = [...renderJsonReport(scanned)].join('');
  const faults = [sarif, json].flatMap((file) => [...commandsIn(file), ...unseenIn(file)]);
  const report: { findings: { title: string }[] } = JSON.parse(json);
  if (report.findings.some(({ title }) => title !== text.toWellFormed() && title !== text))
    faults.push('another title in JSON');
  for (const [name, shown] of stringsIn(JSON.parse(sarif))) {
    // Only programs read ids and addresses. GitHub or a viewer shows the rest as text or Markdown.
    if (/^(?:findingId|scanId|hostedViewerUri)$/.test(name)) continue;
    if (name === 'markdown') {
      faults.push(...unintendedIn(shown));
      continue;
    }
    if (/\]\(|(?<!\{)\{\d+\}/.test(shown)) faults.push(`a link or a placeholder: ${shown.slice(0, 40)}`);
    if (/@\w|#\d/.test(shown)) faults.push(`a mention or reference: ${shown.slice(0, 40)}`);
    if (hasInvisible(shown.replaceAll(/[\n\t\u200b]/g, ''))) faults.push('unseen');
    if (commandsIn(shown).length > 0) faults.push('a command');
  }
  return faults;
}

function outputFaults(text: string): string[] {
  const [scanned] = reportsOf(text);
  const file = runnerFile('GITHUB_OUTPUT');
  const outputs = {
    ...outputsOf(scanned, { ...NOTHING_DELIVERED, commentUrl: text }),
    'public-password': text,
  };
  writeOutputs(outputs);
  const read = [...environmentPairs(file())];
  const wanted = Object.entries(outputs).map(([name, value]) => [name, value.toWellFormed()]);
  return JSON.stringify(read) === JSON.stringify(wanted) ? [] : ['other outputs'];
}

const SINKS = {
  'the comment, the job summary and the check run': markdownFaults,
  'the marker and the state of the comment': markerFaults,
  'the log': logFaults,
  'the annotations and the title of the check run': annotationFaults,
  'the SARIF file and the JSON report': fileFaults,
  'the outputs': outputFaults,
} as const;

test('the corpus of hostile texts is large, and has no duplicates', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(500);
  expect(new Set(CORPUS).size).toBe(CORPUS.length);
});

test.each(Object.entries(SINKS))('the hostile texts have no effect in %s', (_sink, faultsOf) => {
  const faults = TRIED.flatMap((text) =>
    faultsOf(text).map((fault) => `${JSON.stringify(text).slice(0, 80)}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test.each(Object.entries(SINKS))('random texts have no effect in %s', (_sink, faultsOf) => {
  const property = fc.property(hostileText, (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
  fc.assert(property, { numRuns: rounds(10, 50) });
});

test('the hostile texts have no effect in the job summary of a run that could not start', () => {
  const shown = (text: string) => renderStop({ reason: 'configuration', cause: text, nextStep: text });
  expect(TRIED.filter((text) => unintendedIn(shown(text)).length > 0)).toEqual([]);
});

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
  'the log, the Markdown outputs and the SARIF file truncate texts that repeat %j',
  (piece) => {
    const text = piece.repeat(rounds(2 ** 18, 2 ** 20) / piece.length);
    // The service's own label is short.
    const findings = findingsOf(text).map((finding) => ({ ...finding, label: 'ZK-1' }));
    const report = sampleReport(findings, { warnings: [text], scanStatus: text });
    const lists = fitSummary(report);
    const lines = printed();
    deliverToLog(createRunnerLog(), report, lists);
    closeLog(createRunnerLog(), report, NOTHING_DELIVERED);
    expect(Math.max(...lines().map(({ length }) => length))).toBeLessThanOrEqual(LONGEST_LOG_LINE);
    const { summary, text: list } = renderCheckOutput(report, toAnnotations(report), lists);
    expect(renderComment(report, { coverage: lists }).length).toBeLessThanOrEqual(COMMENT_LIMIT);
    for (const body of [summary, list]) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_535);
    expect(Buffer.byteLength(renderSummary(report, lists))).toBeLessThanOrEqual(SUMMARY_LIMIT_BYTES);
    expect([...renderSarif(report)].join('').length).toBeLessThanOrEqual(LARGEST_SARIF);
    expect(outputsOf(report, NOTHING_DELIVERED)['scan-status'].length).toBeLessThanOrEqual(40);
  },
);

test('the log truncates a very long status of a running scan', () => {
  expect(progressOf(aScan('x'.repeat(2 ** 20))).length).toBeLessThan(200);
});
