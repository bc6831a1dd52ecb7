import { expect, test } from 'vitest';
import type { ListedScan } from '../../../src/domain/scan.ts';
import { candidates, describeUnproven, unprovenScans } from '../../../src/scan/earlier-scan.ts';
import { aScan, BASE, HEAD } from './fake-api.ts';
import { found } from './marked.ts';

const EXPECTED = { baseSha: BASE, headSha: HEAD };

function find(shown: Partial<ListedScan>, isUsed = false) {
  const { progress: _, ...listed } = aScan('RUNNING', { headSha: HEAD, baseSha: BASE });
  return unprovenScans([{ ...listed, ...shown }], EXPECTED, () => isUsed);
}

test.each<[string, Partial<ListedScan>]>([
  ['shows base and head', {}],
  ['does not show its base', { baseSha: undefined }],
  ['does not show its status', { status: undefined }],
  ['is COMPLETED', { status: 'COMPLETED' }],
])('unprovenScans returns a scan that %s', (_what, shown) => {
  expect(find(shown)).toEqual(['s']);
});

test.each<[string, Partial<ListedScan>]>([
  ['shows another head', { headSha: BASE }],
  ['shows another base', { baseSha: HEAD }],
  ['shows no head', { headSha: undefined }],
  ['abbreviates its head', { headSha: HEAD.slice(0, 12) }],
  ['has failed', { status: 'FAILED' }],
  ['was cancelled', { status: 'CANCELLED' }],
  ['shows no id', { id: undefined }],
])('unprovenScans leaves out a scan that %s', (_what, shown) => {
  expect(find(shown)).toEqual([]);
});

test('unprovenScans leaves out a scan that the run has tried to reuse', () => {
  expect(find({}, true)).toEqual([]);
});

test.each([
  [['a'], 'Scan `a` is of the same commit.'],
  [['a', 'b'], 'Scans `a`, `b` are of the same commit.'],
])('describeUnproven describes the scans %j', (ids, sentence) => {
  expect(describeUnproven(ids)).toContain(sentence);
});

const exact = (scanId: string, launchedAt = 1) => ({ scanId, launchedAt });
const sameFiles = (scanId: string, launchedAt = 1) => ({ ...exact(scanId, launchedAt), ...EXPECTED });
const IDS = ['1', '2', '3', '4', '5', '6'];

test.each<[string, Parameters<typeof candidates>, readonly string[]]>([
  ['no candidate if no mark names a scan', [[]], []],
  [
    'scans of this change before scans of the same files that were launched in the same second',
    [[exact('a'), exact('b')], [sameFiles('c')]],
    ['exact a', 'exact b', 'same-files c'],
  ],
  [
    'a newer scan of the same files before an older scan of this change',
    [
      [exact('b', 4), exact('d', 2)],
      [sameFiles('a', 5), sameFiles('c', 3)],
    ],
    ['same-files a', 'exact b', 'same-files c', 'exact d'],
  ],
  [
    'each scan once',
    [
      [exact('a'), exact('b'), exact('a')],
      [sameFiles('c'), sameFiles('c')],
    ],
    ['exact a', 'exact b', 'same-files c'],
  ],
  [
    'at most five scans of each list',
    [IDS.map((id) => exact(id)), IDS.map((id) => sameFiles(`same ${id}`))],
    [...IDS.slice(0, 5).map((id) => `exact ${id}`), ...IDS.slice(0, 5).map((id) => `same-files same ${id}`)],
  ],
])('candidates() returns %s', (_what, lists, all) => {
  expect(candidates(...lists).map(({ kind, scan }) => `${kind} ${scan.scanId}`)).toEqual(all);
});

test('candidates() uses the last of several marks of a scan', () => {
  const marks = [found({ scanId: 'a', runId: 9 }), found({ scanId: 'a', runId: 5 })];
  expect(candidates(marks)).toMatchObject([{ scan: { runId: 5 } }]);
});
