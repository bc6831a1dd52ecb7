import { expect, test } from 'vitest';
import { type Finding, pathsOf } from '../../../src/domain/finding.ts';
import { withDetail } from '../../../src/scan/finding-detail.ts';
import { readFinding, UNTITLED } from '../../../src/scan-api/wire.ts';

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
