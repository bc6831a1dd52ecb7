import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/finding.ts';
import { isScanned } from '../../../src/domain/verdict.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import { TOOL } from '../../../src/report/links.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { MOST_RESULTS, renderSarif } from '../../../src/report/sarif.ts';
import { escapeJsonForLog } from '../../../src/text/log-text.ts';
import { rounds } from '../../support/rounds.ts';
import { changes } from '../../support/shown.ts';
import { anyFinding } from './any-finding.ts';
import { type SampleFinding, sampleFinding, sampleReport } from './sample-report.ts';
import { manyFindings, STATES } from './states.ts';

const require = createRequire(import.meta.url);
const readJson = (name: string): object => JSON.parse(readFileSync(require.resolve(name), 'utf8'));
// One pattern of the official schema is not a valid regular expression in Unicode mode.
const ajv = new draft04.default({ strict: false, unicodeRegExp: false });
formats.default(ajv);
const isSarif = ajv.compile(readJson('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));

/** What these tests read of the run in a SARIF file. The schema has checked the rest. */
interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly Rule[] } };
  readonly automationDetails: { readonly id: string };
  readonly invocations: readonly [
    { readonly toolExecutionNotifications: readonly { readonly message: { readonly text: string } }[] },
  ];
  readonly results: readonly Result[];
  readonly properties: object;
}
interface Rule {
  readonly id: string;
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly message: { readonly text: string };
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly suppressions: readonly object[];
  readonly properties: {
    readonly findingId?: string;
    readonly label: string;
    readonly group: string;
    readonly blocks: boolean;
  };
}

/** Checks that the SARIF file is valid, and returns the run that it describes. */
function sarif(report: ListedReport): Run {
  const log: { runs: [Run] } = JSON.parse([...renderSarif(report)].join(''));
  expect(isSarif(log), JSON.stringify(isSarif.errors?.slice(0, 3))).toBe(true);
  const [run] = log.runs;
  const { rules } = run.tool.driver;
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { ruleId, ruleIndex } of run.results) expect(rules[ruleIndex]?.id).toBe(ruleId);
  return run;
}

const only = (members: SampleFinding) => {
  const { results, tool } = sarif(sampleReport([sampleFinding(members)]));
  return { result: results[0], rule: tool.driver.rules[0] };
};

describe('the SARIF file, the JSON report, the comment and the gate', () => {
  const check = (report: ListedReport) => {
    const { results } = sarif(report);
    const json: { findings: Finding[] } = JSON.parse([...renderJsonReport(report)].join(''));
    const shown = results.map(({ properties: { findingId, group, blocks } }) => ({
      id: findingId ?? null,
      group,
      blocks,
    }));
    expect(json.findings).toMatchObject(shown);
    expect(json.findings).toHaveLength(shown.length);
    const { blocking, triaged } = report.verdict.findings;
    expect(shown.filter(({ blocks }) => blocks).map(({ id }) => id)).toEqual(
      blocking.map(({ id }) => id ?? null),
    );
    expect(results.some(({ properties }) => properties.blocks)).toBe(report.verdict.exitCode === 1);
    expect(results.filter(({ suppressions }) => suppressions.length > 0)).toHaveLength(triaged.length);
    return results;
  };

  test.each(Object.entries(STATES).filter(([, { verdict }]) => isScanned(verdict)))(
    'the SARIF file, the JSON report, the comment and the gate show the same blocking findings (state %s)',
    (name, report) => {
      const results = check(report);
      const comment = renderComment(report).replaceAll('&#8203;', '');
      if (name === 'hostile' || name === 'sixty-findings') return;
      for (const { properties } of results) {
        const isShown = properties.group !== 'below';
        expect(comment.includes(properties.label), properties.label).toBe(isShown);
      }
      const blocking = results.filter(({ properties }) => properties.blocks).length;
      expect(comment.match(/\*\*blocks\*\*/g)?.length ?? 0).toBe(blocking);
    },
  );

  test('the SARIF file, the JSON report and the gate show the same blocking findings for random reports', () => {
    fc.assert(
      fc.property(
        fc.array(anyFinding, { maxLength: 8 }),
        (findings) => void check(sampleReport(findings.map(sampleFinding))),
      ),
      { numRuns: rounds(20, 100) },
    );
  });
});

