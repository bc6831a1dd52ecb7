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
  ['hides its base', { baseSha: undefined }],
  ['hides its status', { status: undefined }],
  ['is COMPLETED', { status: 'COMPLETED' }],
])('a scan that %s could be of this change', (_what, shown) => {
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
])('a scan that %s is not named', (_what, shown) => {
  expect(find(shown)).toEqual([]);
});

test('a scan that was tried is not named', () => {
  expect(find({}, true)).toEqual([]);
});

test.each([
  [['a'], 'Scan `a` is of the same commit.'],
  [['a', 'b'], 'Scans `a`, `b` are of the same commit.'],
])('%j are named', (ids, sentence) => {
  expect(describeUnproven(ids)).toContain(sentence);
});
