import { describe, expect, test } from 'vitest';
import type { PendingLaunch } from '../../../src/domain/pending-launch.ts';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { ListedScan, Scan, ScanList } from '../../../src/domain/scan.ts';
import type { ScanSubject } from '../../../src/domain/scan-subject.ts';
import { Stop } from '../../../src/domain/stop.ts';
import { recoverLaunch } from '../../../src/scan/recover-launch.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { aScan, BASE, HEAD, invalid, polled, refused, unreachable } from './fake-api.ts';
import { pendingLaunch, subject, whole } from './sample-subject.ts';

type Listed = Result<ScanList, ApiError>;
type Claimed = ReadonlySet<string> | undefined;

const OTHER = 'c'.repeat(40);

function listOf(...ids: (string | (Partial<ListedScan> & { id: string | undefined }))[]) {
  const { progress: _, ...nothing } = aScan('RUNNING');
  const scans = ids.map((id) => ({ ...nothing, ...(typeof id === 'string' ? { id } : id) }));
  return ok<ScanList>({ scans, complete: true });
}
const pageOf = (...ids: Parameters<typeof listOf>) =>
  ok<ScanList>({ scans: listOf(...ids).value.scans, complete: false });
const OLD = { id: 'old', ...whole };
const HIDDEN = {
  repositoryId: undefined,
  presetRef: undefined,
  creditBudget: undefined,
  areas: undefined,
  guidance: undefined,
};
const NONE: Claimed = new Set();

interface Options {
  /** The details of each scan. A scan that is missing here cannot be read. */
  readonly details?: Readonly<Record<string, Partial<Scan> | undefined>>;
  /** The scans that marks name, for each look that reads them; the last one repeats. */
  readonly claimed?: readonly Claimed[];
  readonly pending?: Partial<PendingLaunch>;
  /** The guidance that is stored for the repository; by default it cannot be read. */
  readonly stored?: Result<string | null, ApiError>;
  readonly signalAfterMs?: number;
  readonly timeoutAfterMs?: number;
  readonly random?: () => number;
}

/** Searches for a minute, as the run does. @param lists the answers in order; the last one repeats */
async function search(lists: readonly [Listed, ...Listed[]], options: Options = {}) {
  const { details = {}, claimed = [NONE], signalAfterMs, timeoutAfterMs = 60_000 } = options;
  const clock = new FakeClock();
  const limit = new AbortController();
  const cause = signalAfterMs === undefined ? 'timeout' : 'signal';
  void clock.sleep(signalAfterMs ?? timeoutAfterMs).then(() => limit.abort(new Stop(cause)));
  clock.sleeps.pop();
  const looks: number[] = [];
  const detailed: string[] = [];
  let claims = 0;
  let guidanceReads = 0;
  const found = await recoverLaunch(
    {
      api: {
        scans: async (_project, { signal }) => {
          expect(signal).toBe(limit.signal);
          const answer = lists[Math.min(looks.length, lists.length - 1)];
          looks.push(clock.now());
          return answer ?? lists[0];
        },
        scan: async (_project, id, { signal }) => {
          expect(signal).toBe(limit.signal);
          detailed.push(id);
          const shown = details[id];
          return shown === undefined ? refused(500, 'internal') : polled(aScan('QUEUED', { ...shown, id }));
        },
        guidance: async (project, repository, { signal }) => {
          expect([project, repository, signal]).toEqual(['p', 'r', limit.signal]);
          guidanceReads += 1;
          return options.stored ?? refused(403, 'forbidden');
        },
      },
      clock,
      signal: limit.signal,
      random: options.random ?? (() => 0),
      readClaimedScans: async () => {
        claims += 1;
        return claimed[Math.min(claims, claimed.length) - 1];
      },
    },
    { ...pendingLaunch, ...options.pending },
  );
  return { found, looks, detailed, claims, guidanceReads, sleeps: clock.sleeps, ms: clock.now() };
}

/** A search that gets the given lists, and ends while it waits for the next one. */
async function cutShort(lists: readonly Listed[], endsAfterMs: number, options: Options = {}) {
  const clock = new FakeClock({ auto: false });
  const limit = new AbortController();
  const stopped = { kind: 'stopped', operation: 'list the scans', sent: 'unknown', by: 'timeout' } as const;
  const given = [...lists];
  const found = recoverLaunch(
    {
      api: {
        scans: async () => {
          const list = given.shift();
          if (list !== undefined) return list;
          await clock.sleep(60_000, limit.signal);
          return err(stopped);
        },
        scan: async (_project, id) => {
          const shown = options.details?.[id];
          return shown === undefined ? refused(500, 'internal') : polled(aScan('QUEUED', { ...shown, id }));
        },
        guidance: () => expect.unreachable(),
      },
      clock,
      signal: limit.signal,
      random: () => 0,
      readClaimedScans: async () => NONE,
    },
    pendingLaunch,
  );
  await clock.advance(endsAfterMs);
  limit.abort(new Stop('timeout'));
  return await found;
}

