import { expect, test } from 'vitest';
import type { ListedScan } from '../../../src/domain/scan.ts';
import { candidates, describeUnproven, unprovenScans } from '../../../src/scan/earlier-scan.ts';
import { elderTwins, type RankedMark } from '../../../src/scan/twins.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { aScan, BASE, HEAD } from './fake-api.ts';
import { found } from './marked.ts';

const EXPECTED = { baseSha: BASE, headSha: HEAD };

function unproven({ isUsed = false, ...shown }: Partial<ListedScan> & { readonly isUsed?: boolean }) {
  const { progress: _, ...listed } = aScan('RUNNING', EXPECTED);
  return unprovenScans([{ ...listed, ...shown }], EXPECTED, () => isUsed);
}

const exact = (scanId: string, launchedAt = 1) => ({ scanId, launchedAt });
const sameFiles = (scanId: string, launchedAt = 1) => ({ ...exact(scanId, launchedAt), ...EXPECTED });
const IDS = ['1', '2', '3', '4', '5', '6'];
const candidatesOf = (lists: Parameters<typeof candidates>) =>
  candidates(...lists).map(({ kind, scan }) => `${kind} ${scan.scanId}`);

const OWN = { projectId: 'p', scanId: 'own', launchedAt: 1_000, key: 'k', rank: 20, expected: EXPECTED };
/** A mark of the same key: its scan, its rank, and another key if there is one. */
const ranked = (scanId: string, rank: number, key = 'k'): RankedMark => ({
  scanId,
  launchedAt: 1_000,
  key,
  rank,
});
const eldersOf = (marks: readonly RankedMark[]) =>
  elderTwins(marks, OWN).map(({ scanId, rank }) => `${scanId} of rank ${rank}`);

test('earlier scans are chosen as candidates.txt shows', async () => {
  await expectTable('candidates', {
    'unprovenScans, for a scan that': casesOf(unproven, {
      'shows base and head': {},
      'does not show its base': { baseSha: undefined },
      'does not show its status': { status: undefined },
      'is COMPLETED': { status: 'COMPLETED' },
      'shows another head': { headSha: BASE },
      'shows another base': { baseSha: HEAD },
      'shows no head': { headSha: undefined },
      'abbreviates its head': { headSha: HEAD.slice(0, 12) },
      'has failed': { status: 'FAILED' },
      'was cancelled': { status: 'CANCELLED' },
      'shows no id': { id: undefined },
      'the run has tried to reuse': { isUsed: true },
    }),
    describeUnproven: casesOf(describeUnproven, { 'one scan': ['a'], 'two scans': ['a', 'b'] }),
    'candidates, for marks of': casesOf(candidatesOf, {
      'no scan': [[]],
      'scans that were launched in the same second': [[exact('a'), exact('b')], [sameFiles('c')]],
      'scans of different times': [
        [exact('b', 4), exact('d', 2)],
        [sameFiles('a', 5), sameFiles('c', 3)],
      ],
      'a scan twice': [
        [exact('a'), exact('b'), exact('a')],
        [sameFiles('c'), sameFiles('c')],
      ],
      'more than five scans': [IDS.map((id) => exact(id)), IDS.map((id) => sameFiles(`same ${id}`))],
    }),
    'elderTwins of a mark of rank 20, for': casesOf(eldersOf, {
      'no marks': [],
      'a smaller rank': [ranked('elder', 10)],
      'a larger rank': [ranked('younger', 30)],
      'the same rank': [ranked('elder', 20)],
      'another key': [ranked('elder', 10, 'other')],
      'the same scan': [ranked('own', 10)],
      'a rank after one of two marks of the own scan': [ranked('own', 8), ranked('elder', 10)],
      'ranks before and after one of two marks of the own scan': [
        ranked('own', 8),
        ranked('elder', 10),
        ranked('first', 5),
      ],
      'a rank after a mark of the own scan with another key': [ranked('own', 8, 'x'), ranked('elder', 10)],
      'marks in another order': [ranked('younger', 30), ranked('elder', 10), OWN, ranked('first', 5)],
      'two marks of one scan': [ranked('elder', 15), ranked('elder', 10), OWN],
    }),
  });
});

test('candidates() uses the last of several marks of a scan', () => {
  const marks = [found({ scanId: 'a', runId: 9 }), found({ scanId: 'a', runId: 5 })];
  expect(candidates(marks)).toMatchObject([{ scan: { runId: 5 } }]);
});
