import { describe, expect, test } from 'vitest';
import type { PendingLaunch } from '../../../src/domain/pending-launch.ts';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { ListedScan, Scan, ScanList } from '../../../src/domain/scan.ts';
import { Stop } from '../../../src/domain/stop.ts';
import type { NoMatch } from '../../../src/scan/match-new-scans.ts';
import { type Recovery, recoverLaunch } from '../../../src/scan/recover-launch.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { aScan, invalid, polled, refused, stopped, unreachable } from './fake-api.ts';
import { pendingLaunch, whole } from './sample-subject.ts';

/** What a read of the scan list gets. Without an answer, it ends when the search ends. */
type List = Result<ScanList, ApiError> | 'no answer';

interface Search {
  readonly name: string;
  /** The answer to each read of the list; the last one repeats. */
  readonly lists: readonly [List, ...List[]];
  /** What the details of each scan show. The details of other scans cannot be read. */
  readonly details?: Readonly<Record<string, Partial<Scan>>>;
  /** Until then, no details can be read. */
  readonly detailsFromMs?: number;
  /** The scans that marks name, for each read of the marks; the last one repeats. Undefined: they cannot be read. */
  readonly marks?: readonly (readonly string[] | undefined)[];
  /** How the launch differs from `pendingLaunch`. */
  readonly launch?: Partial<PendingLaunch>;
  /** The guidance that is stored for the repository. By default, it cannot be read. */
  readonly stored?: string;
  /** When and how the search ends. By default, the search ends after a minute, as in a run. */
  readonly ends?: { readonly ms: number; readonly by: 'timeout' | 'signal' };
  /** The time is over when the first list arrives. */
  readonly endsWithList?: true;
  readonly random?: number;
  readonly recovery: Recovery;
  readonly seen?: Partial<Seen>;
}

interface Seen {
  /** When the list was read. */
  readonly looks: readonly number[];
  /** The scans whose details were read. */
  readonly detailed: readonly string[];
  /** How often the marks were read. */
  readonly markReads: number;
  readonly guidanceReads: number;
  readonly sleeps: readonly number[];
  readonly ms: number;
}

function testSearches(searches: readonly Search[]): void {
  // `test.each` would shorten the names.
  for (const search of searches) {
    test(search.name, async () => {
      const { recovery, ...seen } = await play(search);
      expect(recovery).toEqual(search.recovery);
      expect(seen).toMatchObject(search.seen ?? {});
    });
  }
}

async function play(search: Search): Promise<Seen & { readonly recovery: Recovery }> {
  const { details = {}, marks = [[]], ends = { ms: 60_000, by: 'timeout' } } = search;
  const clock = new FakeClock();
  const limit = new AbortController();
  void clock.sleep(ends.ms).then(() => limit.abort(new Stop(ends.by)));
  clock.sleeps.pop();
  const looks: number[] = [];
  const detailed: string[] = [];
  let markReads = 0;
  let guidanceReads = 0;
  const recovery = await recoverLaunch(
    {
      api: {
        scans: async (_project, { signal }) => {
          expect(signal).toBe(limit.signal);
          const list = search.lists[Math.min(looks.length, search.lists.length - 1)] ?? 'no answer';
          looks.push(clock.now());
          if (search.endsWithList) limit.abort(new Stop('timeout'));
          if (list !== 'no answer') return list;
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return err(stopped(ends.by).error);
        },
        scan: async (_project, id, { signal }) => {
          expect(signal).toBe(limit.signal);
          detailed.push(id);
          const shown = clock.now() < (search.detailsFromMs ?? 0) ? undefined : details[id];
          return shown === undefined ? refused(500, 'internal') : polled(aScan('QUEUED', { ...shown, id }));
        },
        guidance: async () => {
          guidanceReads += 1;
          return search.stored === undefined ? refused(403, 'forbidden') : ok(search.stored);
        },
      },
      clock,
      signal: limit.signal,
      random: () => search.random ?? 0,
      readClaimedScans: async () => {
        const named = marks[Math.min(markReads, marks.length - 1)];
        markReads += 1;
        return named && new Set(named);
      },
    },
    { ...pendingLaunch, ...search.launch },
  );
  return { recovery, looks, detailed, markReads, guidanceReads, sleeps: clock.sleeps, ms: clock.now() };
}