describe('recoverLaunch: the scan of a launch without an answer', () => {
  test('finds the scan if its details prove it, now and again 5 s later', async () => {
    const { found, looks, detailed, claims, ms } = await search([listOf('new', OLD)], {
      details: { new: whole },
    });
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
    expect({ looks, detailed, claims, ms }).toEqual({
      looks: [0, 5_000],
      detailed: ['new', 'new'],
      claims: 2,
      ms: 5_000,
    });
  });

  test('finds a scan that appears late, after lists that could not be read', async () => {
    const lists: [Listed, ...Listed[]] = [
      listOf(OLD),
      refused(500, 'internal', { operation: 'list the scans' }),
      unreachable('unknown', 'reset'),
      invalid(200, 'not-json'),
      listOf('new', OLD),
    ];
    const { found, looks } = await search(lists, { details: { new: whole } });
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
    expect(looks).toHaveLength(6);
  });

  test('finds the scan next to new scans of other changes', async () => {
    const lists = listOf('new', { id: 'a', headSha: OTHER }, 'b', OLD);
    const details = { new: whole, b: { ...whole, baseSha: OTHER } };
    const { found, detailed } = await search([lists], { details });
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
    // The list already shows that `a` differs.
    expect(new Set(detailed)).toEqual(new Set(['new', 'b']));
  });

  test('finds the scan after its details could not be read at first', async () => {
    let reads = 0;
    const details = {
      get new() {
        reads += 1;
        return reads === 1 ? undefined : whole;
      },
    };
    const { found, looks } = await search([listOf('new')], { details });
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
    expect(looks).toEqual([0, 1_000, 6_000]);
  });

  test('finds the scan in a project without others, with the areas and guidance that were sent', async () => {
    const guidance = 'd'.repeat(64);
    const scope = { areas: ['login'], guidance };
    const shown = { ...whole, areas: ['login'], guidance: { from: 'unknown', hash: guidance } } as const;
    expect(
      await search([listOf('new')], {
        pending: { knownScanIds: [], subject: { ...subject, ...scope } },
        details: { new: shown },
      }),
    ).toMatchObject({ found: { kind: 'found', scanId: 'new' } });
  });
});

describe('recoverLaunch: a scan that does not show its scope', () => {
  const cancelled = { kind: 'found', scanId: 'new', scopeShown: false };

  test.each<[string, Partial<ScanSubject>, Partial<Scan>]>([
    ['its areas are not shown', {}, { areas: undefined }],
    ['its guidance is not shown', {}, { guidance: undefined }],
    ['only its base and commit are shown', {}, HIDDEN],
    ['areas were sent but are not shown', { areas: ['login'] }, HIDDEN],
    ['guidance was sent but is not shown', { guidance: 'd'.repeat(64) }, HIDDEN],
    ['guidance was sent but its text is not shown', { guidance: 'd' }, { guidance: { from: 'launch' } }],
    ['fields were sent that no scan shows', { sendsMore: true }, {}],
  ])('finds the scan only in order to cancel it if %s', async (_what, sent, shown) => {
    const { found, guidanceReads } = await search([listOf('new', OLD)], {
      pending: { subject: { ...subject, ...sent } },
      details: { new: { ...whole, ...shown } },
    });
    expect(found).toEqual(cancelled);
    expect(guidanceReads).toBe(0);
  });

  test('does not find the scan if a mark names it', async () => {
    const details = { new: { ...whole, ...HIDDEN } };
    expect(await search([listOf('new', OLD)], { details, claimed: [new Set(['new'])] })).toMatchObject({
      found: { why: 'claimed' },
    });
  });

  test('does not find the scan if two of them are new', async () => {
    const details = { new: { ...whole, ...HIDDEN }, other: whole };
    expect(await search([listOf('new', 'other', OLD)], { details })).toMatchObject({
      found: { why: 'several' },
    });
  });
});

