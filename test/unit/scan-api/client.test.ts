import { describe, expect, test } from 'vitest';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanApi, ScanApiOptions } from '../../../src/scan-api/client.ts';
import { answering, conversation, type Prepared, type Reply } from '../../support/answering.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createGuardedApi } from '../../support/guarded-api.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { shown } from '../../support/shown.ts';

const CALL = { signal: NEVER_ABORTED };
const STOPPED = { signal: AbortSignal.abort(new Stop('signal')) };
const BASE_URL = 'https://service.test/api/v1';
const TOKEN = 'svc_proj_key1_topsecret99';
const LAUNCH = { presetRef: 'diff', repositoryId: 'r', baseCommit: 'b', commit: 'c' };

const refusal = (status: number, code: string): Reply => [status, { error: { code, message: 'm' } }];
const limited = (seconds?: number): Reply => [
  429,
  { error: { code: 'rate_limited', message: 'slow' } },
  seconds === undefined ? {} : { 'retry-after': String(seconds) },
];
const INTERNAL = refusal(500, 'internal');
const DOWN = refusal(503, 'internal');
const MISSING = refusal(404, 'not_found');
const HTML: Reply = [502, '<html>bad gateway</html>'];
const TOO_LARGE: Reply = [200, ' '.repeat(11 * 1024 * 1024)];
const CANCELLED: Reply = [200, { scanId: 's', status: 'CANCELLED', cancelledJobs: 2 }];
const times = (count: number, reply: Reply): Reply[] => Array.from({ length: count }, () => reply);
const page = (items: readonly unknown[], total: number, number = 1, limit = 100): Reply => [
  200,
  { items, page: number, limit, total },
];
const finding = (id: string) => ({ id, severity: 'HIGH' });

function api(options: Partial<ScanApiOptions> & { fetch: typeof fetch }): ScanApi {
  return createGuardedApi({
    baseUrl: BASE_URL,
    token: TOKEN,
    clock: new FakeClock(),
    random: () => 0.5,
    showMessages: async () => true,
    ...options,
  });
}

type Call = (client: ScanApi) => Promise<unknown>;
const token: Call = (client) => client.token(CALL);
const scan: Call = (client) => client.scan('p', 's', CALL);
const readScan: Call = (client) => client.readScan('p', 's', CALL);
const scans: Call = (client) => client.scans('p', CALL);
const launch: Call = (client) => client.launch('p', LAUNCH, CALL);
const cancel: Call = (client) => client.cancel('p', 's', CALL);
const publish: Call = (client) => client.publish('p', 's', true, CALL);
const findings: Call = (client) => client.findings('p', 's&x=1', CALL);
const paidFindings: Call = (client) => client.findings('p', 's', { ...CALL, isPaid: true });
const oneFinding: Call = (client) => client.finding('p', 'a', CALL);
const sample: Call = (client) => client.sampleFindings('p', CALL);
const twice =
  (one: Call, other: Call = one): Call =>
  async (client) => [await one(client), await other(client)];

/** What the service answers, and the call that asks it. `what` says what is special about the answers. */
type Row = readonly [what: string, call: Call, ...replies: readonly Prepared[]];

async function described(
  [what, call, ...replies]: Row,
  options: Partial<ScanApiOptions> = {},
): Promise<string> {
  const clock = new FakeClock();
  const { fetch, asked, bodies, ends } = answering(replies, BASE_URL);
  const value = await call(api({ clock, ...options, fetch }));
  const requests = asked.map((request, index) => {
    const body = bodies[index];
    return body === undefined ? request : `${request} ${shown(body)}`;
  });
  return conversation(what, requests, ends, clock.sleeps, shown(value));
}

const certificate = new TypeError('fetch failed', {
  cause: Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
});
const ESCAPED = [...TOKEN].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const LEAK = `{"finding":{"id":"a","severity":"HIGH","title":"leaks ${ESCAPED}","description":"${encodeURIComponent(TOKEN)} ${Buffer.from(TOKEN).toString('base64')}"}}`;
const OK: Reply = [200, { projectId: 'p' }];