type Shown = string | (Partial<ListedScan> & { readonly id: string | undefined });

/** A complete list. An id alone stands for a scan of which the list shows nothing else. */
function list(...scans: readonly Shown[]) {
  const { progress: _, ...nothing } = aScan('RUNNING');
  const rows = scans.map((scan) => ({ ...nothing, ...(typeof scan === 'string' ? { id: scan } : scan) }));
  return ok<ScanList>({ scans: rows, complete: true });
}
/** A page that older scans follow. */
const page = (...scans: readonly Shown[]) =>
  ok<ScanList>({ scans: list(...scans).value.scans, complete: false });

const found = (scanId: string, scopeShown = true) => ({ kind: 'found', scanId, scopeShown }) as const;
const noMatch = (why: NoMatch['why'], ids: readonly string[] = [], settled = true) =>
  ({ kind: 'no-match', why, ids, settled }) as const;

const OLD = { id: 'old', ...whole };
const OTHER_CHANGE = { headSha: 'c'.repeat(40) };
const AWAY = refused(500, 'internal', { operation: 'list the scans' });
const TWO_LOOKS = { looks: [0, 5_000] };
const TWICE_TWO_LOOKS = { looks: [0, 5_000, 6_000, 11_000] };

describe('recoverLaunch looks for the scan of a launch without an answer', () => {
  testSearches([
    {
      name: 'recoverLaunch finds the one new scan if its details prove it, now and 5 s later, and marks name only other scans',
      lists: [list('new', OLD)],
      details: { new: whole },
      marks: [['old', 'x']],
      recovery: found('new'),
      seen: { ...TWO_LOOKS, detailed: ['new', 'new'], markReads: 2, guidanceReads: 0, ms: 5_000 },
    },
    {
      name: 'recoverLaunch finds the new scan in a later list, also after lists that could not be read',
      lists: [list(OLD), AWAY, unreachable('unknown', 'reset'), invalid(200, 'not-json'), list('new', OLD)],
      details: { new: whole },
      recovery: found('new'),
      seen: { looks: [0, 1_000, 2_000, 3_000, 4_000, 9_000] },
    },
    {
      name: 'recoverLaunch finds the new scan when its details can be read',
      lists: [list('new')],
      details: { new: whole },
      detailsFromMs: 500,
      recovery: found('new'),
      seen: { looks: [0, 1_000, 6_000] },
    },
    {
      name: 'recoverLaunch finds the new scan beside scans of other changes, and does not read their details',
      lists: [list('new', { id: 'a', ...OTHER_CHANGE }, 'b', OLD)],
      details: { new: whole, b: { ...whole, ...OTHER_CHANGE } },
      recovery: found('new'),
      seen: { detailed: ['new', 'b', 'new', 'b'] },
    },
    {
      name: 'recoverLaunch reports if the scan that it found does not show its audit areas',
      lists: [list('new', OLD)],
      details: { new: { ...whole, areas: undefined } },
      recovery: found('new', false),
    },
    {
      name: 'recoverLaunch finds a scan that shows the stored guidance of the repository',
      lists: [list('new', OLD)],
      details: { new: { ...whole, guidance: { from: 'unknown', hash: hashOfText('Mind.') } } },
      stored: 'Mind.',
      recovery: found('new'),
      seen: { guidanceReads: 2 },
    },
    {
      name: 'recoverLaunch does not find a scan whose details prove nothing, whatever the list shows',
      lists: [list({ ...OLD, id: 'new' })],
      details: { new: {} },
      recovery: noMatch('cannot-tell', ['new']),
      seen: { markReads: 0 },
    },
    {
      name: 'recoverLaunch does not find a scan without an id, and reads no details',
      lists: [list({ id: undefined })],
      recovery: noMatch('cannot-tell'),
      seen: { detailed: [] },
    },
    {
      name: 'recoverLaunch does not find a scan that was listed before the launch, and reads no details',
      lists: [list(OLD)],
      details: { old: whole },
      recovery: noMatch('none'),
      seen: { detailed: [] },
    },
  ]);
});

