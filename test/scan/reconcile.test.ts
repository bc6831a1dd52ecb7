import { describe, expect, test } from 'vitest';
import type { LaunchIntent } from '../../src/domain/launch-intent.ts';
import { err, ok } from '../../src/domain/result.ts';
import type { ListedScan, Scan, ScanList } from '../../src/domain/scan.ts';
import { Stop } from '../../src/domain/stop.ts';
import { reconcile } from '../../src/scan/reconcile.ts';
import type { PolledScan } from '../../src/scan-api/client.ts';
import { FakeClock } from '../fake-clock.ts';
import { answers, aScan, BASE, HEAD, nonsense, polled, refused, unreachable } from './stand-in-api.ts';

type Listed = Parameters<typeof answers<ScanList>>[number];
type Polled = Parameters<typeof answers<PolledScan>>[number];

const whole = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD };
const intent: LaunchIntent = { projectId: 'p', headSha: HEAD, noted: ['old'], wanted: whole };

function listOf(...scans: (Partial<ListedScan> & { id: string })[]) {
  const { progress: _, ...nothing } = aScan('RUNNING');
  return ok<ScanList>({ scans: scans.map((scan) => ({ ...nothing, ...scan })), complete: true });
}
const OLD = { id: 'old', ...whole };
const detailOf = (id: string, shown: Partial<Scan>) => polled({ ...aScan('QUEUED', shown), id });

/** Searches for a minute, as the run does. */
async function search(
  lists: readonly Listed[] | { readonly always: Listed },
  options: {
    details?: readonly Polled[];
    intent?: Partial<LaunchIntent>;
    signalAfterMs?: number;
    random?: () => number;
  } = {},
) {
  const clock = new FakeClock();
  const limit = new AbortController();
  const [ms, cause] =
    options.signalAfterMs === undefined
      ? [60_000, 'timeout' as const]
      : [options.signalAfterMs, 'signal' as const];
  void clock.sleep(ms).then(() => limit.abort(new Stop(cause)));
  clock.sleeps.pop();
  const list = 'always' in lists ? async () => lists.always : answers<ScanList>(...lists);
  let looks = 0;
  const detail = answers<PolledScan>(...(options.details ?? []));
  const found = await reconcile(
    {
      api: {
        scans: (projectId) => {
          looks += 1;
          return list(projectId);
        },
        scan: detail,
      },
      clock,
      signal: limit.signal,
      random: options.random ?? (() => 0),
    },
    { ...intent, ...options.intent },
  );
  return { found, looks, details: detail.calls.map(([, id]) => id), sleeps: clock.sleeps, ms: clock.now() };
}

/** A search whose time ends while it waits for a list: before that it gets the given ones. */
async function cutShort(lists: readonly Listed[], endsAfterMs: number) {
  const clock = new FakeClock({ auto: false });
  const limit = new AbortController();
  const stopped = { kind: 'stopped', operation: 'list the scans', sent: 'unknown', by: 'timeout' } as const;
  const given = [...lists];
  const found = reconcile(
    {
      api: {
        scans: async () => {
          const list = given.shift();
          if (list !== undefined) return list;
          await clock.sleep(60_000, limit.signal);
          return err(stopped);
        },
        scan: async () => refused(500, 'internal'),
      },
      clock,
      signal: limit.signal,
      random: () => 0,
    },
    intent,
  );
  await clock.advance(endsAfterMs);
  limit.abort(new Stop('timeout'));
  return await found;
}

describe('looking for a lost launch', () => {
  test('finds it at the first look', async () => {
    expect(await search([listOf({ id: 'new', ...whole }, OLD)])).toMatchObject({
      found: { kind: 'found', scanId: 'new' },
      sleeps: [],
    });
  });

  test('finds one that shows up late, and lists that fail meanwhile do not end it', async () => {
    const lists = [
      listOf(OLD),
      refused(500, 'internal', { operation: 'list the scans' }),
      unreachable('unknown', 'reset'),
      nonsense(200, 'not-json'),
      listOf({ id: 'new', ...whole }, OLD),
    ];
    expect(await search(lists)).toMatchObject({ found: { kind: 'found', scanId: 'new' }, looks: 5 });
  });

  test('asks for the details of what the list shows too little of, and of nothing else', async () => {
    const lists = [listOf({ id: 'new' }, { id: 'other', commit: 'c'.repeat(40) }, OLD)];
    expect(await search(lists, { details: [detailOf('new', whole)] })).toMatchObject({
      found: { kind: 'found', scanId: 'new' },
      details: ['new'],
    });
  });

  test('asks again for details that could not be read', async () => {
    const lists = [listOf({ id: 'new' }), listOf({ id: 'new' })];
    const lost = unreachable('unknown', 'reset');
    expect(await search(lists, { details: [lost, detailOf('new', whole)] })).toMatchObject({
      found: { kind: 'found' },
      details: ['new', 'new'],
    });
  });

  test('asks for no details of a scan without an id', async () => {
    const { progress: _, ...nothing } = aScan('RUNNING');
    const list = ok<ScanList>({ scans: [{ ...nothing, id: undefined }], complete: true });
    expect(await search([list], { signalAfterMs: 500 })).toMatchObject({
      found: { why: 'cannot-tell', ids: [] },
      details: [],
    });
  });

  test('asks for at most twenty details at a look, and tells no more apart', async () => {
    const crowd = Array.from({ length: 30 }, (_, index) => ({ id: `n${index}` }));
    const elsewhere = crowd.map(({ id }) => detailOf(id, { commit: 'c'.repeat(40) }));
    const { found, details } = await search([listOf(...crowd)], { details: elsewhere, signalAfterMs: 500 });
    expect(details).toHaveLength(20);
    expect(found).toMatchObject({ why: 'cannot-tell' });
  });
});

