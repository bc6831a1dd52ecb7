import { expect, test } from 'vitest';
import { type Finding, pathsOf, type SeverityLevel, UNTITLED } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { failOnAt, type GatePolicy } from '../../../src/domain/verdict.ts';
import { withDetail, worthReading } from '../../../src/scan/findings.ts';
import { readFinding } from '../../../src/scan-api/wire.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { POLICY } from '../report/sample-report.ts';

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

/** The files of a finding, the place of the finding first. */
function filesOf([listed, detail]: readonly [listed: Fields, detail: Fields]): string {
  const { location, otherPaths } = both(listed, detail);
  const files = [location?.path, ...(otherPaths ?? [])];
  expect(new Set(pathsOf(both(listed, detail)))).toEqual(new Set(files));
  return JSON.stringify(files);
}

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

interface Given extends Partial<GatePolicy> {
  readonly findings?: readonly Finding[];
}
/** The number of findings whose details are read. Default: of 300 findings that may block. */
const readOf = ({ findings = many(300, 'high'), ...policy }: Given) =>
  worthReading(findings, { ...POLICY, ...policy }).length;
const [CONFIRMED, PROVEN] = [failOnAt('high', 'confirmed'), failOnAt('high', 'poc')];

test('details are read as findings.txt shows', async () => {
  await expectTable('findings', {
    'worthReading, for 300 findings that': casesOf(readOf, {
      'show everything': {},
      'show no location': { findings: many(300, 'high', hidden) },
      'show no triage, which the gate does not need': { findings: many(300, 'high', silent) },
      'show no triage, which the gate needs': { findings: many(300, 'high', silent), failOn: CONFIRMED },
      'show no evidence, which the gate does not need': {
        findings: many(300, 'high', unproven),
        failOn: CONFIRMED,
      },
      'show no evidence, which the gate needs': { findings: many(300, 'high', unproven), failOn: PROVEN },
      'are not confirmed, if the gate needs evidence': { failOn: PROVEN },
      'show no file, if `paths-exempt` is set': { findings: many(300, 'high', hidden), pathsExempt },
      'cannot block and show no file, if `paths-exempt` is set': {
        findings: many(300, 'medium', hidden),
        pathsExempt,
      },
      'are in no exempt file': { pathsExempt },
      'are in an exempt file': { findings: many(300, 'high', inTests), pathsExempt },
      'are in an exempt file and cannot block': { findings: many(300, 'medium', inTests), pathsExempt },
    }),
    'worthReading, for one finding that': casesOf((one) => readOf({ findings: [one] }), {
      'is closed': finding('a', 'critical', { resolutionStatus: 'FALSE_POSITIVE' }),
      'has an unusable id': finding('..', 'critical'),
    }),
    'the severity, if the detail shows LOW, and the list shows': casesOf(
      (listed: Fields) => both(listed, { severity: 'LOW' }).severity.level,
      { nothing: {}, SEVERE: { severity: 'SEVERE' }, HIGH: { severity: 'HIGH' } },
    ),
    'the files of the list and of the detail': casesOf(filesOf, {
      'the same file': [{ path: 'a', line: 1 }, { path: 'a' }],
      'two files, the detail with a line': [{ path: 'a' }, { path: 'b', line: 1 }],
      'two files, the list with a line': [{ path: 'a', line: 1 }, { path: 'b' }],
      'only in the detail': [{}, { locations: [{ path: 'a' }, { path: 'b' }] }],
      'three files': [{ path: 'a', file: 'c' }, { locations: [{ path: 'a' }, {}] }],
    }),
  });
});

test('worthReading selects the details of the worst findings first', () => {
  const wanted = worthReading([...many(40, 'medium'), ...many(30, 'critical')], POLICY);
  expect(wanted.map(({ severity }) => severity.level)).toEqual([
    ...Array(30).fill('critical'),
    ...Array(20).fill('medium'),
  ]);
});
