import { expect, test } from 'vitest';
import type { ListedScan } from '../../../src/domain/scan.ts';
import { describeUnproven, unprovenScans } from '../../../src/scan/unproven-scans.ts';
import { aScan, BASE, HEAD } from './fake-api.ts';

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
