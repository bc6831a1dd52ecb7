import { expect, test } from 'vitest';
import { type Finding, pathsOf, type SeverityLevel, UNTITLED } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { failOnAt, type GatePolicy } from '../../../src/domain/verdict.ts';
import { withDetail, worthReading } from '../../../src/scan/findings.ts';
import { readFinding } from '../../../src/scan-api/wire.ts';

type Fields = Readonly<Record<string, unknown>>;

const both = (list: Fields, detail: Fields) => withDetail(readFinding(list), readFinding(detail));

test('withDetail prefers the texts of the detail to the texts of the list entry', () => {
  const listed = { id: 'f', severity: 'HIGH', path: 'a.ts', triageStatus: 'CONFIRMED', description: 'cut…' };
  const detail = {
    id: 'f',
    severity: 'LOW',
    triageStatus: 'PENDING',
    confirmationEvidence: 'ANALYSIS',
    resolutionStatus: 'IN_PROGRESS',
    title: 'Title',
    path: 'a.ts',
    line: 7,
    description: 'whole',
    recommendedFix: 'fix',
    cwe: 'CWE-78',
  };
  expect(both(listed, detail)).toMatchObject({
    severity: { level: 'high' },
    triage: { word: 'CONFIRMED' },
    evidence: 'ANALYSIS',
    resolution: 'IN_PROGRESS',
    title: 'Title',
    location: { path: 'a.ts', startLine: 7 },
    description: 'whole',
    recommendedFix: 'fix',
    cwe: 78,
  });
});

test('withDetail takes every member that only the detail shows', () => {
  const shown: Required<Omit<Finding, 'detailsUnread' | 'id' | 'label'>> = {
    severity: readFinding({ severity: 'LOW' }).severity,
    triage: readFinding({ triageStatus: 'CONFIRMED' }).triage,
    evidence: 'POC',
    resolution: 'NOT_STARTED',
    title: 'Title',
    cwe: 78,
    location: { path: 'a.ts', startLine: 7, endLine: 8 },
    otherPaths: ['b.ts'],
    url: 'https://scan.example/f',
    description: 'description',
    recommendedFix: 'fix',
    proofOfConcept: 'proof',
  };
  expect(withDetail(readFinding({ id: 'f' }), { ...readFinding({ id: 'f' }), ...shown })).toMatchObject(
    shown,
  );
});

test.each<[string, Fields]>([
  [
    'with all its members',
    {
      title: 'T',
      path: 'a.ts',
      line: 3,
      triageStatus: 'PENDING',
      confirmationEvidence: null,
      resolutionStatus: 'NOT_STARTED',
      poc: 'p',
      url: 'u',
    },
  ],
  ['without a title', { path: 'a.ts' }],
])('an empty detail removes nothing from a finding that is listed %s', (_what, listed) => {
  expect(both(listed, {})).toEqual(readFinding(listed));
  expect(both(listed, {}).title).toBe(listed['title'] ?? UNTITLED);
});

test.each<[what: string, level: Finding['severity']['level'], listed: Fields]>([
  ['no severity', 'low', {}],
  ['SEVERE', 'unknown', { severity: 'SEVERE' }],
  ['HIGH', 'high', { severity: 'HIGH' }],
])('if the list shows %s, and the detail shows LOW, the severity is %s', (_what, level, listed) => {
  expect(both(listed, { severity: 'LOW' }).severity.level).toBe(level);
});

test.each<[listed: Fields, detail: Fields, files: string[]]>([
  [{ path: 'a', line: 1 }, { path: 'a' }, ['a']],
  [{ path: 'a' }, { path: 'b', line: 1 }, ['b', 'a']],
  [{ path: 'a', line: 1 }, { path: 'b' }, ['a', 'b']],
  [{}, { locations: [{ path: 'a' }, { path: 'b' }] }, ['a', 'b']],
  [{ path: 'a', file: 'c' }, { locations: [{ path: 'a' }, {}] }, ['a', 'c', '']],
])('withDetail combines the files of the list entry %j and the detail %j', (listed, detail, files) => {
  const { location, otherPaths } = both(listed, detail);
  expect([location?.path, ...(otherPaths ?? [])]).toEqual(files);
  expect(new Set(pathsOf(both(listed, detail)))).toEqual(new Set(files));
});

const POLICY: GatePolicy = {
  severityThreshold: 'medium',
  failOn: failOnAt('high'),
  allowUnscanned: [],
  pathsExempt: [],
};
const pathsExempt = readPathPatterns('test/**').patterns;

function finding(id: string, severity: SeverityLevel, extra: object = {}): Finding {
  const shown = { triageStatus: 'PENDING', confirmationEvidence: null, path: 'a.ts', ...extra };
  return readFinding({ id, severity: severity.toUpperCase(), ...shown });
}
const many = (count: number, severity: SeverityLevel, extra: object = {}) =>
  Array.from({ length: count }, (_, index) => finding(`${severity}-${index}`, severity, extra));
const silent = { triageStatus: undefined };
const unproven = { triageStatus: 'CONFIRMED', confirmationEvidence: undefined };
const hidden = { path: undefined };
const inTests = { path: 'test/a.ts' };

test.each<[string, Finding[], Partial<GatePolicy>, number]>([
  ['the 50 worst findings', many(300, 'high'), {}, 50],
  ['200 findings if the list shows no location', many(300, 'high', hidden), {}, 200],
  ['50 findings if the gate does not need the missing triage status', many(300, 'high', silent), {}, 50],
  [
    'all findings if the gate needs the missing triage status',
    many(300, 'high', silent),
    { failOn: failOnAt('high', 'confirmed') },
    300,
  ],
  [
    '50 findings if the gate needs only the triage status',
    many(300, 'high', unproven),
    { failOn: failOnAt('high', 'confirmed') },
    50,
  ],
  [
    'all findings if the gate needs the missing evidence',
    many(300, 'high', unproven),
    { failOn: failOnAt('high', 'poc') },
    300,
  ],
  [
    '50 findings if the gate needs evidence, and no finding is confirmed',
    many(300, 'high'),
    { failOn: failOnAt('high', 'poc') },
    50,
  ],
  [
    'all findings that may block if `paths-exempt` is set, and the list shows no file',
    many(300, 'high', hidden),
    { pathsExempt },
    300,
  ],
  [
    '200 findings that cannot block if `paths-exempt` is set, and the list shows no file',
    many(300, 'medium', hidden),
    { pathsExempt },
    200,
  ],
  ['50 findings if their file is not exempt', many(300, 'high'), { pathsExempt }, 50],
  ['all findings that may block and are in an exempt file', many(300, 'high', inTests), { pathsExempt }, 300],
  [
    '0 findings if they are in an exempt file and cannot block',
    many(300, 'medium', inTests),
    { pathsExempt },
    0,
  ],
  [
    '0 findings if the only finding is triaged',
    [finding('a', 'critical', { resolutionStatus: 'FALSE_POSITIVE' })],
    {},
    0,
  ],
  ['0 findings if the only finding has an unusable id', [finding('..', 'critical')], {}, 0],
])('worthReading selects the details of %s', (_what, findings, changes, count) => {
  expect(worthReading(findings, { ...POLICY, ...changes })).toHaveLength(count);
});

test('worthReading selects the details of the worst findings first', () => {
  const wanted = worthReading([...many(40, 'medium'), ...many(30, 'critical')], POLICY);
  expect(wanted.map(({ severity }) => severity.level)).toEqual([
    ...Array(30).fill('critical'),
    ...Array(20).fill('medium'),
  ]);
});
