import { describe, expect, test } from 'vitest';
import type { PendingLaunch, Scan, ScanList, ScansBefore } from '../../../src/domain/scan.ts';
import {
  isNew,
  matchNewScans,
  type NoMatch,
  newCandidates,
  scansBefore,
  standsAbove,
} from '../../../src/scan/new-scans.ts';
import { SHA } from '../github/client.ts';
import { aScan } from './fake-api.ts';
import { listOf, pageOf, pendingLaunch, subject, whole } from './sample-subject.ts';

const READ_AT = new Date('2026-01-15T12:00:00Z');

test.each<[what: string, list: ScanList, before: ScansBefore]>([
  [
    'the ids of the list and of the marks',
    { ...listOf('b', 'a'), readAt: READ_AT },
    { ids: ['b', 'a', 'marked'], complete: true, readAt: READ_AT.getTime() },
  ],
  ['that a page is not complete', pageOf('b'), { ids: ['b', 'marked'], complete: false }],
  [
    'that a list with a hidden id is not complete',
    listOf('b', undefined),
    { ids: ['b', 'marked'], complete: false },
  ],
])('scansBefore returns %s', (_what, list, before) => {
  expect(scansBefore(list, ['b', 'marked'])).toEqual(before);
});

const at = (seconds: number) => new Date(READ_AT.getTime() + seconds * 1_000).toISOString();

test.each<[string, boolean | undefined, Partial<ScansBefore>, string, string | undefined]>([
  ['an unlisted scan that shows no time', true, {}, 'new', undefined],
  ['a listed scan', false, {}, 'old', at(5)],
  ['an unlisted scan from a minute before the list', true, {}, 'new', at(-60)],
  ['an unlisted scan from more than a minute before the list', false, {}, 'new', at(-61)],
  ['a recent scan, if the list was cut off', true, { complete: false }, 'new', at(-60)],
  ['an old scan, if the list was cut off', false, { complete: false }, 'new', at(-61)],
  ['a scan without a time, if the list was cut off', undefined, { complete: false }, 'new', undefined],
  ['a scan with an unreadable time, if the list was cut off', undefined, { complete: false }, 'new', 'soon'],
  ['a scan, if the time of the list is not known', true, { readAt: undefined }, 'new', at(-3_600)],
  [
    'a scan, if the list was cut off and its time is not known',
    undefined,
    { complete: false, readAt: undefined },
    'new',
    at(5),
  ],
])('isNew, for %s, returns %s', (_what, expected, changes, scanId, createdAt) => {
  const before = { ids: ['old'], complete: true, readAt: READ_AT.getTime(), ...changes };
  expect(isNew(before, scanId, createdAt)).toBe(expected);
});

test.each<[boolean | undefined, string, ScanList]>([
  [true, 'is the first of the list', pageOf('new', 'old')],
  [true, 'is below other new scans', pageOf('other', 'new', 'old')],
  [false, 'is below a known scan', pageOf('old', 'new')],
  [false, 'is below a scan without an id', pageOf(undefined, 'new', 'old')],
  [undefined, 'is not in the list', pageOf('other', 'old')],
  [undefined, 'stands above no known scan', pageOf('new', 'other')],
])('standsAbove returns %s for a scan that %s', (expected, _what, list) => {
  expect(standsAbove(list, 'new', { ids: ['old'], complete: false })).toBe(expected);
});

test.each<[string, Partial<PendingLaunch>, (string | undefined)[]]>([
  ['known scans, and scans that differ from the launch', {}, ['b', undefined, 'c']],
  ['every scan, if it is not known what the launch asked for', { subject: undefined }, []],
])('newCandidates leaves out %s', (_what, changes, ids) => {
  const list = listOf('b', { id: 'x', headSha: SHA.other }, { id: 'old', ...whole }, undefined, {
    id: 'c',
    headSha: SHA.head.slice(0, 7),
  });
  expect(newCandidates(list, { ...pendingLaunch, ...changes }).map(({ id }) => id)).toEqual(ids);
});

const FULL = { base: { ...whole }, other: { ...whole, headSha: SHA.other } };
const NOTHING: Partial<Scan> = {};

interface Matching {
  readonly what: string;
  readonly list: ScanList;
  /** What the details of each scan show. The details of the remaining scans could not be read. */
  readonly details?: Readonly<Record<string, Partial<Scan>>>;
  readonly claimed?: readonly string[];
  readonly pending?: Partial<PendingLaunch>;
  /** Default: the scan `new` is found. */
  readonly why?: NoMatch['why'];
  readonly ids?: readonly string[];
}