const at = (path: string, startLine?: number, endLine = startLine) => ({
  location: { path, startLine, endLine },
});
const WITHOUT_TEXTS = { title: ' ', description: '', recommendedFix: ' ', proofOfConcept: undefined };
const said = (text: string) => ({ title: text, description: text, recommendedFix: text });

/** Findings by what they differ in from a usual finding. */
const FINDINGS: Readonly<Record<string, SampleFinding>> = {
  'other ids and lines keep the rule and the fingerprint': {
    id: 'another',
    label: 'ZK-OTHER',
    ...at('src/users/search.ts', 90, 91),
  },
  'another weakness has another fingerprint': { cwe: 90 },
  'another file has another fingerprint': at('b.ts', 41, 44),
  'a critical finding': { word: 'CRITICAL' },
  'a medium finding': { word: 'MEDIUM' },
  'a low finding': { word: 'LOW' },
  'a finding of severity info has no score': { word: 'INFO' },
  'an unknown severity ranks highest': { word: 'NEW-WORD' },
  'a finding without a weakness has a rule by its title': { cwe: undefined },
  'a title without ASCII letters': { cwe: undefined, title: '漢字' },
  'another title without ASCII letters': { cwe: undefined, title: '字' },
  'a relative path is encoded': at('src/a b:c#d%.ts', 3, 5),
  'a file without lines': at('a.ts'),
  'no location': { location: undefined },
  'a path that leaves the repository': at('../../etc/passwd', 1),
  'an absolute path': at('/etc/passwd', 1),
  'an address as its path': at('file:///etc/passwd', 1),
  'an invalid line': at('a.ts', 0, 1),
  'the message has title, description, fix and label': {
    title: 'Weak hash',
    description: 'It is weak.',
    recommendedFix: 'Use B.',
  },
  'no text is empty, because code scanning refuses it': WITHOUT_TEXTS,
  'closed by triage': { resolution: 'WONT_FIX' },
  'in progress': { resolution: 'IN_PROGRESS' },
  'marked as resolved': { resolution: 'RESOLVED' },
  'a link to the service': { url: 'https://scan.example/f?a=1&b=2' },
  'a link to another host': { url: 'https://evil.example/f' },
  'a script as its link': { url: 'javascript:alert(1)' },
  'links, placeholders, mentions and references': said('[x](http://e) {0} {code} @acme #12 ![i](http://e)'),
  'nested brackets and invisible characters': said('[[a](b)](c) \u202e'),
  'commands for the runner': said('::error::x\n##[error]x\n ::warning::x'),
};

test('a result and its rule show the finding, and foreign text has no meaning in them', async () => {
  const usual = only({});
  const shown = Object.entries(FINDINGS).flatMap(([name, members]) => [
    `${name}:`,
    ...changes(usual, only(members)).map((line) => `  ${escapeJsonForLog(line)}`),
  ]);
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/sarif-results.txt');
});