const ROWS: readonly Row[] = [
  ['every escaped form of the token', oneFinding, [200, LEAK, { 'content-type': 'application/json' }]],
  ['three failures', token, ...times(3, INTERNAL), OK],
  ['four failures', token, ...times(4, HTML)],
  ['HTML with status 200', token, [200, '<html>'], OK],
  ['a refusal', token, refusal(403, 'forbidden')],
  ['an invalid certificate', token, certificate],
  [
    'a wait that the service asks for',
    token,
    limited(7),
    [429, '<html>', { 'retry-after': '3600' }],
    [503, DOWN[1], { 'retry-after': '3600' }],
    OK,
  ],

  ['a launch', launch, [202, { scanId: 's' }, { date: 'Thu, 15 Jan 2026 12:00:03 GMT' }]],
  ...[200, 201].map((status): Row => [`a launch with status ${status}`, launch, [status, { scanId: 's' }]]),
  ['a launch with an unusable id', launch, [202, { scanId: '..' }]],
  ['a launch without an id', launch, [202, []]],
  ...[429, 500, 503].map((status): Row => [`a launch with ${status}`, launch, refusal(status, 'internal')]),

  [
    'a scan, and how long to wait',
    twice(scan),
    [200, { scan: { status: 'QUEUED' } }, { 'retry-after': '3600' }],
    INTERNAL,
  ],
  [
    'a scan that is read patiently',
    readScan,
    ...times(3, DOWN),
    [200, { scan: { id: 's', status: 'COMPLETED' } }],
  ],
  ['a scan that is gone', readScan, MISSING],
  ['the newest scans', scans, page([{ id: 's2', status: 'QUEUED' }, { scanId: 's1' }], 3)],
  ['no scans', scans, page([], 0)],
  ['the newest scans, unreadable', scans, ...times(4, INTERNAL)],
  ['the newest scans, malformed', scans, ...times(4, [200, { items: 'none' }])],

  ["a launch after another call's rate limit", twice(scan, launch), limited(3600), [202, { scanId: 's' }]],
  ["a cancellation after another call's rate limit", twice(scan, cancel), limited(3600), CANCELLED],
  ['a cancellation with a rate limit', cancel, limited(7), CANCELLED],
  ['a cancellation with an ambiguous answer', cancel, DOWN, CANCELLED],
  ['a cancellation that is refused', cancel, refusal(400, 'bad_request')],

  ['a publication', publish, [200, { artifactId: 'a', publicId: 'pub/1', accessPassword: 'pw' }]],
  ['a publication with an ambiguous answer', publish, INTERNAL],
  ['a publication with rate limits', publish, ...times(3, limited())],

  [
    'findings on two pages',
    findings,
    page([finding('a'), finding('b')], 3, 1, 2),
    page([finding('c')], 3, 2, 2),
  ],
  [
    'findings with another name of the id',
    findings,
    page([{ findingId: 'a' }, { findingId: 'b' }], 3, 1, 2),
    page([{ findingId: 'b' }, { findingId: 'c' }], 3, 2, 2),
  ],
  [
    'findings that are paid for',
    paidFindings,
    MISSING,
    refusal(401, 'unauthorized'),
    ...times(4, DOWN),
    page([], 0),
  ],
  ['findings that are paid for and stay unreadable', paidFindings, ...times(20, DOWN)],
  [
    'a finding that is too large',
    findings,
    ...times(2, TOO_LARGE),
    page([finding('a')], 3, 1, 1),
    TOO_LARGE,
    page([finding('c')], 3, 3, 1),
  ],
  ['an entry that is no object', findings, ...times(4, page(['a'], 1))],
  ['another finding', oneFinding, ...times(4, [200, { finding: { id: 'b' } }])],
  ['a sample', sample, INTERNAL, page([finding('a')], 900, 1, 10)],
  ['a sample that stays unreadable', sample, ...times(2, INTERNAL)],
  ['a sample that is too large', sample, TOO_LARGE, page([finding('a')], 900, 1, 1)],
  [
    'ids with other characters',
    (client) => client.scan('a/../b', 'x?y#z', CALL),
    [200, { scan: { status: 'QUEUED' } }],
  ],
  [
    'a stopped run',
    twice(
      (client) => client.launch('p', LAUNCH, STOPPED),
      (client) => client.token(STOPPED),
    ),
  ],
];