function testMatching(verb: string, cases: readonly Matching[]): void {
  // `test.each` would shorten the names of the tests.
  for (const { what, list, details = { new: FULL.base }, claimed = [], pending, why, ids = [] } of cases)
    test(`matchNewScans ${verb} ${what}`, () => {
      const shown = Object.entries(details).map(
        ([id, scan]) => [id, aScan('QUEUED', { ...scan, id })] as const,
      );
      const match = matchNewScans(list, new Map(shown), new Set(claimed), { ...pendingLaunch, ...pending });
      expect(match).toEqual(
        why === undefined ? { kind: 'found', scanId: 'new' } : { kind: 'no-match', why, ids },
      );
    });
}

describe('matchNewScans', () => {
  testMatching('finds', [
    { what: 'the new scan beside a known scan', list: listOf('new', { id: 'old', ...whole }) },
    {
      what: 'the first scan of a project',
      list: listOf('new'),
      pending: { before: { ids: [], complete: true } },
    },
    {
      what: 'a scan that shows only its commits',
      list: listOf('new'),
      details: { new: { baseSha: SHA.base, headSha: SHA.head } },
    },
    {
      what: 'the new scan beside a scan that the list shows with another head',
      list: listOf({ id: 'x', headSha: SHA.other }, 'new'),
    },
    {
      what: 'the new scan beside a scan whose details show another head',
      list: listOf('x', 'new'),
      details: { new: FULL.base, x: FULL.other },
    },
    {
      what: 'the new scan beside a scan that a mark names',
      list: listOf('x', 'new'),
      details: { new: FULL.base, x: FULL.base },
      claimed: ['x'],
    },
    { what: 'the new scan on a page that shows a known scan', list: pageOf('new', 'old') },
  ]);

  testMatching('finds no scan if', [
    { what: 'the list is empty', list: listOf(), why: 'none' },
    { what: 'only known scans are listed', list: listOf({ id: 'old', ...whole }), why: 'none' },
    { what: 'the list shows another head', list: listOf({ id: 'new', headSha: SHA.other }), why: 'none' },
    { what: 'the details show another head', list: listOf('new'), details: { new: FULL.other }, why: 'none' },
    {
      what: 'it is not known what the launch asked for',
      list: listOf('new'),
      pending: { subject: undefined },
      why: 'none',
    },
    {
      what: 'a mark names the only new scan',
      list: listOf('new'),
      claimed: ['new'],
      why: 'claimed',
      ids: ['new'],
    },
    {
      what: 'two scans match',
      list: listOf('a', 'new', 'c'),
      details: { a: FULL.base, new: FULL.base },
      why: 'several',
      ids: ['a', 'new', 'c'],
    },
    {
      what: 'the details could not be read',
      list: listOf({ id: 'new', ...whole }),
      details: {},
      why: 'cannot-tell',
      ids: ['new'],
    },
    {
      what: 'only the list shows the commits',
      list: listOf({ id: 'new', ...whole }),
      details: { new: NOTHING },
      why: 'cannot-tell',
      ids: ['new'],
    },
    {
      what: 'the details show no base',
      list: listOf('new'),
      details: { new: { ...whole, baseSha: undefined } },
      why: 'cannot-tell',
      ids: ['new'],
    },
    {
      what: 'the details show an abbreviated head',
      list: listOf('new'),
      details: { new: { ...whole, headSha: SHA.head.slice(0, 39) } },
      why: 'cannot-tell',
      ids: ['new'],
    },
    { what: 'a second scan may match', list: listOf('new', 'x'), why: 'cannot-tell', ids: ['new', 'x'] },
    { what: 'a second scan has no id', list: listOf('new', undefined), why: 'cannot-tell', ids: ['new'] },
    {
      what: 'the next page may show another new scan',
      list: pageOf('new'),
      why: 'cannot-tell',
      ids: ['new'],
    },
    {
      what: 'the next page may show the new scan',
      list: pageOf('new'),
      details: { new: FULL.other },
      why: 'cannot-tell',
    },
  ]);
});

test('matchNewScans compares the details with all that the launch asked for', () => {
  const pending = { ...pendingLaunch, subject: { ...subject, areas: ['login'] } };
  const details = new Map([['new', aScan('QUEUED', { ...whole, id: 'new', areas: [] })]]);
  expect(matchNewScans(listOf('new'), details, new Set(), pending)).toMatchObject({ why: 'none' });
});