describe('guidance whose text the service shows', () => {
  const text = (guidance: string): Partial<Scan> => ({
    ...whole,
    guidance: { from: 'unknown', hash: hashOfText(guidance) },
  });

  test('counts shown guidance as none if it is the stored one', async () => {
    const { found, guidanceReads } = await search([listOf('new', OLD)], {
      details: { new: text('Mind.') },
      stored: ok('Mind.'),
    });
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
    expect(guidanceReads).toBe(2);
  });

  test('compares shown guidance next to a scan that shows none', async () => {
    const other = { ...whole, headSha: OTHER, guidance: undefined };
    const { found } = await search([listOf('other', 'new', OLD)], {
      details: { other, new: text('Mind.') },
      stored: ok('Mind.'),
    });
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
  });

  test.each<[string, Result<string | null, ApiError>]>([
    ['another text is stored', ok('Report nothing.')],
    ['no text is stored', ok(null)],
    ['the stored text cannot be read', refused(403, 'forbidden')],
  ])('does not accept shown guidance if %s', async (_what, stored) => {
    expect(await search([listOf('new', OLD)], { details: { new: text('Mind.') }, stored })).toMatchObject({
      found: { why: 'cannot-tell', ids: ['new'] },
    });
  });

  test('does not compare shown guidance with the stored one if the launch sent its own', async () => {
    const { found, guidanceReads } = await search([listOf('new', OLD)], {
      pending: { subject: { ...subject, guidance: hashOfText('Mine.') } },
      details: { new: text('Mind.') },
      stored: ok('Mind.'),
    });
    expect(found).toMatchObject({ why: 'none' });
    expect(guidanceReads).toBe(0);
  });
});

describe('recoverLaunch: a scan that is not proven', () => {
  test.each<[string, Partial<Scan>]>([
    ['nothing', {}],
    ['an abbreviated commit', { ...whole, headSha: HEAD.slice(0, 7) }],
    ['an abbreviated base', { ...whole, baseSha: BASE.slice(0, 12) }],
    ['no commit', { ...whole, headSha: undefined }],
    ['guidance of unknown origin', { ...whole, guidance: { from: 'unknown', hash: 'd' } }],
  ])('does not find the scan if its details show %s, whatever the list shows', async (_what, shown) => {
    const { found, looks, claims } = await search([listOf({ id: 'new', ...whole })], {
      details: { new: shown },
    });
    expect(found).toEqual({ kind: 'no-match', why: 'cannot-tell', ids: ['new'], settled: true });
    expect(looks.length).toBeGreaterThan(5);
    expect(claims).toBe(0);
  });

  test.each<[string, Partial<Scan>]>([
    ['fewer areas', { areas: ['login'] }],
    ['guidance of another launch', { guidance: { from: 'launch' } }],
    ['another budget', { creditBudget: 500 }],
    [
      'a smaller budget, shown only in its progress',
      { creditBudget: undefined, progress: { ...aScan('QUEUED').progress, reservedCredits: 10 } },
    ],
    ['another preset', { presetRef: 'full' }],
    ['another repository', { repositoryId: 'q' }],
  ])('does not find the scan of another user with %s', async (_what, shown) => {
    expect(await search([listOf('new')], { details: { new: { ...whole, ...shown } } })).toMatchObject({
      found: { kind: 'no-match', why: 'none', ids: [] },
    });
  });

  test('does not find the scan if its details can never be read', async () => {
    expect(await search([listOf({ id: 'new', ...whole })])).toMatchObject({
      found: { why: 'cannot-tell', ids: ['new'] },
    });
  });

  test('does not find the scan if another new one cannot be compared', async () => {
    expect(await search([listOf('new', 'unseen')], { details: { new: whole } })).toMatchObject({
      found: { why: 'cannot-tell', ids: ['new', 'unseen'] },
    });
  });

  test('does not find a scan without an id, and requests no details', async () => {
    const { found, detailed } = await search([listOf({ id: undefined })]);
    expect(found).toMatchObject({ why: 'cannot-tell', ids: [] });
    expect(detailed).toEqual([]);
  });

  test('does not find a scan that was listed before the launch', async () => {
    const { found, detailed } = await search([listOf(OLD)], { details: { old: whole } });
    expect(found).toEqual({ kind: 'no-match', why: 'none', ids: [], settled: true });
    expect(detailed).toEqual([]);
  });

  test('does not find the scan if a page of new scans may hide another one', async () => {
    const details = { new: whole };
    expect(await search([pageOf('new')], { details })).toMatchObject({
      found: { why: 'cannot-tell', ids: ['new'] },
    });
    expect(await search([pageOf('new', OLD)], { details })).toMatchObject({ found: { kind: 'found' } });
  });

  test('does not find the scan if one look would have to read more than twenty', async () => {
    const crowd = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const details = Object.fromEntries(crowd.map((id) => [id, { headSha: OTHER }]));
    const { found, detailed } = await search([listOf(...crowd)], { details, signalAfterMs: 500 });
    expect(detailed).toHaveLength(20);
    expect(found).toMatchObject({ why: 'cannot-tell' });
  });
});