test('each call sends what is safe to send again, and waits as long as the service asks', async () => {
  const lines = await Promise.all(ROWS.map((row) => described(row)));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/client.txt');
});

test('a call with an unusable id throws an error, and sends no request', async () => {
  const { fetch, asked } = answering([], BASE_URL);
  await expect(api({ fetch }).scan('p', '..', CALL)).rejects.toThrow('unusable id');
  expect(asked).toEqual([]);
});

describe('a wait', () => {
  test('a read fails if a 429 advises a wait beyond the end of the run', async () => {
    const clock = new FakeClock();
    const leftMs = () => 3_600_000 - clock.elapsed();
    // The last 429 does not delay the next call, because the run has no time for the wait that this 429 advises.
    const { fetch } = answering([limited(3599), limited(1), OK], BASE_URL);
    const client = api({ clock, leftMs, fetch });
    expect(await client.token(CALL)).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    expect(await client.token(CALL)).toMatchObject({ ok: true });
    expect(clock.sleeps).toEqual([3_599_000]);
  });

  test('a read waits after a 503 even beyond the end of the run', async () => {
    const row: Row = ['503', token, [503, {}, { 'retry-after': '5' }], OK];
    expect(await described(row, { leftMs: () => 1_000 })).toContain('waits 5000 ms');
  });

  /** A client whose first calls get a 429 with this advice. `sent` has the times of the later calls. */
  function throttled(...advised: readonly number[]) {
    const clock = new FakeClock();
    const sent: number[] = [];
    const at = (): Reply => {
      sent.push(clock.elapsed());
      return [200, { finding: {} }];
    };
    const { fetch } = answering([...advised.map(limited), at, at], BASE_URL);
    return { clock, sent, client: api({ clock, fetch }) };
  }

  test('a 429 for one call pauses all parallel calls', async () => {
    const { clock, sent, client } = throttled(30);
    const first = client.finding('p', 'a', CALL);
    while (clock.sleeps.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([first, client.finding('p', 'b', CALL)]);
    expect(sent).toEqual([30_000, 30_000]);
  });

  test('after a 429, the client waits for `onThrottled` before it repeats a read', async () => {
    const { clock, sent, client } = throttled(7, 30);
    let count = 0;
    const onThrottled = async () => {
      count += 1;
      // Waits until the clock shows that the seven seconds of the first 429 are over.
      while (clock.elapsed() < 7_000) await new Promise((resolve) => setImmediate(resolve));
      await client.finding('p', 'b', CALL);
    };
    expect(await client.finding('p', 'a', { ...CALL, onThrottled })).toMatchObject({ ok: true });
    expect({ count, sent }).toEqual({ count: 1, sent: [37_000, 37_000] });
  });

  test('a call stops waiting when its signal aborts', async () => {
    const controller = new AbortController();
    const failing = (): Reply => {
      setImmediate(() => controller.abort(new Stop('timeout')));
      return INTERNAL;
    };
    const { fetch } = answering([failing], BASE_URL);
    const client = api({ clock: new FakeClock({ auto: false }), fetch });
    expect(await client.token({ signal: controller.signal })).toMatchObject({
      ok: false,
      error: { kind: 'stopped', by: 'timeout' },
    });
  });
});

test.each([
  [1_000, 0],
  [1_001, 1],
])('for a list of %i findings, the client calls `onLongList` %i times', async (total, count) => {
  const events: string[] = [];
  const further = (): Reply => {
    events.push('page');
    return refusal(401, 'unauthorized');
  };
  const { fetch } = answering([page([finding('a')], total), ...Array(4).fill(further)], BASE_URL);
  const client = api({ fetch, onLongList: () => void events.push('long') });
  expect(await client.findings('p', 's', CALL)).toMatchObject({ ok: false });
  expect(events.slice(0, count)).toEqual(Array(count).fill('long'));
  expect(events.filter((one) => one === 'long')).toHaveLength(count);
});
