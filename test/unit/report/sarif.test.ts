import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/finding.ts';
import { renderComment } from '../../../src/report/comment.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import type { ListedReport, WholeReport } from '../../../src/report/report.ts';
import { MOST_RESULTS, renderSarif } from '../../../src/report/sarif.ts';
import { rounds } from '../../support/rounds.ts';
import { hostileText } from './hostile.ts';
import { sampleFinding, sampleReport, sampleWhole } from './sample-report.ts';
import { HOSTILE_TEXT, manyFindings, STATES } from './states.ts';

const require = createRequire(import.meta.url);
const readJson = (name: string): object => JSON.parse(readFileSync(require.resolve(name), 'utf8'));
// One pattern of the official schema is not a valid regular expression in Unicode mode.
const ajv = new draft04.default({ strict: false, unicodeRegExp: false });
formats.default(ajv);
const isSarif = ajv.compile(readJson('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));

const Message = v.object({ text: v.pipe(v.string(), v.minLength(1)), markdown: v.optional(v.string()) });
const Result = v.object({
  ruleId: v.string(),
  ruleIndex: v.number(),
  level: v.string(),
  message: Message,
  locations: v.tuple([
    v.object({
      physicalLocation: v.object({
        artifactLocation: v.object({
          uri: v.pipe(v.string(), v.minLength(1)),
          uriBaseId: v.optional(v.string()),
        }),
        region: v.optional(v.object({ startLine: v.number(), endLine: v.number() })),
      }),
      message: v.optional(Message),
    }),
  ]),
  partialFingerprints: v.looseObject({ primaryLocationLineHash: v.string() }),
  suppressions: v.array(v.object({ justification: v.string() })),
  hostedViewerUri: v.optional(v.string()),
  properties: v.looseObject({
    findingId: v.optional(v.string()),
    label: v.string(),
    group: v.string(),
    blocks: v.boolean(),
  }),
});
const Rule = v.object({
  id: v.string(),
  shortDescription: Message,
  fullDescription: Message,
  help: v.object({ text: v.string(), markdown: v.string() }),
  defaultConfiguration: v.object({ level: v.string() }),
  properties: v.object({ tags: v.array(v.string()), 'security-severity': v.optional(v.string()) }),
});
const Log = v.object({
  runs: v.tuple([
    v.looseObject({
      tool: v.object({
        driver: v.object({
          name: v.literal('Scangate'),
          version: v.string(),
          informationUri: v.pipe(v.string(), v.url()),
          rules: v.array(Rule),
        }),
      }),
      automationDetails: v.object({ id: v.string() }),
      invocations: v.tuple([
        v.looseObject({
          toolExecutionNotifications: v.array(v.object({ level: v.string(), message: Message })),
        }),
      ]),
      results: v.array(Result),
      properties: v.looseObject({ findings: v.number(), findingsLeftOut: v.number() }),
    }),
  ]),
});
const Json = v.object({
  exitCode: v.number(),
  findings: v.array(
    v.object({ id: v.nullable(v.string()), label: v.string(), group: v.string(), blocks: v.boolean() }),
  ),
});

const printed = (report: WholeReport) => [...renderSarif(report)].join('');

/** Checks that the SARIF file is valid, and returns the run that it describes. */
function sarif(report: ListedReport) {
  const json: unknown = JSON.parse(printed(report));
  expect(isSarif(json), JSON.stringify(isSarif.errors?.slice(0, 3))).toBe(true);
  const [run] = v.parse(Log, json).runs;
  const { rules } = run.tool.driver;
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { ruleId, ruleIndex } of run.results) expect(rules[ruleIndex]?.id).toBe(ruleId);
  return { ...run, rules };
}

const only = (
  members: Parameters<typeof sampleFinding>[0],
  report: Parameters<typeof sampleReport>[1] = {},
) => {
  const { results, rules } = sarif(sampleReport([sampleFinding(members)], report));
  const [result] = results;
  const [rule] = rules;
  if (result === undefined || rule === undefined) throw new Error('the finding is missing');
  return { result, rule };
};

const isScanned = ({ verdict }: ListedReport) =>
  verdict.outcome === 'passed' || verdict.outcome === 'blocked';
const SCANNED = Object.entries(STATES).filter(([, report]) => isScanned(report));

const foreignFinding: fc.Arbitrary<Finding> = fc
  .record({
    id: fc.option(hostileText, { nil: undefined }),
    word: fc.oneof(fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'), hostileText),
    resolution: fc.oneof(fc.constantFrom('NOT_STARTED', 'RESOLVED', 'WONT_FIX'), hostileText),
    title: hostileText,
    cwe: fc.option(fc.integer({ min: 1, max: 99_999 }), { nil: undefined }),
    location: fc.option(
      fc.record({
        path: fc.oneof(hostileText, fc.constant('src/ä b#?%:c.ts')),
        startLine: fc.option(fc.integer({ min: -2, max: 9 }), { nil: undefined }),
        endLine: fc.option(fc.integer({ min: -2, max: 9 }), { nil: undefined }),
      }),
      { nil: undefined },
    ),
    url: fc.option(hostileText, { nil: undefined }),
    description: fc.option(hostileText, { nil: undefined }),
    recommendedFix: fc.option(hostileText, { nil: undefined }),
    proofOfConcept: fc.option(hostileText, { nil: undefined }),
  })
  .map((members) => sampleFinding(members));

describe('the SARIF file, the JSON report, the comment and the gate', () => {
  const check = (report: ListedReport) => {
    const { results } = sarif(report);
    const json = v.parse(Json, JSON.parse([...renderJsonReport(report)].join('')));
    const shown = results.map(({ properties: { findingId, group, blocks } }) => ({
      id: findingId ?? null,
      group,
      blocks,
    }));
    expect(shown).toEqual(json.findings.map(({ id, group, blocks }) => ({ id, group, blocks })));
    const { blocking, triaged } = report.verdict.findings;
    expect(shown.filter(({ blocks }) => blocks).map(({ id }) => id)).toEqual(
      blocking.map(({ id }) => id ?? null),
    );
    expect(results.some(({ properties }) => properties.blocks)).toBe(report.verdict.exitCode === 1);
    expect(results.filter(({ suppressions }) => suppressions.length > 0)).toHaveLength(triaged.length);
    return results;
  };

  test.each(SCANNED)(
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
        fc.array(foreignFinding, { maxLength: 8 }),
        (findings) => void check(sampleReport(findings)),
      ),
      { numRuns: rounds(20, 100) },
    );
  });
});