describe('recoverLaunch: a scan that a proven mark names', () => {
  const claimed = new Set(['new']);

  test('does not find a scan that a mark names at the first look', async () => {
    const { found, looks } = await search([listOf('new', OLD)], {
      details: { new: whole },
      claimed: [claimed],
    });
    expect(found).toEqual({ kind: 'no-match', why: 'claimed', ids: ['new'], settled: true });
    expect(looks.length).toBeGreaterThan(5);
  });

  test('does not find a scan that a mark names at the second look, 5 s later', async () => {
    const { found, claims } = await search([listOf('new', OLD)], {
      details: { new: whole },
      claimed: [NONE, claimed],
    });
    expect(found).toMatchObject({ why: 'claimed', ids: ['new'] });
    expect(claims).toBeGreaterThan(2);
  });

  test('finds its own scan, which appears later, next to a claimed one', async () => {
    const details = { new: whole, ours: whole };
    const lists: [Listed, ...Listed[]] = [listOf('new', OLD), listOf('ours', 'new', OLD)];
    expect(await search(lists, { details, claimed: [claimed] })).toMatchObject({
      found: { kind: 'found', scanId: 'ours' },
    });
  });

  test('finds its own scan, which was listed from the start, next to a claimed one', async () => {
    const { found, looks } = await search([listOf('new', 'ours', OLD)], {
      details: { new: whole, ours: whole },
      claimed: [claimed],
    });
    expect(found).toEqual({ kind: 'found', scanId: 'ours', scopeShown: true });
    expect(looks).toEqual([0, 5_000]);
  });

  test('remembers a claimed scan after its job launched again and replaced the mark', async () => {
    const { found, looks } = await search([listOf('new', OLD), listOf('new', 'ours', OLD)], {
      details: { new: whole, ours: whole },
      claimed: [claimed, NONE],
    });
    expect(found).toEqual({ kind: 'found', scanId: 'ours', scopeShown: true });
    expect(looks).toEqual([0, 1_000, 6_000]);
  });

  test('ignores marks of other scans', async () => {
    expect(
      await search([listOf('new', OLD)], { details: { new: whole }, claimed: [new Set(['old', 'x'])] }),
    ).toMatchObject({ found: { kind: 'found', scanId: 'new' } });
  });

  test('finds no scan if all new scans are claimed', async () => {
    expect(
      await search([listOf('a', 'b', OLD)], {
        details: { a: whole, b: whole },
        claimed: [new Set(['a', 'b'])],
      }),
    ).toMatchObject({ found: { why: 'claimed', ids: ['a', 'b'] } });
  });

  test('finds no scan if all new scans on a full page are claimed', async () => {
    const claimedBoth = [new Set(['a', 'b'])];
    const details = { a: whole, b: whole };
    expect(await search([pageOf('a', 'b')], { details, claimed: claimedBoth })).toMatchObject({
      found: { why: 'claimed', ids: ['a', 'b'] },
    });
  });

  test('finds no scan on a full page, whatever the marks name', async () => {
    for (const marks of [claimed, NONE])
      expect(await search([pageOf('new')], { details: { new: whole }, claimed: [marks] })).toMatchObject({
        found: { kind: 'no-match', why: 'cannot-tell', ids: ['new'] },
        claims: 0,
      });
  });

  test('finds no scan among the rest of a full page, because its own may be on the next one', async () => {
    const { found } = await search([pageOf('new', 'other')], {
      details: { new: whole, other: whole },
      claimed: [claimed],
    });
    expect(found).toMatchObject({ kind: 'no-match', why: 'cannot-tell', ids: ['other'] });
  });
});

