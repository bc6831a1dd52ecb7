import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Stop } from '../../../src/domain/result.ts';
import { createHttp, routeOf } from '../../../src/scan-api/http.ts';
import { DeadlineClock } from '../../support/deadline-clock.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { listening, serve } from '../../support/serve.ts';
import { shown } from '../../support/shown.ts';

test.each([
  ['/token', '/token'],
  ['/projects/prj_1/scans?page=1&limit=100', '/projects/{id}/scans'],
  ['/projects/prj_1/scans/scan_secret/cancel', '/projects/{id}/scans/{id}/cancel'],
  ['/projects/prj_1/scan-presets', '/projects/{id}/scan-presets'],
  ['/projects/prj_1/findings/fnd_1', '/projects/{id}/findings/{id}'],
  ['/anything/else?token=secret', '/{id}/{id}'],
])('routeOf leaves out the ids and the query of %s', (path, route) => {
  expect(routeOf(path)).toBe(route);
});

const TOKEN = 'svc_proj_key1_topsecret99';

/** Sends a GET request. The time limit of an attempt keeps a test from hanging. */
function get(
  baseUrl: string,
  options: {
    signal?: AbortSignal;
    clock?: FakeClock;
    fetch?: typeof globalThis.fetch;
    showMessages?: boolean;
  } = {},
) {
  const { signal = new AbortController().signal, showMessages = true, ...given } = options;
  const known = { baseUrl, token: TOKEN, clock: new FakeClock(), fetch, attemptTimeoutMs: 120_000 };
  const http = createHttp({ showMessages: async () => showMessages, ...known, ...given });
  const request = { operation: 'check the API token', method: 'GET', path: '/token', attempt: 1 } as const;
  return http.request({ ...request, signal });
}

const refusal = (code: unknown, message = 'slow down') => JSON.stringify({ error: { code, message } });
const FORMS = [
  TOKEN,
  'topsecret99',
  encodeURIComponent(TOKEN),
  Buffer.from(TOKEN).toString('base64'),
  Buffer.from(`user:${TOKEN}`).toString('base64url'),
];
const echo = (token: string) =>
  `[null, ["${token}"], {"a": {"b": ["x ${token}", 2]}, "__proto__": {"c": "${token}"}}, "${token}"]`;
const SOON = { 'retry-after': 'Thu, 15 Jan 2026 12:00:07 GMT' };

type Row = [what: string, status: number, body: string, headers?: Record<string, string>, hides?: true];
const ROWS: readonly Row[] = [
  ['JSON', 200, '{"a": 1}', { date: 'Tue, 20 Jan 2026 12:00:07 GMT' }],
  ['JSON with an invalid date', 200, '{}', { date: 'yesterday' }],
  ['JSON null', 200, 'null'],
  ['HTML', 200, '<html>hello</html>'],
  ['an empty body', 200, ''],
  ['JSON that is nested too deeply', 200, '['.repeat(100_000) + ']'.repeat(100_000)],
  ['a refusal in HTML', 401, '<html>login</html>'],
  ['a refusal without the member `error`', 403, '{"message":"no"}'],
  ['a refusal whose code is not a text', 400, refusal(7)],
  ['a refusal', 429, refusal('rate_limited'), { 'retry-after': '7' }],
  // The clock of the service is two hours ahead of the runner's, or two days behind.
  ...['Thu, 15 Jan 2026 14:00:0', 'Tue, 13 Jan 2026 12:00:0'].map(
    (time): Row => [
      `a refusal of ${time}0`,
      429,
      refusal('rate_limited'),
      { date: `${time}0 GMT`, 'retry-after': `${time}7 GMT` },
    ],
  ),
  // Without a date, the clock of the runner counts.
  ['a refusal without a date', 429, refusal('x'), SOON],
  ['a refusal of today', 429, refusal('x'), { date: 'today', ...SOON }],
  ['an error', 500, refusal('internal', 'db-7 is down')],
  ['an error whose message is hidden', 500, refusal('internal', 'db-7 is down'), {}, true],
  ['an error in another format', 500, 'db-7 is down'],
  ['a hidden error in another format', 500, 'db-7 is down', {}, true],
  ...FORMS.map((form): Row => ['the token in one of its forms', 400, form]),
  ['every form of the token', 400, refusal(FORMS[0], FORMS.join(' '))],
  ['the token in JSON', 200, echo(TOKEN)],
  ['the token in JSON, escaped', 200, echo(TOKEN.replace('_', '\\u005f'))],
  ['the token as JSON', 200, JSON.stringify(TOKEN)],
];

