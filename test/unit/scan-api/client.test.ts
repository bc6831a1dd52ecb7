import nock from 'nock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanApiOptions } from '../../../src/scan-api/client.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createGuardedApi } from '../../support/guarded-api.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';

const CALL = { signal: NEVER_ABORTED };

const ORIGIN = 'https://service.test';
const TOKEN = 'svc_proj_key1_topsecret99';
const LIMITED = { error: { code: 'rate_limited', message: 'slow' } };
const INTERNAL = { error: { code: 'internal', message: 'oops' } };
const LAUNCH = { presetRef: 'diff', repositoryId: 'r', baseCommit: 'b', commit: 'c' };
const MISSING = { error: { code: 'not_found', message: 'gone' } };

let clock: FakeClock;

beforeEach(() => {
  clock = new FakeClock();
  nock.disableNetConnect();
});

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  nock.enableNetConnect();
  expect(pending).toEqual([]);
});

function api(options: Partial<ScanApiOptions> = {}) {
  return createGuardedApi({
    baseUrl: `${ORIGIN}/api/v1`,
    token: TOKEN,
    clock,
    fetch,
    random: () => 0.5,
    showMessages: async () => true,
    ...options,
  });
}

const service = () => nock(ORIGIN, { reqheaders: { authorization: `Bearer ${TOKEN}` } });

describe('an answer', () => {
  test('every escaped form of the token in an answer is hidden', async () => {
    const escaped = [...TOKEN].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const body = `{"finding":{"id":"f1","severity":"HIGH","title":"leaks ${escaped}","description":"${encodeURIComponent(TOKEN)} ${Buffer.from(TOKEN).toString('base64')}"}}`;
    service().get('/api/v1/projects/p/findings/f1').reply(200, body, { 'content-type': 'application/json' });
    const answer = await api().finding('p', 'f1', CALL);
    expect(answer).toMatchObject({
      ok: true,
      value: { title: 'leaks ***', description: expect.stringMatching(/^\*\*\* \*\*\*.{0,3}$/) },
    });
  });
});