describe('recoverLaunch, if the marks cannot be read', () => {
  test('leaves the launch unknown, and the search unsettled', async () => {
    const { found } = await search([listOf('new', OLD)], { details: { new: whole }, claimed: [undefined] });
    expect(found).toEqual({ kind: 'no-match', why: 'marks-unreadable', ids: ['new'], settled: false });
  });

  test('repeats both looks if only the second cannot read the marks', async () => {
    const { found, looks } = await search([listOf('new', OLD)], {
      details: { new: whole },
      claimed: [NONE, undefined, NONE, NONE],
    });
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
    expect(looks).toEqual([0, 5_000, 6_000, 11_000]);
  });

  test('leaves several scans unknown, too', async () => {
    expect(
      await search([listOf('a', 'b', OLD)], { details: { a: whole, b: whole }, claimed: [undefined] }),
    ).toMatchObject({ found: { why: 'marks-unreadable', ids: ['a', 'b'], settled: false } });
  });
});

describe('recoverLaunch between the two looks', () => {
  const details = { new: whole, second: whole };

  test('finds no scan if a second one appears that matches', async () => {
    const { found } = await search([listOf('new', OLD), listOf('second', 'new', OLD)], { details });
    expect(found).toEqual({ kind: 'no-match', why: 'several', ids: ['second', 'new'], settled: true });
  });

  test('finds no scan if one appears that cannot be compared', async () => {
    const { found } = await search([listOf('new', OLD), listOf('unseen', 'new', OLD)], { details });
    expect(found).toMatchObject({ why: 'cannot-tell', ids: ['unseen', 'new'] });
  });

  test('looks twice at a second scan that replaces the first', async () => {
    const { found, looks } = await search([listOf('new', OLD), listOf('second', OLD)], { details });
    expect(found).toEqual({ kind: 'found', scanId: 'second', scopeShown: true });
    expect(looks).toEqual([0, 5_000, 6_000, 11_000]);
  });

  test('finds no scan if a second one replaces the first and the time ends', async () => {
    const { found } = await search([listOf('new', OLD), listOf('second', OLD)], {
      details,
      timeoutAfterMs: 5_500,
    });
    expect(found).toEqual({ kind: 'no-match', why: 'cannot-tell', ids: ['new'], settled: true });
  });

  test('names both scans if a second one appears and the time ends', async () => {
    const { found } = await search([listOf('new', OLD), listOf('second', 'new', OLD)], {
      details,
      timeoutAfterMs: 5_500,
    });
    expect(found).toEqual({ kind: 'no-match', why: 'several', ids: ['second', 'new'], settled: true });
  });

  test('does not find a scan that disappears', async () => {
    expect(await search([listOf('new', OLD), listOf(OLD)], { details })).toMatchObject({
      found: { why: 'none', ids: [] },
    });
  });

  test('repeats both looks if the list cannot be read', async () => {
    const { found, looks } = await search(
      [listOf('new', OLD), refused(500, 'internal'), listOf('new', OLD)],
      { details },
    );
    expect(found).toEqual({ kind: 'found', scanId: 'new', scopeShown: true });
    expect(looks).toEqual([0, 5_000, 6_000, 11_000]);
  });

  test.each(['timeout', 'signal'] as const)(
    'names the scan, leaves the search unsettled and ends after a %s',
    async (cause) => {
      const end = cause === 'signal' ? { signalAfterMs: 1_000 } : { timeoutAfterMs: 1_000 };
      const { found, looks, ms } = await search([listOf('new', OLD)], { details, ...end });
      expect(found).toEqual({ kind: 'no-match', why: 'cannot-tell', ids: ['new'], settled: false });
      expect({ looks, ms }).toEqual({ looks: [0], ms: 1_000 });
    },
  );

  test('does the same if the time ends while it waits for the second list', async () => {
    expect(await cutShort([listOf('new', OLD)], 6_000, { details })).toEqual({
      kind: 'no-match',
      why: 'unreadable',
      ids: ['new'],
      settled: false,
    });
  });
});

