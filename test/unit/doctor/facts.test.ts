import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/doctor/diagnose.ts';
import { comparableScans, compareIds, type ServiceFacts } from '../../../src/doctor/facts.ts';
import { readService } from '../../../src/doctor/reads.ts';
import type { Finding } from '../../../src/domain/finding.ts';
import { ok } from '../../../src/domain/result.ts';
import type { ListedScan } from '../../../src/domain/scan.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { sampleFinding } from '../report/sample-report.ts';
import { aScan } from '../scan/fake-api.ts';
import { factsOf } from './sample-facts.ts';

const at = (path: string) => ({ path, startLine: 1, endLine: undefined });
const finding = (id: string | undefined, more: Partial<Finding> = {}) => ({
  ...sampleFinding({ id, title: 'SQL injection', cwe: 89 }),
  location: at('src/a.js'),
  ...more,
});

describe('two scans', () => {
  test.each<[what: string, scans: readonly (readonly Finding[])[], seenTwice: number, areKept: boolean]>([
    ['with one finding under one id', [[finding('1')], [finding('1')]], 1, true],
    ['with one finding under two ids', [[finding('1')], [finding('2')]], 1, false],
    ['where the second has a new id in addition', [[finding('1')], [finding('2'), finding('1')]], 1, true],
    ['with two findings in two files', [[finding('1')], [finding('2', { location: at('b.js') })]], 0, false],
    ['with two rules in a file', [[finding('1')], [finding('2', { cwe: 79 })]], 0, false],
    ['with two titles in a file', [[finding('1')], [finding('2', { title: 'Another' })]], 0, false],
    [
      'with findings without a location',
      [[finding('1', { location: undefined })], [finding('2', { location: undefined })]],
      0,
      false,
    ],
    ['with findings without ids', [[finding(undefined)], [finding(undefined)]], 0, false],
    ['where one has the same rule twice', [[finding('1'), finding('2')], []], 0, false],
    ['of four commits', [[finding('1')], [], [finding('3')], [finding('1')]], 1, true],
  ])('compareIds compares scans %s', (_what, scans, seenTwice, areKept) => {
    expect(compareIds(scans)).toEqual({ seenTwice, areKept });
  });
});

describe('the scans that are compared', () => {
  const scan = (id: string | undefined, more: Partial<ListedScan> = {}): ListedScan => ({
    ...aScan('COMPLETED', { repositoryId: 'r1' }),
    id,
    ...more,
  });
  const chosen = (...scans: readonly ListedScan[]) => comparableScans({ scans, complete: true });

  test('the doctor compares the finding ids of the four newest completed scans of a repository', () => {
    expect(
      chosen(
        scan('1', { status: 'RUNNING' }),
        scan('2'),
        scan(undefined),
        scan('3', { repositoryId: 'r2' }),
        ...['4', '5', '6', '7'].map((id) => scan(id)),
      ),
    ).toEqual(['2', '4', '5', '6']);
  });

  test('the doctor compares no finding ids if the scans do not show their repository', () => {
    expect(chosen(scan('1', { repositoryId: undefined }), scan('2', { repositoryId: undefined }))).toEqual(
      [],
    );
  });
});

describe('the row about finding ids', () => {
  const rowOf = (ids: ServiceFacts['ids']) => {
    const row = diagnose(factsOf({ service: { ids } })).find(({ check }) => check === 'Finding ids');
    return `${row?.level}: ${row?.text}`;
  };
  const failed = {
    kind: 'refused',
    operation: 'list the findings',
    status: 403,
    code: 'forbidden',
    message: 'no',
    retryAfterSeconds: undefined,
  } as const;

  test.each<[what: string, ids: ServiceFacts['ids'], row: RegExp]>([
    ['kept', ok({ seenTwice: 3, areKept: true }), /^ok: Findings keep their ids/],
    [
      'new with each scan',
      ok({ seenTwice: 3, areKept: false }),
      /^warning: Findings .* \(3\) have other ids .* blocks again after the next push\.$/,
    ],
    ['not comparable', ok({ seenTwice: 0, areKept: false }), /^skipped: Not checked: no finding is in two/],
    ['known from only one scan', undefined, /^skipped: Not checked: there are no two scans/],
    ['not readable', { ok: false, error: failed }, /^warning: /],
  ])("the doctor's row `Finding ids` describes ids that are %s", (_what, ids, row) => {
    expect(rowOf(ids)).toMatch(row);
  });
});

test('the doctor reads the findings of each scan that it compares', async () => {
  const listed = ['s1', 's2'].map((id) => ({ ...aScan('COMPLETED', { repositoryId: 'r1' }), id }));
  const asked: (string | undefined)[] = [];
  const facts = await readService(
    {
      token: async () =>
        ok({ projectId: 'p', scopes: ['read'], expiresAt: undefined, spendLimit: undefined }),
      repositories: async () => ok([]),
      presets: async () => ok([]),
      scans: async () => ok({ scans: listed, complete: true }),
      readScan: async () => ok(aScan('COMPLETED')),
      sampleFindings: async (_project, _options, scanId) => {
        asked.push(scanId);
        return ok([finding(scanId)]);
      },
    },
    undefined,
    NEVER_ABORTED,
  );
  expect(asked).toEqual([undefined, 's1', 's2']);
  expect(facts.ids).toEqual(ok({ seenTwice: 1, areKept: false }));
});