describe('recoverLaunch reads the marks of other jobs', () => {
  const details = { new: whole, own: whole };
  testSearches([
    {
      name: 'recoverLaunch does not find a scan that a mark names',
      lists: [list('new', OLD)],
      details,
      marks: [['new']],
      recovery: noMatch('claimed', ['new']),
    },
    {
      name: 'recoverLaunch does not find a scan that a mark names at the second look',
      lists: [list('new', OLD)],
      details,
      marks: [[], ['new']],
      recovery: noMatch('claimed', ['new']),
      seen: { ms: 60_000 },
    },
    {
      name: 'recoverLaunch does not find one of several new scans that marks name',
      lists: [list('new', 'own', OLD)],
      details,
      marks: [['new', 'own']],
      recovery: noMatch('claimed', ['new', 'own']),
    },
    {
      name: 'recoverLaunch finds its own scan beside a scan that a mark names',
      lists: [list('new', 'own', OLD)],
      details,
      marks: [['new']],
      recovery: found('own'),
      seen: TWO_LOOKS,
    },
    {
      name: 'recoverLaunch finds its own scan beside a scan that a mark names and whose details cannot be read',
      lists: [list('hidden', 'own', OLD)],
      details,
      marks: [['hidden']],
      recovery: found('own'),
      seen: TWO_LOOKS,
    },
    {
      name: 'recoverLaunch finds its own scan in a later list, beside a scan that a mark named only at the first read',
      lists: [list('new', OLD), list('own', 'new', OLD)],
      details,
      marks: [['new'], []],
      recovery: found('own'),
      seen: { looks: [0, 1_000, 6_000] },
    },
    {
      name: 'recoverLaunch does not find the only scan on a page of new scans, and does not read the marks',
      lists: [page('new')],
      details,
      marks: [['new']],
      recovery: noMatch('cannot-tell', ['new']),
      seen: { markReads: 0 },
    },
    {
      name: 'recoverLaunch does not find the rest of a page of new scans, because its own scan may be on the next page',
      lists: [page('new', 'own')],
      details,
      marks: [['new']],
      recovery: noMatch('cannot-tell', ['own']),
    },
    {
      name: 'recoverLaunch does not find a scan while the marks cannot be read, and leaves the search unsettled',
      lists: [list('new', OLD)],
      details,
      marks: [undefined],
      recovery: noMatch('marks-unreadable', ['new'], false),
    },
    {
      name: 'recoverLaunch repeats both looks if the marks cannot be read at the second look',
      lists: [list('new', OLD)],
      details,
      marks: [[], undefined, []],
      recovery: found('new'),
      seen: TWICE_TWO_LOOKS,
    },
  ]);
});

describe('recoverLaunch looks a second time after 5 s', () => {
  const details = { new: whole, second: whole };
  const replaces = [list('new', OLD), list('second', OLD)] as const;
  testSearches([
    {
      name: 'recoverLaunch finds none of two scans if the second scan appears after the first look, and names both scans',
      lists: [list('new', OLD), list('second', 'new', OLD)],
      details,
      ends: { ms: 5_500, by: 'timeout' },
      recovery: noMatch('several', ['second', 'new']),
    },
    {
      name: 'recoverLaunch looks twice at a scan that replaces the first scan',
      lists: replaces,
      details,
      recovery: found('second'),
      seen: TWICE_TWO_LOOKS,
    },
    {
      name: 'recoverLaunch does not find a scan that replaces the first scan if the time ends',
      lists: replaces,
      details,
      ends: { ms: 5_500, by: 'timeout' },
      recovery: noMatch('cannot-tell', ['new']),
    },
    {
      name: 'recoverLaunch does not find a scan that disappears',
      lists: [list('new', OLD), list(OLD)],
      details,
      recovery: noMatch('none'),
    },
    {
      name: 'recoverLaunch repeats both looks if the second list cannot be read',
      lists: [list('new', OLD), AWAY, list('new', OLD)],
      details,
      recovery: found('new'),
      seen: TWICE_TWO_LOOKS,
    },
    {
      name: 'recoverLaunch names the scan and leaves the search unsettled if the second list has no answer',
      lists: [list('new', OLD), 'no answer'],
      details,
      ends: { ms: 6_000, by: 'timeout' },
      recovery: noMatch('unreadable', ['new'], false),
    },
    ...(['timeout', 'signal'] as const).map((by) => ({
      name: `recoverLaunch names the scan and leaves the search unsettled after a ${by} before the second look`,
      lists: [list('new', OLD)] as const,
      details,
      ends: { ms: 1_000, by },
      recovery: noMatch('cannot-tell', ['new'], false),
      seen: { looks: [0], ms: 1_000 },
    })),
  ]);
});