describe('a read', () => {
  test('a read is sent up to four times, with the documented waits', async () => {
    service().get('/api/v1/token').times(3).reply(500, INTERNAL);
    service().get('/api/v1/token').reply(200, { projectId: 'p' });
    expect(await api().token(CALL)).toMatchObject({ ok: true, value: { projectId: 'p' } });
    expect(clock.sleeps).toEqual([2_000, 3_000, 5_000]);
  });

  test('after the fourth failure, a read returns the last error', async () => {
    service().get('/api/v1/token').times(4).reply(502, '<html>bad gateway</html>');
    expect(await api().token(CALL)).toMatchObject({ ok: false, error: { kind: 'invalid', status: 502 } });
  });

  test.each([408, 500, 503])('a read is retried after HTTP %i', async (status) => {
    service().get('/api/v1/token').reply(status, INTERNAL);
    service().get('/api/v1/token').reply(200, {});
    expect(await api().token(CALL)).toMatchObject({ ok: true });
  });

  test('a read is retried after HTML with status 200', async () => {
    service().get('/api/v1/token').reply(200, '<html>');
    service().get('/api/v1/token').reply(200, {});
    expect(await api().token(CALL)).toMatchObject({ ok: true });
  });

  test.each([
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
  ])('a read is not retried after HTTP %i (`%s`)', async (status, code) => {
    service()
      .get('/api/v1/token')
      .reply(status, { error: { code, message: 'm' } });
    expect(await api().token(CALL)).toMatchObject({ ok: false, error: { kind: 'refused', status, code } });
    expect(clock.sleeps).toEqual([]);
  });

  test.each([301, 302, 307, 308])('a read is retried after a redirect (%i)', async (status) => {
    service().get('/api/v1/token').times(4).reply(status, '', { location: 'https://other.test/' });
    expect(await api().token(CALL)).toMatchObject({
      ok: false,
      error: { kind: 'invalid', problem: 'redirect' },
    });
    expect(clock.sleeps).toHaveLength(3);
  });

  test('a read is not retried after an invalid certificate', async () => {
    const error = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    let calls = 0;
    const failing = async () => {
      calls += 1;
      throw new TypeError('fetch failed', { cause: error });
    };
    expect(await api({ fetch: failing }).token(CALL)).toMatchObject({
      ok: false,
      error: { cause: 'certificate' },
    });
    expect(calls).toBe(1);
  });

  test('after a 429, a read waits as long as the service asks, and after a 503 at most a minute', async () => {
    service().get('/api/v1/token').reply(429, LIMITED, { 'retry-after': '7' });
    service().get('/api/v1/token').reply(429, '<html>', { 'retry-after': '3600' });
    service().get('/api/v1/token').reply(503, INTERNAL, { 'retry-after': '3600' });
    service().get('/api/v1/token').reply(200, {});
    expect(await api().token(CALL)).toMatchObject({ ok: true });
    expect(clock.sleeps).toEqual([7_000, 3_600_000, 60_000]);
  });

  test('a read fails if a 429 advises a wait beyond the end of the run', async () => {
    const client = api({ leftMs: () => 3_600_000 - clock.now() });
    service().get('/api/v1/token').reply(429, LIMITED, { 'retry-after': '3599' });
    service().get('/api/v1/token').reply(429, LIMITED, { 'retry-after': '1' });
    expect(await client.token(CALL)).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    expect(clock.sleeps).toEqual([3_599_000]);
    // The last 429 does not delay the next call, because the run has no time for the wait that this 429 advises.
    service().get('/api/v1/token').reply(200, {});
    expect(await client.token(CALL)).toMatchObject({ ok: true });
    expect(clock.sleeps).toEqual([3_599_000]);
  });

  test('a read waits after a 503 even beyond the end of the run', async () => {
    service().get('/api/v1/token').reply(503, INTERNAL, { 'retry-after': '5' });
    service().get('/api/v1/token').reply(200, {});
    expect(await api({ leftMs: () => 1_000 }).token(CALL)).toMatchObject({ ok: true });
    expect(clock.sleeps).toEqual([5_000]);
  });

  test('a 429 for one call pauses all parallel calls', async () => {
    const started: Record<string, number> = {};
    const at = (name: string) => () => {
      started[name] = clock.now();
      return [200, { finding: {} }] as const;
    };
    service().get('/api/v1/projects/p/findings/a').reply(429, LIMITED, { 'retry-after': '30' });
    const client = api();
    const first = client.finding('p', 'a', CALL);
    service().get('/api/v1/projects/p/findings/a').reply(at('a'));
    service().get('/api/v1/projects/p/findings/b').reply(at('b'));
    while (clock.sleeps.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([first, client.finding('p', 'b', CALL)]);
    expect(started).toEqual({ a: 30_000, b: 30_000 });
  });

  test('after a 429, the client waits for `onThrottled` before it repeats a read', async () => {
    const started: number[] = [];
    const findings = () => service().get(/^\/api\/v1\/projects\/p\/findings\//);
    findings().reply(429, LIMITED, { 'retry-after': '7' });
    findings().reply(429, LIMITED, { 'retry-after': '30' });
    findings()
      .times(2)
      .reply(() => {
        started.push(clock.now());
        return [200, { finding: {} }];
      });
    const client = api();
    let throttled = 0;
    const onThrottled = async () => {
      throttled += 1;
      // Waits until the clock shows that the seven seconds of the first 429 are over.
      while (clock.now() < 7_000) await new Promise((resolve) => setImmediate(resolve));
      await client.finding('p', 'b', CALL);
    };
    expect(await client.finding('p', 'a', { ...CALL, onThrottled })).toMatchObject({ ok: true });
    expect({ throttled, started }).toEqual({ throttled: 1, started: [37_000, 37_000] });
  });

  test('a call that waits after a 429 waits longer if another call gets a 429', async () => {
    const still = new FakeClock({ auto: false });
    const advised = ['7', '30'];
    const sent: number[] = [];
    const limiting = async () => {
      sent.push(still.now());
      const seconds = advised.shift();
      return seconds === undefined
        ? Response.json({ finding: {} })
        : Response.json(LIMITED, { status: 429, headers: { 'retry-after': seconds } });
    };
    const until = async (isSo: () => boolean) => {
      for (let turns = 0; turns < 1_000 && !isSo(); turns += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const client = api({ clock: still, fetch: limiting });
    let other: Promise<unknown> | undefined;
    const onThrottled = async () => {
      await until(() => still.sleeps.length === 1);
      other = client.finding('p', 'b', CALL);
      // The call for finding `a` continues while the call for finding `b` still waits.
      await until(() => still.sleeps.includes(30_000));
    };
    const first = client.finding('p', 'a', { ...CALL, onThrottled });
    await until(() => still.sleeps.length === 2);
    await still.advance(7_000);
    await until(() => still.sleeps.length === 4 || sent.length > 2);
    await still.advance(30_000);
    expect([await first, await other]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(sent).toEqual([0, 7_000, 37_000, 37_000]);
  });

  test('a call stops waiting when its signal aborts', async () => {
    const controller = new AbortController();
    const still = new FakeClock({ auto: false });
    service()
      .get('/api/v1/token')
      .reply(() => {
        setImmediate(() => controller.abort(new Stop('timeout')));
        return [500, INTERNAL];
      });
    expect(await api({ clock: still }).token({ signal: controller.signal })).toMatchObject({
      ok: false,
      error: { kind: 'stopped', by: 'timeout' },
    });
  });
});

describe('ids', () => {
  test('an id is one segment of the path', async () => {
    const paths: string[] = [];
    const recording = async (input: Parameters<typeof globalThis.fetch>[0]) => {
      paths.push(String(input));
      return Response.json({ scan: { status: 'QUEUED' } });
    };
    await api({ fetch: recording }).scan('a/../b', 'x?y#z', CALL);
    expect(paths).toEqual([`${ORIGIN}/api/v1/projects/a%2F..%2Fb/scans/x%3Fy%23z`]);
  });

  test('a call with an unusable id throws an error, and sends no request', async () => {
    await expect(api().scan('p', '..', CALL)).rejects.toThrow('unusable id');
  });
});

describe('a launch', () => {
  const launch = () => service().post('/api/v1/projects/p/scans', LAUNCH);

  test('a launch sends one request', async () => {
    launch().reply(202, { scanId: 's' }, { date: 'Thu, 15 Jan 2026 12:00:03 GMT' });
    expect(await api().launch('p', LAUNCH, CALL)).toEqual({
      ok: true,
      value: { scanId: 's', acceptedAt: new Date('2026-01-15T12:00:03Z') },
    });
  });

  test.each([
    ['status 200', 200, { scanId: 's' }],
    ['status 201', 201, { scanId: 's' }],
    ['an unusable id', 202, { scanId: '..' }],
    ['no id', 202, []],
  ])('a launch is not sent again after an invalid answer (%s)', async (_what, status, answer) => {
    launch().reply(status, answer);
    expect(await api().launch('p', LAUNCH, CALL)).toMatchObject({
      ok: false,
      error: { kind: 'invalid', status },
    });
  });

  test.each([429, 500, 503])('a launch is not sent again after HTTP %i', async (status) => {
    launch().reply(status, INTERNAL);
    expect(await api().launch('p', LAUNCH, CALL)).toMatchObject({ ok: false, error: { status } });
  });

  test('a launch is not sent if its signal has aborted', async () => {
    const signal = AbortSignal.abort(new Stop('signal'));
    expect(await api().launch('p', LAUNCH, { signal })).toMatchObject({
      ok: false,
      error: { kind: 'stopped', sent: 'no', by: 'signal' },
    });
  });
});

describe('a scan', () => {
  test("a scan is read in one attempt, and the service's advice to wait is returned", async () => {
    service()
      .get('/api/v1/projects/p/scans/s')
      .reply(200, { scan: { status: 'QUEUED' } }, { 'retry-after': '3600' });
    service().get('/api/v1/projects/p/scans/s').reply(500, INTERNAL);
    const client = api();
    expect(await client.scan('p', 's', CALL)).toMatchObject({ ok: true, value: { retryAfterMs: 600_000 } });
    expect(await client.scan('p', 's', CALL)).toMatchObject({ ok: false, error: { status: 500 } });
  });

  test('readScan is retried after a 503, but not after a 404', async () => {
    service().get('/api/v1/projects/p/scans/s').times(3).reply(503, INTERNAL);
    service()
      .get('/api/v1/projects/p/scans/s')
      .reply(200, { scan: { id: 's', status: 'COMPLETED' } });
    expect(await api().readScan('p', 's', CALL)).toMatchObject({ ok: true, value: { status: 'COMPLETED' } });
    service().get('/api/v1/projects/p/scans/s').reply(404, MISSING);
    expect(await api().readScan('p', 's', CALL)).toMatchObject({ error: { status: 404 } });
  });
});

describe('the newest scans', () => {
  const query = { page: '1', limit: '100' };
  const page = (items: object[], total: number) => ({ items, page: 1, limit: 100, total });

  test('the newest scans are read from one page', async () => {
    service()
      .get('/api/v1/projects/p/scans')
      .query(query)
      .reply(200, page([{ id: 's2', status: 'QUEUED' }, { scanId: 's1' }], 3));
    const answer = await api().scans('p', CALL);
    expect(answer).toMatchObject({ ok: true, value: { complete: false } });
    expect(answer.ok && answer.value.scans.map(({ id }) => id)).toEqual(['s2', 's1']);
  });

  test('the newest scans are requested a second time if the first answer is an error or malformed', async () => {
    service().get('/api/v1/projects/p/scans').query(query).times(2).reply(500, INTERNAL);
    expect(await api().scans('p', CALL)).toMatchObject({ ok: false, error: { operation: 'list the scans' } });
    service().get('/api/v1/projects/p/scans').query(query).times(2).reply(200, { items: 'none' });
    expect(await api().scans('p', CALL)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    service().get('/api/v1/projects/p/scans').query(query).reply(200, page([], 0));
    expect(await api().scans('p', CALL)).toEqual({ ok: true, value: { scans: [], complete: true } });
  });
});

describe('cancelling a scan', () => {
  test("a cancellation does not wait for another call's rate limit", async () => {
    const client = api();
    service().get('/api/v1/projects/p/scans/s').reply(429, LIMITED, { 'retry-after': '3600' });
    expect(await client.scan('p', 's', CALL)).toMatchObject({ ok: false });
    service()
      .post('/api/v1/projects/p/scans/s/cancel')
      .reply(200, { scanId: 's', status: 'CANCELLED', cancelledJobs: 2 });
    expect(await client.cancel('p', 's', CALL)).toEqual({ ok: true, value: undefined });
    expect(clock.sleeps).toEqual([]);
  });

  test('a cancellation waits for its own rate limit', async () => {
    service().post('/api/v1/projects/p/scans/s/cancel').reply(429, LIMITED, { 'retry-after': '7' });
    service()
      .post('/api/v1/projects/p/scans/s/cancel')
      .reply(200, { scanId: 's', status: 'CANCELLED', cancelledJobs: 2 });
    expect(await api().cancel('p', 's', CALL)).toEqual({ ok: true, value: undefined });
    expect(clock.sleeps).toEqual([7_000]);
  });

  test('a cancellation is retried after an ambiguous answer', async () => {
    service().post('/api/v1/projects/p/scans/s/cancel').reply(503, INTERNAL);
    service()
      .post('/api/v1/projects/p/scans/s/cancel')
      .reply(200, { scanId: 's', status: 'CANCELLED', cancelledJobs: 2 });
    expect(await api().cancel('p', 's', CALL)).toEqual({ ok: true, value: undefined });
  });

  test('a cancellation is not retried after a refusal', async () => {
    service()
      .post('/api/v1/projects/p/scans/s/cancel')
      .reply(400, { error: { code: 'bad_request', message: 'terminal' } });
    expect(await api().cancel('p', 's', CALL)).toMatchObject({ ok: false, error: { code: 'bad_request' } });
  });
});

describe('publishing a scan', () => {
  const publish = () => service().post('/api/v1/projects/p/scans/s/publish', { withPassword: true });

  test('the address of a published page is on the same server as the API', async () => {
    publish().reply(200, { artifactId: 'a', publicId: 'pub/1', accessPassword: 'pw' });
    expect(await api().publish('p', 's', true, CALL)).toEqual({
      ok: true,
      value: { publicId: 'pub/1', accessPassword: 'pw', gated: true, url: `${ORIGIN}/public/scans/pub%2F1` },
    });
  });

  test('a publication is not retried if the service may have published the page', async () => {
    publish().reply(500, INTERNAL);
    expect(await api().publish('p', 's', true, CALL)).toMatchObject({ ok: false, error: { status: 500 } });
  });

  test('a publication is retried twice after a 429', async () => {
    publish().times(3).reply(429, LIMITED);
    expect(await api().publish('p', 's', true, CALL)).toMatchObject({ ok: false, error: { status: 429 } });
    expect(clock.sleeps).toHaveLength(2);
  });
});

describe('findings', () => {
  test('the findings of a scan are read from all pages, a hundred per page', async () => {
    const page = (number: number, ids: readonly string[]) =>
      service()
        .get('/api/v1/projects/p/findings')
        .query({ scanId: 's&x=1', page: number, limit: 100 })
        .reply(200, { items: ids.map((id) => ({ id, severity: 'HIGH' })), page: number, limit: 2, total: 3 });
    page(1, ['a', 'b']);
    page(2, ['c']);
    const answer = await api().findings('p', 's&x=1', CALL);
    expect(answer.ok && answer.value.map(({ id, severity }) => [id, severity.level])).toEqual([
      ['a', 'high'],
      ['b', 'high'],
      ['c', 'high'],
    ]);
  });

  test.each([
    [1_000, 0],
    [1_001, 1],
  ])('for a list of %i findings, the client calls `onLongList` %i times', async (total, times) => {
    const asked: string[] = [];
    service()
      .get('/api/v1/projects/p/findings')
      .query(true)
      .reply(200, { items: [{ id: 'a', severity: 'HIGH' }], page: 1, limit: 100, total });
    service()
      .get('/api/v1/projects/p/findings')
      .query(({ page }) => page !== '1')
      .times(4)
      .reply(() => {
        asked.push('page');
        return [401, { error: { code: 'unauthorized', message: '' } }];
      });
    const onLongList = () => void asked.push('long');
    expect(await api({ onLongList }).findings('p', 's', CALL)).toMatchObject({ ok: false });
    expect(asked.slice(0, times)).toEqual(Array.from({ length: times }, () => 'long'));
    expect(asked.filter((what) => what === 'long')).toHaveLength(times);
  });

  test('with `isPaid`, a page of findings is read again after any failure', async () => {
    const list = () => service().get('/api/v1/projects/p/findings').query(true);
    list().reply(404, MISSING);
    list().reply(401, { error: { code: 'unauthorized', message: '' } });
    list().times(4).reply(503, INTERNAL);
    list().reply(200, { items: [], page: 1, limit: 100, total: 0 });
    const options = { ...CALL, isPaid: true };
    expect(await api({ random: () => 0 }).findings('p', 's', options)).toEqual({ ok: true, value: [] });
    expect(clock.sleeps).toEqual([2_000, ...Array<number>(5).fill(10_000)]);
  });

  test('with `isPaid`, a page of findings that stays unreadable is an error', async () => {
    service().get('/api/v1/projects/p/findings').query(true).times(20).reply(503, INTERNAL);
    const options = { ...CALL, isPaid: true };
    expect(await api().findings('p', 's', options)).toMatchObject({ ok: false, error: { status: 503 } });
  });

  test('a finding in the list can have its id in the member `findingId`', async () => {
    const items = (...ids: string[]) => ids.map((findingId) => ({ findingId, severity: 'HIGH' }));
    for (const [page, ids] of [
      ['1', ['a', 'b']],
      ['2', ['b', 'c']],
    ] as const) {
      service()
        .get('/api/v1/projects/p/findings')
        .query({ scanId: 's', page, limit: 100 })
        .reply(200, { items: items(...ids), page: Number(page), limit: 2, total: 3 });
    }
    const answer = await api().findings('p', 's', CALL);
    expect(answer.ok && answer.value.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('a finding that is too large to read becomes a placeholder', async () => {
    const large = JSON.stringify({ items: [{ id: 'b', description: 'x'.repeat(11 * 1024 * 1024) }] });
    const list = (limit: number, page = 1) =>
      service().get('/api/v1/projects/p/findings').query({ scanId: 's', page, limit });
    const single = (page: number, id: string) =>
      list(1, page).reply(200, { items: [{ id, severity: 'LOW' }], page, limit: 1, total: 3 });
    list(100).reply(200, large);
    list(10).reply(200, large);
    single(1, 'a');
    list(1, 2).reply(200, large);
    single(3, 'c');
    const answer = await api().findings('p', 's', CALL);
    expect(answer.ok && answer.value.map(({ id, severity }) => [id, severity.level])).toEqual([
      ['a', 'low'],
      ['c', 'low'],
      [undefined, 'unknown'],
    ]);
    expect(answer.ok && answer.value[2]).toMatchObject({
      title: 'Finding 2 of the scan is too large to read',
      description: expect.stringContaining('larger than 10 MiB'),
    });
  });

  test('a list of findings is rejected if an entry is not an object', async () => {
    service()
      .get('/api/v1/projects/p/findings')
      .query(true)
      .times(4)
      .reply(200, { items: ['a'], page: 1, limit: 100, total: 1 });
    expect(await api().findings('p', 's', CALL)).toMatchObject({
      ok: false,
      error: { problem: 'wrong-shape' },
    });
  });

  test('an answer with the detail of another finding is rejected', async () => {
    service()
      .get('/api/v1/projects/p/findings/a')
      .reply(200, { finding: { id: 'b' } });
    expect(await api().finding('p', 'a', CALL)).toMatchObject({
      ok: false,
      error: { problem: 'wrong-shape' },
    });
  });
});

test('a sample of findings is read from the first page in at most two attempts', async () => {
  const path = '/api/v1/projects/p/findings?page=1&limit=10';
  const item = { id: 'f1', severity: 'HIGH', title: 'T' };
  service().get(path).reply(500, INTERNAL);
  service()
    .get(path)
    .reply(200, { items: [item], page: 1, limit: 10, total: 900 });
  expect(await api().sampleFindings('p', CALL)).toMatchObject({ ok: true, value: [{ id: 'f1' }] });
  service().get(path).times(2).reply(500, INTERNAL);
  expect(await api().sampleFindings('p', CALL)).toMatchObject({ ok: false, error: { code: 'internal' } });
});

test('a sample of findings has one finding if a page of ten is too large', async () => {
  const large = JSON.stringify({ padding: 'x'.repeat(11 * 1024 * 1024) });
  service().get('/api/v1/projects/p/findings?page=1&limit=10').reply(200, large);
  service()
    .get('/api/v1/projects/p/findings?page=1&limit=1')
    .reply(200, { items: [{ id: 'f1' }], page: 1, limit: 1, total: 900 });
  expect(await api().sampleFindings('p', CALL)).toMatchObject({ ok: true, value: [{ id: 'f1' }] });
});