describe('recoverLaunch, if it finds nothing', () => {
  test.each([
    ['an old list', [listOf(OLD)], 59_000, 'unreadable', []],
    ['a list that is twenty seconds old', [listOf(OLD)], 20_000, 'none', []],
    ['a list that is a moment old', [listOf(OLD)], 1_500, 'none', []],
    ['an old list with a scan that could be it', [listOf('a')], 59_000, 'cannot-tell', ['a']],
    ['no list', [], 1_500, 'unreadable', []],
  ] as const)('judges the last list by its age: %s', async (_when, lists, endsAfterMs, why, ids) => {
    expect(await cutShort(lists, endsAfterMs)).toEqual({
      kind: 'no-match',
      why,
      ids,
      settled: why !== 'unreadable',
    });
  });

  test('ends settled after a minute, with waits that grow to ten seconds', async () => {
    const { found, sleeps, ms } = await search([listOf(OLD)]);
    expect(found).toEqual({ kind: 'no-match', why: 'none', ids: [], settled: true });
    expect(sleeps.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(sleeps.length).toBeLessThan(10);
    expect(ms).toBe(60_000);
  });

  test('leaves the search unsettled if the list cannot be read, and waits between requests', async () => {
    const { found, looks } = await search([refused(500, 'internal')]);
    expect(found).toEqual({ kind: 'no-match', why: 'unreadable', ids: [], settled: false });
    expect(looks.length).toBeLessThanOrEqual(60);
  });

  test('waits longer while the list cannot be read, and starts again after it could be read', async () => {
    const away = refused(500, 'internal');
    const { sleeps } = await search([away, away, away, listOf(OLD), away, listOf('new')], {
      random: () => 0.5,
      details: { new: whole },
    });
    expect(sleeps).toEqual([2_000, 3_000, 5_000, 8_000, 2_000, 5_000]);
  });

  test('ends at once if the token may not read the list', async () => {
    const { found, looks } = await search([refused(403, 'forbidden')]);
    expect(found).toMatchObject({ why: 'unreadable', settled: false });
    expect(looks).toHaveLength(1);
  });

  test('leaves the search unsettled if the list can no longer be read, and names what it showed before', async () => {
    const { found } = await search([listOf('a'), refused(401, 'unauthorized')]);
    expect(found).toEqual({ kind: 'no-match', why: 'unreadable', ids: ['a'], settled: false });
  });

  test('settles the search by a list that arrived as the time ended', async () => {
    const limit = new AbortController();
    const found = await recoverLaunch(
      {
        api: {
          scans: async () => {
            limit.abort(new Stop('timeout'));
            return listOf(OLD);
          },
          scan: async () => refused(500, 'internal'),
          guidance: () => expect.unreachable(),
        },
        clock: new FakeClock(),
        signal: limit.signal,
        random: () => 0,
        readClaimedScans: async () => NONE,
      },
      pendingLaunch,
    );
    expect(found).toEqual({ kind: 'no-match', why: 'none', ids: [], settled: true });
  });

  test('looks until the end at several scans, because a mark may still claim one', async () => {
    const { found, looks } = await search([listOf('a', 'b')], { details: { a: whole, b: whole } });
    expect(found).toEqual({ kind: 'no-match', why: 'several', ids: ['a', 'b'], settled: true });
    expect(looks.length).toBeGreaterThan(5);
  });

  test('leaves the search unsettled after a signal if there are several scans, because a mark may claim one later', async () => {
    const { found } = await search([listOf('a', 'b')], {
      details: { a: whole, b: whole },
      signalAfterMs: 500,
    });
    expect(found).toMatchObject({ why: 'several', settled: false });
  });

  test('looks once for the ids to name if it is not known which scans are new', async () => {
    const { found, looks, detailed, claims } = await search([listOf({ id: 'x', ...whole }, 'y')], {
      pending: { knownScanIds: undefined },
      details: { x: whole, y: whole },
    });
    expect(found).toEqual({ kind: 'no-match', why: 'unknown-before', ids: ['x'], settled: true });
    expect({ looks, detailed, claims }).toEqual({ looks: [0], detailed: [], claims: 0 });
  });

  test('settles the search even if the list cannot be read and it is not known which scans are new', async () => {
    const { found, looks } = await search([refused(500, 'internal')], {
      pending: { knownScanIds: undefined },
    });
    expect(found).toEqual({ kind: 'no-match', why: 'unreadable', ids: [], settled: true });
    expect(looks).toEqual([0]);
  });

  test('names the new scans if the subject was too large to be saved', async () => {
    expect(
      await search([listOf('new', OLD)], { pending: { subject: undefined }, details: { new: whole } }),
    ).toMatchObject({ found: { why: 'cannot-tell', ids: ['new'] } });
  });

  test('leaves the search unsettled after a signal, because the scan may appear later', async () => {
    const { found } = await search([listOf(OLD)], { signalAfterMs: 1_000 });
    expect(found).toMatchObject({ why: 'none', settled: false });
  });

  test('looks once, however soon a signal comes', async () => {
    const { found, looks } = await search([listOf(OLD)], { signalAfterMs: 0 });
    expect(found).toMatchObject({ settled: false });
    expect(looks).toHaveLength(1);
  });
});