test('equal SARIF results of one file are numbered by line', () => {
  const numbers = (...findings: SampleFinding[]) =>
    Object.fromEntries(
      sarif(sampleReport(findings.map(sampleFinding))).results.map(({ properties, partialFingerprints }) => [
        properties.findingId,
        partialFingerprints.primaryLocationLineHash.replace(/^[0-9a-f]{16}:/, ''),
      ]),
    );
  const [one, five, nine] = [1, 5, 9].map((line) => ({ id: `line ${line}`, ...at('a.ts', line) }));
  const expected = { 'line 1': '1', 'line 5': '2', 'line 9': '3' };
  expect(numbers({ ...one }, { ...five }, { ...nine })).toEqual(expected);
  expect(numbers({ ...nine, word: 'CRITICAL' }, { ...five, resolution: 'MITIGATED' }, { ...one })).toEqual(
    expected,
  );
  const twin = sampleFinding({ id: undefined, location: undefined });
  const hashes = sarif(sampleReport([twin, twin])).results.map(
    ({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash,
  );
  expect(new Set(hashes).size).toBe(2);
});

test('findings with the same weakness share a SARIF rule, which has the texts that all of them share', async () => {
  const shared = { recommendedFix: 'For both.', url: undefined };
  const { tool, results } = sarif(
    sampleReport(
      [
        { id: 'a', word: 'LOW', description: 'First.', proofOfConcept: 'PROOF A', ...shared },
        { id: 'b', title: 'Other', description: 'Second.', proofOfConcept: 'PROOF B', ...shared },
        { id: 'c', cwe: 90, ...WITHOUT_TEXTS, title: 'Only this one' },
        { id: 'd', cwe: undefined, ...shared },
        { id: 'e', cwe: undefined, word: 'CRITICAL', ...shared },
      ].map(sampleFinding),
    ),
  );
  const shown = tool.driver.rules.map((rule) => `${JSON.stringify(rule)}\n`).join('');
  await expect(shown).toMatchFileSnapshot('golden/sarif-shared-rules.txt');
  const messages = results.map(({ message }) => message.text).join('\n');
  expect(messages).toContain('First.');
  expect(messages).toContain('Second.');
});

test('the SARIF file names the version of this action', () => {
  expect(readJson('../../../package.json')).toMatchObject({ version: TOOL.version });
});

test('the SARIF file has one category of alerts for each check name', () => {
  const names = ['Security scan', 'security-scan!', 'Ключ', 'Schlüssel', ''];
  const ids = names.map((checkName) => sarif(sampleReport([], { checkName })).automationDetails.id);
  expect(ids[0]).toBe('scangate/security-scan/');
  expect(new Set(ids).size).toBe(names.length);
  for (const id of ids) expect(id).toMatch(/^scangate\/[a-z0-9-]+\/$/);
});

test.each([
  [MOST_RESULTS, 0],
  [MOST_RESULTS + 1, 1],
])('the SARIF file leaves out triaged findings first (%i findings, %i left out)', (count, leftOut) => {
  const triaged = manyFindings(10).map((one) => ({ ...one, resolution: 'MITIGATED' }));
  const open = manyFindings(count - triaged.length);
  const report = sampleReport([...triaged, ...open]);
  const { results, properties, invocations } = sarif(report);
  expect(results).toHaveLength(count - leftOut);
  expect(properties).toMatchObject({ findings: count, findingsLeftOut: leftOut });
  const { blocking } = report.verdict.findings;
  expect(results.slice(0, 3).map((one) => one.properties.findingId)).toEqual(
    blocking.slice(0, 3).map(({ id }) => id),
  );
  expect(results.some(({ suppressions }) => suppressions.length > 0)).toBe(leftOut < triaged.length);
  const notices = invocations[0].toolExecutionNotifications.map(({ message }) => message.text);
  expect(notices).toEqual(leftOut === 0 ? [] : [expect.stringContaining(`${leftOut} more finding`)]);
});

test('the SARIF file stays below the limits of code scanning, and is written in chunks', () => {
  const long = 'Any text 0123456789. '.repeat(5_000);
  const findings = Array.from({ length: MOST_RESULTS }, (_, index) =>
    sampleFinding({ ...said(long), id: `f${index}`, title: `Title ${index}`, proofOfConcept: long }),
  );
  const pieces = [...renderSarif(sampleReport(findings))];
  const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  expect(size).toBeLessThan(30_000_000);
  expect(pieces.length).toBeGreaterThan(MOST_RESULTS);
});
