import { test } from 'vitest';
import type { SavedLaunch, Scan, ScanList, ScansBefore } from '../../../src/domain/scan.ts';
import {
  isNew,
  matchNewScans,
  newCandidates,
  scansBefore,
  standsAbove,
} from '../../../src/scan/new-scans.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { SHA } from '../github/samples.ts';
import { aScan } from './fake-api.ts';
import { listOf, pageOf, pendingLaunch, subject, whole } from './sample-subject.ts';

const READ_AT = new Date('2026-01-15T12:00:00Z');
const at = (seconds: number) => new Date(READ_AT.getTime() + seconds * 1_000).toISOString();

/** A scan, and what differs in the list that was read before the launch. */
interface Shown extends Partial<ScansBefore> {
  readonly id?: string;
  readonly createdAt?: string;
}
const newness = ({ id = 'new', createdAt, ...changes }: Shown) =>
  isNew({ ids: ['old'], complete: true, readAt: READ_AT.getTime(), ...changes }, id, createdAt);

const candidatesOf = (list: ScanList) =>
  newCandidates(list, pendingLaunch).map(({ id = 'without an id' }) => id);

const OTHER = { ...whole, headSha: SHA.other };

interface Matching {
  /** Default: only the scan `new` is listed. */
  readonly list?: ScanList;
  /** What the details of each scan show. The details of the remaining scans could not be read. */
  readonly details?: Readonly<Record<string, Partial<Scan>>>;
  readonly claimed?: readonly string[];
  readonly pending?: Partial<SavedLaunch>;
}

function matchOf({
  list = listOf('new'),
  details = { new: whole },
  claimed = [],
  pending,
}: Matching): string {
  const shown = Object.entries(details).map(([id, scan]) => [id, aScan('QUEUED', { ...scan, id })] as const);
  const match = matchNewScans(list, new Map(shown), new Set(claimed), { ...pendingLaunch, ...pending });
  return match.kind === 'found' ? `found ${match.scanId}` : `${match.why}: ${match.ids.join(', ')}`.trim();
}

test('new scans are recognized as new-scans.txt shows', async () => {
  await expectTable('new-scans', {
    'scansBefore, for marks of two scans and': casesOf((list) => scansBefore(list, ['b', 'marked']), {
      'a complete list': { ...listOf('b', 'a'), readAt: READ_AT },
      'a page': pageOf('b'),
      'a list with a hidden id': listOf('b', undefined),
    }),
    'isNew, for': casesOf(newness, {
      'an unlisted scan that shows no time': {},
      'a listed scan': { id: 'old', createdAt: at(5) },
      'an unlisted scan from a minute before the list': { createdAt: at(-60) },
      'an unlisted scan from more than a minute before the list': { createdAt: at(-61) },
      'a recent scan, if the list was cut off': { complete: false, createdAt: at(-60) },
      'an old scan, if the list was cut off': { complete: false, createdAt: at(-61) },
      'a scan without a time, if the list was cut off': { complete: false },
      'a scan with an unreadable time, if the list was cut off': { complete: false, createdAt: 'soon' },
      'a scan, if the time of the list is not known': { readAt: undefined, createdAt: at(-3_600) },
      'a scan, if the list was cut off and its time is not known': {
        complete: false,
        readAt: undefined,
        createdAt: at(5),
      },
    }),
    'standsAbove, for a scan that': casesOf(
      (list) => standsAbove(list, 'new', { ids: ['old'], complete: false }),
      {
        'is the first of the list': pageOf('new', 'old'),
        'is below other new scans': pageOf('other', 'new', 'old'),
        'is below a known scan': pageOf('old', 'new'),
        'is below a scan without an id': pageOf(undefined, 'new', 'old'),
        'is not in the list': pageOf('other', 'old'),
        'stands above no known scan': pageOf('new', 'other'),
      },
    ),
    newCandidates: {
      'of scans that are new, older, of another head, without an id and of a short head': candidatesOf(
        listOf('b', { id: 'old', ...whole }, { id: 'x', headSha: SHA.other }, undefined, {
          id: 'c',
          headSha: SHA.head.slice(0, 7),
        }),
      ),
    },
    'matchNewScans, if': casesOf(matchOf, {
      'a known scan is listed too': { list: listOf('new', { id: 'old', ...whole }) },
      'the project had no scan before': { pending: { before: { ids: [], complete: true } } },
      'the scan shows only its commits': { details: { new: { baseSha: SHA.base, headSha: SHA.head } } },
      'the list shows another scan with another head': {
        list: listOf({ id: 'x', headSha: SHA.other }, 'new'),
      },
      'the details show another scan with another head': {
        list: listOf('x', 'new'),
        details: { new: whole, x: OTHER },
      },
      'a mark names another scan': {
        list: listOf('x', 'new'),
        details: { new: whole, x: whole },
        claimed: ['x'],
      },
      'the page shows a known scan': { list: pageOf('new', 'old') },
      'the list is empty': { list: listOf() },
      'only known scans are listed': { list: listOf({ id: 'old', ...whole }) },
      'the list shows another head': { list: listOf({ id: 'new', headSha: SHA.other }) },
      'the details show another head': { details: { new: OTHER } },
      'the details show other audit areas': {
        details: { new: { ...whole, areas: [] } },
        pending: { subject: { ...subject, areas: ['login'] } },
      },
      'a mark names the only new scan': { claimed: ['new'] },
      'two scans match': { list: listOf('a', 'new', 'c'), details: { a: whole, new: whole } },
      'the details could not be read': { list: listOf({ id: 'new', ...whole }), details: {} },
      'only the list shows the commits': { list: listOf({ id: 'new', ...whole }), details: { new: {} } },
      'the details show no base': { details: { new: { ...whole, baseSha: undefined } } },
      'the details show an abbreviated head': {
        details: { new: { ...whole, headSha: SHA.head.slice(0, 39) } },
      },
      'a second scan may match': { list: listOf('new', 'x') },
      'a second scan has no id': { list: listOf('new', undefined) },
      'the next page may show another new scan': { list: pageOf('new') },
      'the next page may show the new scan': { list: pageOf('new'), details: { new: OTHER } },
    }),
  });
});