describe('a search that finds nothing', () => {
  test.each([
    ['long before its end is not the last word', [listOf(OLD)], 59_000, 'unreadable', []],
    ['of twenty seconds before its end is', [listOf(OLD)], 20_000, 'none', []],
    ['of a moment before its end is', [listOf(OLD)], 1_500, 'none', []],
    ['that showed one in question still names it', [listOf({ id: 'a' })], 59_000, 'cannot-tell', ['a']],
    ['that never came tells nothing', [], 1_500, 'unreadable', []],
  ] as const)('a list from %s', async (_when, lists, endsAfterMs, why, ids) => {
    expect(await cutShort(lists, endsAfterMs)).toEqual({
      kind: 'undecided',
      why,
      ids,
      settled: why !== 'unreadable',
    });
  });

  test('ends after a minute, with waits that grow to ten seconds, and is settled', async () => {
    const { found, sleeps, ms } = await search({ always: listOf(OLD) });
    expect(found).toEqual({ kind: 'undecided', why: 'none', ids: [], settled: true });
    expect(sleeps.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(sleeps.length).toBeLessThan(10);
    expect(ms).toBe(60_000);
  });

  test('because the list cannot be read is not settled, and never hammers the service', async () => {
    const { found, looks } = await search({ always: refused(500, 'internal') });
    expect(found).toEqual({ kind: 'undecided', why: 'unreadable', ids: [], settled: false });
    expect(looks).toBeLessThanOrEqual(60);
  });

  test('looks more and more rarely while the list cannot be read, and anew once it could be', async () => {
    const away = refused(500, 'internal');
    const { sleeps } = await search([away, away, away, listOf(OLD), away, listOf({ id: 'new', ...whole })], {
      random: () => 0.5,
    });
    expect(sleeps).toEqual([2_000, 3_000, 5_000, 8_000, 2_000]);
  });

  test('because the token may not read it ends at once', async () => {
    const { found, looks } = await search([refused(403, 'forbidden')]);
    expect(found).toMatchObject({ why: 'unreadable', settled: false });
    expect(looks).toBe(1);
  });

  test('that could once be read and then not any more is not settled', async () => {
    const { found } = await search([listOf(OLD), refused(401, 'unauthorized')]);
    expect(found).toMatchObject({ why: 'unreadable', settled: false });
  });

  test('but several ends at once: they do not become fewer', async () => {
    const { found, looks } = await search([listOf({ id: 'a', ...whole }, { id: 'b', ...whole })]);
    expect(found).toEqual({ kind: 'undecided', why: 'several', ids: ['a', 'b'], settled: true });
    expect(looks).toBe(1);
  });

  test('but several is settled even by a signal', async () => {
    const api = {
      scans: answers<ScanList>(listOf({ id: 'a', ...whole }, { id: 'b', ...whole })),
      scan: answers<PolledScan>(),
    };
    const signal = AbortSignal.abort(new Stop('signal'));
    expect(await reconcile({ api, clock: new FakeClock(), signal }, intent)).toMatchObject({
      why: 'several',
      settled: true,
    });
  });

  test('but a scan of which nothing can be seen names it, and looks again till the end', async () => {
    const { found, looks } = await search(
      { always: listOf({ id: 'new' }) },
      { details: Array.from({ length: 20 }, () => detailOf('new', {})) },
    );
    expect(found).toEqual({ kind: 'undecided', why: 'cannot-tell', ids: ['new'], settled: true });
    expect(looks).toBeGreaterThan(5);
  });

  test('since nothing was noted looks once, for the ids to name', async () => {
    const { found, looks } = await search([listOf({ id: 'x', ...whole }, { id: 'y' })], {
      intent: { noted: undefined },
    });
    expect(found).toEqual({ kind: 'undecided', why: 'not-noted', ids: ['x'], settled: true });
    expect(looks).toBe(1);
  });

  test('since nothing was noted is settled even where the list cannot be read: no look would tell', async () => {
    const { found, looks } = await search([refused(500, 'internal')], { intent: { noted: undefined } });
    expect(found).toEqual({ kind: 'undecided', why: 'unreadable', ids: [], settled: true });
    expect(looks).toBe(1);
  });

  test('before a signal ends it is not settled: the scan may show up later', async () => {
    const { found } = await search({ always: listOf(OLD) }, { signalAfterMs: 1_000 });
    expect(found).toMatchObject({ why: 'none', settled: false });
  });
});