describe('recoverLaunch ends without a scan', () => {
  const several = { lists: [list('a', 'b')], details: { a: whole, b: whole } } as const;
  testSearches([
    {
      name: 'recoverLaunch looks for a minute for a scan that is not listed, with waits that grow to 10 s',
      lists: [list(OLD)],
      recovery: noMatch('none'),
      seen: { sleeps: [1_000, 2_000, 4_000, 8_000, ...Array<number>(5).fill(10_000)], ms: 60_000 },
    },
    {
      name: 'recoverLaunch looks for a minute at several scans, because a mark may still name one',
      ...several,
      recovery: noMatch('several', ['a', 'b']),
      seen: { ms: 60_000 },
    },
    {
      name: 'recoverLaunch leaves several scans unsettled after a signal, because a mark may name one later',
      ...several,
      ends: { ms: 500, by: 'signal' },
      recovery: noMatch('several', ['a', 'b'], false),
    },
    {
      name: 'recoverLaunch leaves the search unsettled after a signal, because the scan may be listed later',
      lists: [list(OLD)],
      ends: { ms: 1_000, by: 'signal' },
      recovery: noMatch('none', [], false),
    },
    {
      name: 'recoverLaunch reads the list once, however soon the time ends',
      lists: [list(OLD)],
      ends: { ms: 0, by: 'timeout' },
      recovery: noMatch('none'),
      seen: { looks: [0] },
    },
    {
      name: 'recoverLaunch trusts a list that does not show the scan and arrives as the time ends',
      lists: [list(OLD)],
      endsWithList: true,
      recovery: noMatch('none'),
    },
    {
      name: 'recoverLaunch trusts a list that does not show the scan and is 20 s old',
      lists: [list(OLD), 'no answer'],
      ends: { ms: 20_000, by: 'timeout' },
      recovery: noMatch('none'),
    },
    {
      name: 'recoverLaunch does not trust a list that does not show the scan and is older than 20 s',
      lists: [list(OLD), 'no answer'],
      ends: { ms: 20_001, by: 'timeout' },
      recovery: noMatch('unreadable', [], false),
    },
    {
      name: 'recoverLaunch names the scans of a list that is older than 20 s',
      lists: [list('a'), 'no answer'],
      recovery: noMatch('cannot-tell', ['a']),
    },
    {
      name: 'recoverLaunch leaves the search unsettled without any list',
      lists: ['no answer'],
      recovery: noMatch('unreadable', [], false),
    },
    {
      name: 'recoverLaunch waits longer while the list cannot be read, and starts again after it could be read',
      lists: [AWAY, AWAY, AWAY, list(OLD), AWAY, list('new')],
      details: { new: whole },
      random: 0.5,
      recovery: found('new'),
      seen: { sleeps: [2_000, 3_000, 5_000, 8_000, 2_000, 5_000] },
    },
    {
      name: 'recoverLaunch ends at once and unsettled if the token may not read the list',
      lists: [refused(403, 'forbidden')],
      recovery: noMatch('unreadable', [], false),
      seen: { looks: [0] },
    },
    {
      name: 'recoverLaunch names what the list showed before the token was rejected',
      lists: [list('a'), refused(401, 'unauthorized')],
      recovery: noMatch('unreadable', ['a'], false),
    },
    {
      name: 'recoverLaunch reads the list once, only to name the scans, if the list before the launch is not known',
      lists: [list({ ...OLD, id: 'x' }, 'y', OLD)],
      launch: { knownScanIds: undefined },
      recovery: noMatch('unknown-before', ['x', 'old']),
      seen: { looks: [0], detailed: [], markReads: 0 },
    },
    {
      name: 'recoverLaunch settles the search by one failed read if the list before the launch is not known',
      lists: [AWAY],
      launch: { knownScanIds: undefined },
      recovery: noMatch('unreadable'),
      seen: { looks: [0] },
    },
  ]);
});
