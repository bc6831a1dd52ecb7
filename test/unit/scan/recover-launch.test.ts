import { describe, expect, test } from 'vitest';
import { err, ok, type Result, Stop } from '../../../src/domain/result.ts';
import type { ListedScan, PendingLaunch, Scan, ScanList } from '../../../src/domain/scan.ts';
import type { NoMatch } from '../../../src/scan/match-new-scans.ts';
import { type Recovery, recoverLaunch } from '../../../src/scan/recover-launch.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { aScan, invalid, polled, refused, stopped, unreachable } from './fake-api.ts';
import { pendingLaunch, whole } from './sample-subject.ts';

/** The result of a read of the scan list. A read without an answer lasts until the search ends. */
type List = Result<ScanList, ApiError> | 'no answer';

interface Search {
  readonly name: string;
  /** The answer to each read of the list; the last one repeats. */
  readonly lists: readonly [List, ...List[]];
  /** What the details of a scan show, by id. The details of a scan without an entry cannot be read. */
  readonly details?: Readonly<Record<string, Partial<Scan>>>;
  /** Before this time, no details can be read. */
  readonly detailsFromMs?: number;
  /** The ids in the marks at each read; the last entry repeats. Undefined: that read of the marks fails. */
  readonly marks?: readonly (readonly string[] | undefined)[];
  /** How the launch differs from `pendingLaunch`. */
  readonly launch?: Partial<PendingLaunch>;
  /** The guidance that is stored for the repository. By default, it cannot be read. */
  readonly stored?: string;
  /** When and how the search ends. By default, the search ends after a minute, as in a run. */
  readonly ends?: { readonly ms: number; readonly by: 'timeout' | 'signal' };
  /** The search ends when the first list arrives. */
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
  // `test.each` would shorten the names of the tests.
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

/** A complete list. If only the id of a scan is given, the list shows nothing else of that scan. */
function list(...scans: readonly Shown[]) {
  const { progress: _, ...nothing } = aScan('RUNNING');
  const rows = scans.map((scan) => ({ ...nothing, ...(typeof scan === 'string' ? { id: scan } : scan) }));
  return ok<ScanList>({ scans: rows, complete: true });
}
/** The first page of a list. Pages with older scans follow. */
const page = (...scans: readonly Shown[]) =>
  ok<ScanList>({ scans: list(...scans).value.scans, complete: false });

const found = (scanId: string, scopeShown = true) =>
  ({ kind: 'found', scanId, createdAt: undefined, scopeShown }) as const;
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
      name: 'recoverLaunch finds the only new scan if its details match the launch in two reads 5 s apart',
      lists: [list('new', OLD)],
      details: { new: whole },
      marks: [['old', 'x']],
      recovery: found('new'),
      seen: { ...TWO_LOOKS, detailed: ['new', 'new'], markReads: 2, guidanceReads: 0, ms: 5_000 },
    },
    {
      name: 'recoverLaunch finds the new scan after several failed reads of the list',
      lists: [list(OLD), AWAY, unreachable('unknown', 'reset'), invalid(200, 'not-json'), list('new', OLD)],
      details: { new: whole },
      recovery: found('new'),
      seen: { looks: [0, 1_000, 2_000, 3_000, 4_000, 9_000] },
    },
    {
      name: 'recoverLaunch finds a new scan whose details cannot be read at first',
      lists: [list('new')],
      details: { new: whole },
      detailsFromMs: 500,
      recovery: found('new'),
      seen: { looks: [0, 1_000, 6_000] },
    },
    {
      name: 'recoverLaunch finds the new scan beside scans of other changes',
      lists: [list('new', { id: 'a', ...OTHER_CHANGE }, 'b', OLD)],
      details: { new: whole, b: { ...whole, ...OTHER_CHANGE } },
      recovery: found('new'),
      seen: { detailed: ['new', 'b', 'new', 'b'] },
    },
    {
      name: 'recoverLaunch finds a scan that does not show its audit areas',
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
      name: 'recoverLaunch does not find a scan whose details are empty',
      lists: [list({ ...OLD, id: 'new' })],
      details: { new: {} },
      recovery: noMatch('cannot-tell', ['new']),
      seen: { markReads: 0 },
    },
    {
      name: 'recoverLaunch does not find a scan that has no id',
      lists: [list({ id: undefined })],
      recovery: noMatch('cannot-tell'),
      seen: { detailed: [] },
    },
    {
      name: 'recoverLaunch ignores a scan that was listed before the launch',
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
      name: 'recoverLaunch does not find a scan that a mark of another job names',
      lists: [list('new', OLD)],
      details,
      marks: [['new']],
      recovery: noMatch('claimed', ['new']),
    },
    {
      name: 'recoverLaunch does not find a scan that gets a mark of another job between the two reads',
      lists: [list('new', OLD)],
      details,
      marks: [[], ['new']],
      recovery: noMatch('claimed', ['new']),
      seen: { ms: 60_000 },
    },
    {
      name: 'recoverLaunch finds no scan if marks of other jobs name all new scans',
      lists: [list('new', 'own', OLD)],
      details,
      marks: [['new', 'own']],
      recovery: noMatch('claimed', ['new', 'own']),
    },
    {
      name: "recoverLaunch finds the run's own scan beside a scan that a mark of another job names",
      lists: [list('new', 'own', OLD)],
      details,
      marks: [['new']],
      recovery: found('own'),
      seen: TWO_LOOKS,
    },
    {
      name: "recoverLaunch finds the run's own scan beside a scan of another job whose details cannot be read",
      lists: [list('hidden', 'own', OLD)],
      details,
      marks: [['hidden']],
      recovery: found('own'),
      seen: TWO_LOOKS,
    },
    {
      name: "recoverLaunch finds the run's own scan beside a scan whose mark has disappeared",
      lists: [list('new', OLD), list('own', 'new', OLD)],
      details,
      marks: [['new'], []],
      recovery: found('own'),
      seen: { looks: [0, 1_000, 6_000] },
    },
    {
      name: 'recoverLaunch does not find the only new scan if the next page may list another new scan',
      lists: [page('new')],
      details,
      marks: [['new']],
      recovery: noMatch('cannot-tell', ['new']),
      seen: { markReads: 0 },
    },
    {
      name: 'recoverLaunch does not find the only unmarked scan if the next page may list another new scan',
      lists: [page('new', 'own')],
      details,
      marks: [['new']],
      recovery: noMatch('cannot-tell', ['own']),
    },
    {
      name: 'recoverLaunch asks for another search if the marks cannot be read',
      lists: [list('new', OLD)],
      details,
      marks: [undefined],
      recovery: noMatch('marks-unreadable', ['new'], false),
    },
    {
      name: 'recoverLaunch repeats both reads of the list if the second read of the marks fails',
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
      name: 'recoverLaunch finds no scan if the second list adds a new scan',
      lists: [list('new', OLD), list('second', 'new', OLD)],
      details,
      ends: { ms: 5_500, by: 'timeout' },
      recovery: noMatch('several', ['second', 'new']),
    },
    {
      name: 'recoverLaunch reads two more lists if the new scan in the second list differs from the first',
      lists: replaces,
      details,
      recovery: found('second'),
      seen: TWICE_TWO_LOOKS,
    },
    {
      name: 'recoverLaunch does not find a new scan that only one list shows',
      lists: replaces,
      details,
      ends: { ms: 5_500, by: 'timeout' },
      recovery: noMatch('cannot-tell', ['new']),
    },
    {
      name: 'recoverLaunch does not find a scan that the second list does not show',
      lists: [list('new', OLD), list(OLD)],
      details,
      recovery: noMatch('none'),
    },
    {
      name: 'recoverLaunch repeats both reads if the second read of the list fails',
      lists: [list('new', OLD), AWAY, list('new', OLD)],
      details,
      recovery: found('new'),
      seen: TWICE_TWO_LOOKS,
    },
    {
      name: 'recoverLaunch asks for another search if the second read of the list gets no answer',
      lists: [list('new', OLD), 'no answer'],
      details,
      ends: { ms: 6_000, by: 'timeout' },
      recovery: noMatch('unreadable', ['new'], false),
    },
    ...(['timeout', 'signal'] as const).map((by) => ({
      name: `recoverLaunch asks for another search if a ${by} comes before the second read of the list`,
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
      name: 'recoverLaunch searches for a minute if no new scan is listed',
      lists: [list(OLD)],
      recovery: noMatch('none'),
      seen: { sleeps: [1_000, 2_000, 4_000, 8_000, ...Array<number>(5).fill(10_000)], ms: 60_000 },
    },
    {
      name: 'recoverLaunch searches for a minute if several scans match',
      ...several,
      recovery: noMatch('several', ['a', 'b']),
      seen: { ms: 60_000 },
    },
    {
      name: 'after a signal, recoverLaunch names all matching scans',
      ...several,
      ends: { ms: 500, by: 'signal' },
      recovery: noMatch('several', ['a', 'b'], false),
    },
    {
      name: 'after a signal, recoverLaunch asks for another search',
      lists: [list(OLD)],
      ends: { ms: 1_000, by: 'signal' },
      recovery: noMatch('none', [], false),
    },
    {
      name: 'recoverLaunch reads the list once if there is no time left',
      lists: [list(OLD)],
      ends: { ms: 0, by: 'timeout' },
      recovery: noMatch('none'),
      seen: { looks: [0] },
    },
    {
      name: 'recoverLaunch uses a list that arrives just as the time limit ends',
      lists: [list(OLD)],
      endsWithList: true,
      recovery: noMatch('none'),
    },
    {
      name: 'recoverLaunch trusts a list that is 20 s old',
      lists: [list(OLD), 'no answer'],
      ends: { ms: 20_000, by: 'timeout' },
      recovery: noMatch('none'),
    },
    {
      name: 'recoverLaunch does not trust a list that is older than 20 s',
      lists: [list(OLD), 'no answer'],
      ends: { ms: 20_001, by: 'timeout' },
      recovery: noMatch('unreadable', [], false),
    },
    {
      name: 'recoverLaunch names the new scans of an old list',
      lists: [list('a'), 'no answer'],
      recovery: noMatch('cannot-tell', ['a']),
    },
    {
      name: 'recoverLaunch asks for another search if no read of the list gets an answer',
      lists: ['no answer'],
      recovery: noMatch('unreadable', [], false),
    },
    {
      name: 'recoverLaunch waits longer after each consecutive failed read of the list',
      lists: [AWAY, AWAY, AWAY, list(OLD), AWAY, list('new')],
      details: { new: whole },
      random: 0.5,
      recovery: found('new'),
      seen: { sleeps: [2_000, 3_000, 5_000, 8_000, 2_000, 5_000] },
    },
    {
      name: 'recoverLaunch stops if the token may not read the list',
      lists: [refused(403, 'forbidden')],
      recovery: noMatch('unreadable', [], false),
      seen: { looks: [0] },
    },
    {
      name: 'recoverLaunch names the scans that were listed before the token was rejected',
      lists: [list('a'), refused(401, 'unauthorized')],
      recovery: noMatch('unreadable', ['a'], false),
    },
    {
      name: 'without the ids of earlier scans, recoverLaunch names the scans of this commit',
      lists: [list({ ...OLD, id: 'x' }, 'y', OLD)],
      launch: { knownScanIds: undefined },
      recovery: noMatch('unknown-before', ['x', 'old']),
      seen: { looks: [0], detailed: [], markReads: 0 },
    },
    {
      name: 'without the ids of earlier scans, recoverLaunch stops after a failed read',
      lists: [AWAY],
      launch: { knownScanIds: undefined },
      recovery: noMatch('unreadable'),
      seen: { looks: [0] },
    },
  ]);
});