test('the client reads what is documented, and shows no token', async () => {
  const lines: string[] = [];
  for (const [what, status, body, headers = {}, hides] of ROWS) {
    const fetch = async () => new Response(body, { status, headers });
    const showMessages = hides === undefined;
    const answer = await get('https://service.example/api/v1', { fetch, showMessages });
    for (const form of FORMS) expect(JSON.stringify(answer)).not.toContain(form);
    lines.push(`${what}: ${shown(answer.ok ? answer.value : answer.error)}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/http.txt');
});

// The tests below check behaviour of sockets, so they use real sockets.
test('the client sends the bearer token, and reads a compressed answer', async () => {
  const seen: string[] = [];
  const baseUrl = await serve((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.setHeader('content-encoding', 'gzip').end(gzipSync('{"a":[1]}'));
  });
  expect(await get(baseUrl)).toEqual({
    ok: true,
    value: { status: 200, json: { a: [1] }, retryAfterSeconds: undefined, date: expect.any(Date) },
  });
  expect(seen).toEqual([`GET /token Bearer ${TOKEN}`]);
});

test('a redirect is not followed, and no other server gets the token', async () => {
  let requests = 0;
  const other = await serve((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  const location = `${other}/token?secret=1`;
  for (const status of [301, 302, 303, 304, 307, 308]) {
    const answer = await get(
      await serve((_, response) => response.writeHead(status, { location }).end('{}')),
    );
    const error = { kind: 'invalid', problem: 'redirect', status, detail: `a redirect to ${other}/token` };
    expect(answer).toMatchObject({ ok: false, error });
    expect(JSON.stringify(answer)).not.toContain('secret=1');
  }
  expect(requests).toBe(0);
});

test('a body of more than 10 MiB is refused before it is read in full', async () => {
  const bomb = Buffer.concat(Array(200).fill(gzipSync(Buffer.alloc(1024 * 1024, 0x20))));
  const baseUrl = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
  const before = process.memoryUsage().rss;
  expect(await get(baseUrl)).toMatchObject({ ok: false, error: { kind: 'invalid', problem: 'oversize' } });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test.each<[what: string, cause: string, listener: RequestListener]>([
  [
    'an incomplete body',
    'reset',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"scanId":"s1"', () => response.socket?.destroy());
    },
  ],
  [
    'a body that does not match its encoding',
    'other',
    (_, response) => response.setHeader('content-encoding', 'gzip').end('{"scanId":"s1"}'),
  ],
  ['a connection that ends after the request', 'reset', (request) => request.socket.destroy()],
  ['a connection that is reset', 'reset', (request) => (request.socket as Socket).resetAndDestroy()],
])('the result is unknown after %s', async (_what, cause, listener) => {
  const error = { kind: 'unreachable', sent: 'unknown', cause };
  expect(await get(await serve(listener))).toMatchObject({ ok: false, error });
});

test('a request ends at the deadline if the body of the answer stalls', async () => {
  const baseUrl = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"scanId"');
  });
  const clock = new DeadlineClock();
  const error = { kind: 'unreachable', sent: 'unknown', cause: 'timeout' };
  const answer = await get(baseUrl, { clock, fetch: clock.expiringInBody(fetch) });
  expect(answer).toMatchObject({ ok: false, error });
});

test('a refused connection or an unknown host name shows that nothing was sent', async () => {
  const server = createServer();
  const baseUrl = `http://${await listening(server)}`;
  await new Promise((resolve) => server.close(resolve));
  const error = { kind: 'unreachable', sent: 'no' };
  expect(await get(baseUrl)).toMatchObject({ error: { ...error, cause: 'refused' } });
  expect(await get('http://scangate.invalid/api/v1')).toMatchObject({ error: { ...error, cause: 'dns' } });
});

test('the client aborts a sent request if the run is stopped, and sends no further one', async () => {
  const controller = new AbortController();
  let requests = 0;
  const baseUrl = await serve(() => {
    requests += 1;
    controller.abort(new Stop('timeout'));
  });
  const error = { kind: 'stopped', operation: 'check the API token', sent: 'unknown', by: 'timeout' };
  expect(await get(baseUrl, { signal: controller.signal })).toEqual({ ok: false, error });
  const again = await get(baseUrl, { signal: controller.signal });
  expect(again).toEqual({ ok: false, error: { ...error, sent: 'no' } });
  expect(requests).toBe(1);
});