describe('a SARIF result', () => {
  test('a SARIF result keeps its rule and its fingerprint if other details of the finding change', () => {
    const { ruleId, partialFingerprints } = only({}).result;
    const changed = only({
      id: 'another',
      label: 'ZK-OTHER',
      word: 'LOW',
      location: { path: 'src/users/search.ts', startLine: 90, endLine: 91 },
    }).result;
    expect(changed).toMatchObject({ ruleId, partialFingerprints });
    expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{16}:1$/);
    for (const other of [{ cwe: 90 }, { location: { path: 'b.ts', startLine: 41, endLine: 44 } }])
      expect(only(other).result.partialFingerprints).not.toEqual(partialFingerprints);
  });

  test('equal SARIF results of one file are numbered by line', () => {
    const at = (startLine: number, members = {}) =>
      sampleFinding({
        id: `line ${startLine}`,
        location: { path: 'a.ts', startLine, endLine: startLine },
        ...members,
      });
    const numbers = (...findings: Finding[]) =>
      Object.fromEntries(
        sarif(sampleReport(findings)).results.map(({ properties, partialFingerprints }) => [
          properties.findingId,
          partialFingerprints.primaryLocationLineHash.split(':')[1],
        ]),
      );
    const expected = { 'line 1': '1', 'line 5': '2', 'line 9': '3' };
    expect(numbers(at(1), at(5), at(9))).toEqual(expected);
    expect(numbers(at(9, { word: 'CRITICAL' }), at(5, { resolution: 'MITIGATED' }), at(1))).toEqual(expected);
    const twin = sampleFinding({ id: undefined, location: undefined });
    const hashes = sarif(sampleReport([twin, twin])).results.map(
      ({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash,
    );
    expect(new Set(hashes).size).toBe(2);
  });

  test('a SARIF result points at its lines by a relative path', () => {
    const [{ physicalLocation }] = only({ location: { path: 'src/a b:c#d%.ts', startLine: 3, endLine: 5 } })
      .result.locations;
    expect(physicalLocation).toEqual({
      artifactLocation: { uri: 'src/a%20b%3Ac%23d%25.ts', uriBaseId: '%SRCROOT%' },
      region: { startLine: 3, endLine: 5 },
    });
  });

  test.each([
    ['no location', undefined, 'The service gives no location.'],
    [
      'a path that leaves the repository',
      { path: '../../etc/passwd', startLine: 1, endLine: 1 },
      'Not linked, because the path leads to a parent folder: ../../etc/passwd',
    ],
    [
      'an absolute path',
      { path: '/etc/passwd', startLine: 1, endLine: 1 },
      'Not linked, because the path is absolute: /etc/passwd',
    ],
    [
      'an address as its path',
      { path: 'file:///etc/passwd', startLine: 1, endLine: 1 },
      'Not linked, because the path is not normalized: file:///etc/passwd',
    ],
    [
      'an invalid line',
      { path: 'a.ts', startLine: 0, endLine: 1 },
      'Not linked, because the line is invalid: a.ts',
    ],
  ])('a SARIF result gets a placeholder as its file if the finding has %s', (_what, location, shown) => {
    const [{ physicalLocation, message }] = only({ location }).result.locations;
    expect(physicalLocation).toEqual({ artifactLocation: { uri: expect.stringMatching(/^no%20file/) } });
    expect(message?.text).toBe(shown);
  });

  test('a SARIF result has no lines if the finding has a file but no lines', () => {
    const [{ physicalLocation }] = only({
      location: { path: 'a.ts', startLine: undefined, endLine: undefined },
    }).result.locations;
    expect(physicalLocation).toEqual({ artifactLocation: { uri: 'a.ts', uriBaseId: '%SRCROOT%' } });
  });

  test('the message of a SARIF result has the title, the description, the fix and the label of its finding', () => {
    const name = 'In the scanning service: ZK-8Q4WD7RT (proven by a running exploit).';
    const { text } = only({ title: 'Weak hash', description: 'It is weak.', recommendedFix: 'Use another.' })
      .result.message;
    expect(text).toBe(`Weak hash.\n\nIt is weak.\n\nHow to fix: Use another.\n\n${name}`);
    expect(only({ title: ' ', description: undefined, recommendedFix: ' ' }).result.message.text).toBe(
      `Untitled finding.\n\n${name}`,
    );
  });

  test('a SARIF result is suppressed if triage closed the finding', () => {
    expect(only({ resolution: 'WONT_FIX' }).result.suppressions).toMatchObject([
      { justification: 'Closed by triage in the scanning service: will not be fixed.' },
    ]);
    for (const resolution of ['IN_PROGRESS', 'RESOLVED'])
      expect(only({ resolution }).result.suppressions).toEqual([]);
  });

  test('a SARIF result contains links only to the service', () => {
    expect(only({ url: 'https://scan.example/f?a=1&b=2' }).result.hostedViewerUri).toBe(
      'https://scan.example/f?a=1&b=2',
    );
    expect(only({ url: 'https://evil.example/f' }).result.hostedViewerUri).toBeUndefined();
    expect(only({ url: 'javascript:alert(1)' }).result.hostedViewerUri).toBeUndefined();
  });

  test('foreign text adds no links, placeholders, mentions, references or invisible characters to a SARIF result', () => {
    const evil =
      '[x](http://evil.example) {0} {code} @acme/admins #12 \u202e![i](http://e/i.png) [[a](b)](c)';
    const { result, rule } = only({ title: evil, description: evil, recommendedFix: evil });
    for (const text of [
      result.message.text,
      rule.shortDescription.text,
      rule.fullDescription.text,
      rule.help.text,
    ]) {
      expect(text).not.toMatch(/\]\(|@\w|#\d|\u202e|(?<!\{)\{\d/);
      expect(text).toContain('{code}');
      expect(text).toContain('⟨U+202E⟩');
    }
    expect(rule.help.markdown).not.toMatch(/\]\(http|(?<!\{)\{\d/);
  });
});

describe('a SARIF rule', () => {
  test.each([
    ['CRITICAL', 'error', '9.5'],
    ['HIGH', 'error', '8.0'],
    ['MEDIUM', 'warning', '5.5'],
    ['LOW', 'note', '2.0'],
    ['INFO', 'note', undefined],
    ['NEW-WORD', 'error', '10.0'],
  ])('a SARIF rule takes its level and score from the severity %s', (word, level, score) => {
    const { rule } = only({ word });
    expect(rule.defaultConfiguration.level).toBe(level);
    expect(rule.properties['security-severity']).toBe(score);
  });

  test('a SARIF rule names the weakness if the service names one', () => {
    expect(only({ cwe: 78 }).rule.properties.tags).toEqual(['security', 'external/cwe/cwe-78']);
    expect(only({ cwe: undefined }).rule.properties.tags).toEqual(['security']);
  });

  test('findings with the same weakness share a SARIF rule', () => {
    const findings = [
      sampleFinding({ id: 'a', description: 'One.', word: 'LOW' }),
      sampleFinding({ id: 'b', description: 'Two.', title: 'Other' }),
      sampleFinding({ id: 'c', cwe: 90 }),
      sampleFinding({ id: 'd', cwe: undefined }),
      sampleFinding({ id: 'e', cwe: undefined, word: 'CRITICAL' }),
    ];
    const { rules } = sarif(sampleReport(findings));
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    const ofTitle = only({ cwe: undefined }).rule.id;
    expect([...byId.keys()].sort()).toEqual(['cwe-89', 'cwe-90', ofTitle]);
    expect(byId.get('cwe-89')).toMatchObject({
      shortDescription: { text: 'CWE-89' },
      properties: { 'security-severity': '8.0' },
    });
    expect(byId.get(ofTitle)?.properties['security-severity']).toBe('9.5');
    expect(only({}).rule.shortDescription.text).toBe('SQL is built from the request’s input');
    expect(ofTitle).toMatch(/^sql-is-built-from-the-request-s-input-[0-9a-f]{8}$/);
    expect(only({ cwe: undefined, title: '漢字' }).rule.id).toMatch(/^finding-[0-9a-f]{8}$/);
    expect(only({ cwe: undefined, title: '漢' }).rule.id).not.toBe(
      only({ cwe: undefined, title: '字' }).rule.id,
    );
  });

  test('a SARIF rule has only those texts that all its findings share', () => {
    const findings = [
      sampleFinding({
        id: 'a',
        description: 'ONLY THE FIRST',
        recommendedFix: 'For both.',
        proofOfConcept: 'PROOF A',
      }),
      sampleFinding({
        id: 'b',
        description: 'ONLY THE SECOND',
        recommendedFix: 'For both.',
        proofOfConcept: 'PROOF B',
      }),
    ];
    const { rules, results } = sarif(sampleReport(findings));
    expect(JSON.stringify(rules)).not.toMatch(/ONLY THE|PROOF/);
    expect(rules[0]?.help).toMatchObject({
      text: 'How to fix: For both.',
      markdown: expect.stringContaining('For both.'),
    });
    expect(results.map(({ message }) => message.text)).toEqual([
      expect.stringContaining('ONLY THE FIRST'),
      expect.stringContaining('ONLY THE SECOND'),
    ]);
  });

  test('a SARIF rule has no empty text, because code scanning refuses it', () => {
    const { rule } = only({ title: ' ', description: '', recommendedFix: '', proofOfConcept: undefined });
    for (const text of [
      rule.shortDescription.text,
      rule.fullDescription.text,
      rule.help.text,
      rule.help.markdown,
    ])
      expect(text.trim()).not.toBe('');
  });

  test('a SARIF rule shows the proof of concept on a private repository, but not on a public repository', () => {
    const proof = { proofOfConcept: 'PROOFTEXT' };
    expect(only(proof).rule.help.markdown).toContain('PROOFTEXT');
    for (const members of [{ isPublic: true }, { target: undefined }])
      expect(printed(sampleWhole([sampleFinding(proof)], members))).not.toContain('PROOFTEXT');
  });
});

describe('the SARIF file', () => {
  test('the SARIF file names the version of this action, and its documentation', () => {
    const { version } = v.parse(v.object({ version: v.string() }), readJson('../../../package.json'));
    expect(sarif(sampleReport([])).tool.driver).toMatchObject({
      version,
      informationUri: 'https://github.com/scangate/scangate',
    });
  });

  test('the SARIF file names the repository and the commit that was scanned', () => {
    expect(sarif(sampleReport([]))).toMatchObject({
      versionControlProvenance: [
        { repositoryUri: 'https://github.com/acme/shop', revisionId: sampleReport([]).target?.headSha },
      ],
      automationDetails: { id: 'scangate/security-scan/' },
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
      results: [],
    });
  });

  test('the SARIF file has one category of alerts for each check name', () => {
    const names = ['Security scan', 'security-scan!', 'Ключ', 'Schlüssel', ''];
    const ids = names.map((checkName) => sarif(sampleReport([], { checkName })).automationDetails.id);
    expect(new Set(ids).size).toBe(names.length);
    for (const id of ids) expect(id).toMatch(/^scangate\/[a-z0-9-]+\/$/);
  });

  test('the SARIF file has the warnings of the run, but not the password of the published page', () => {
    const publication = {
      publicId: 'p',
      url: 'https://scan.example/p',
      gated: true,
      accessPassword: 'PASSWORD',
    };
    const report = sampleReport([sampleFinding()], {
      publication,
      warnings: [HOSTILE_TEXT, 'Not read: [a](b).'],
    });
    const [{ toolExecutionNotifications: shown }] = sarif(report).invocations;
    expect(shown).toHaveLength(2);
    expect(shown[1]?.message.text).toBe('Not read: [a] (b).');
    expect(printed(report)).not.toContain('PASSWORD');
  });

  test('no line of the SARIF file or of its texts is a command for the runner', () => {
    const evil = '::error::x\n##[error]x\n ::warning::x';
    const { result, rule } = only({ title: evil, description: evil, recommendedFix: evil });
    expect(rule.shortDescription.text).not.toContain('\n');
    expect(result.message.text.split('\n\n')[0]).toContain('⟨U+000A⟩');
    for (const text of [result.message.text, rule.fullDescription.text, rule.help.text]) {
      expect(text).not.toContain('##[');
      expect(text.split('\n').filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
    }

    const report = sampleReport([
      sampleFinding({ title: '::error::x\n##[error]x', description: HOSTILE_TEXT }),
    ]);
    expect(printed(report)).not.toContain('##[');
    expect(
      printed(report)
        .split(/\r\n|\r|\n/)
        .filter((line) => line.trimStart().startsWith('::')),
    ).toEqual([]);
  });

  test.each([
    [MOST_RESULTS, 0],
    [MOST_RESULTS + 1, 1],
    [MOST_RESULTS + 10, 10],
  ])('the SARIF file leaves out triaged findings first (%i findings, %i left out)', (count, leftOut) => {
    const triaged = manyFindings(10).map((one) => ({ ...one, resolution: 'MITIGATED' }));
    const open = manyFindings(count - triaged.length);
    const report = sampleReport([...triaged, ...open]);
    const { results, properties, invocations } = sarif(report);
    expect(results).toHaveLength(Math.min(count, MOST_RESULTS));
    expect(properties).toMatchObject({ findings: count, findingsLeftOut: leftOut });
    expect(results.length + leftOut).toBe(count);
    const { blocking } = report.verdict.findings;
    expect(results.slice(0, 3).map((one) => one.properties.findingId)).toEqual(
      blocking.slice(0, 3).map(({ id }) => id),
    );
    expect(results.some(({ suppressions }) => suppressions.length > 0)).toBe(leftOut < triaged.length);
    expect(invocations[0].toolExecutionNotifications).toHaveLength(leftOut === 0 ? 0 : 1);
    if (leftOut > 0)
      expect(invocations[0].toolExecutionNotifications[0]?.message.text).toContain(`${leftOut} more finding`);
  });

  test('the SARIF file stays below the limits of code scanning, and is written in chunks', () => {
    const long = 'Any text 0123456789. '.repeat(5_000);
    const findings = Array.from({ length: MOST_RESULTS }, (_, index) =>
      sampleFinding({
        id: `f${index}`,
        title: `Title ${index}`,
        description: long,
        recommendedFix: long,
        proofOfConcept: long,
      }),
    );
    const pieces = [...renderSarif(sampleReport(findings))];
    const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    expect(size).toBeLessThan(30_000_000);
    expect(pieces.length).toBeGreaterThan(MOST_RESULTS);
  });
});
