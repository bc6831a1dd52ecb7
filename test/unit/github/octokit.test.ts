import { createServer, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import nock from 'nock';
import * as v from 'valibot';
import { afterEach, describe, expect, test } from 'vitest';
import { createGitHub, type GitHubRequest } from '../../../src/github/octokit.ts';
import { DeadlineClock } from '../../support/deadline-clock.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, TOKEN } from './client.ts';

const Thing = v.object({ id: v.number() });
const READ: GitHubRequest<typeof Thing> = {
  operation: 'read the thing',
  permission: 'contents: read',
  route: 'GET /repos/{owner}/{repo}/things/{name}',
  parameters: { name: 'one' },
  answer: Thing,
  signal: NEVER_ABORTED,
};
const WRITE: GitHubRequest<typeof Thing> = {
  ...READ,
  operation: 'write the thing',
  permission: 'checks: write',
  route: 'POST /repos/{owner}/{repo}/things',
  parameters: { name: 'one' },
};
const PATH = '/repos/acme/shop/things/one';

let server: Server | undefined;

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

describe('the answer to a request', () => {
  test('the client sends its headers, and parses the answer', async () => {
    github()
      .get(PATH)
      .matchHeader('authorization', `token ${TOKEN}`)
      .matchHeader('user-agent', /^scangate /)
      .matchHeader('x-github-api-version', '2022-11-28')
      .reply(200, { id: 7, more: true });
    expect(await client().ask(READ)).toEqual({ ok: true, value: { data: { id: 7 }, hasNextPage: false } });
  });

  test('the client shows whether there is a next page', async () => {
    const link = (rel: string) => ({ link: `<https://api.github.com/x?page=2>; rel="${rel}"` });
    github().get(PATH).reply(200, { id: 1 }, link('next')).get(PATH).reply(200, { id: 1 }, link('prev'));
    expect(await client().ask(READ)).toMatchObject({ value: { hasNextPage: true } });
    expect(await client().ask(READ)).toMatchObject({ value: { hasNextPage: false } });
  });

  test('the client encodes foreign text in a route as one path segment', async () => {
    github().get('/repos/acme/shop/things/..%2F..%2Fuser%3Fx').reply(200, { id: 1 });
    expect(await client().ask({ ...READ, parameters: { name: '../../user?x' } })).toMatchObject({ ok: true });
  });

  test.each([
    ['HTML', '<html>sign in</html>', 'text/html'],
    ['broken JSON', '{"id": 7', 'application/json'],
  ])('the client repeats a GET if the answer contains %s', async (_what, body, type) => {
    const page = () => github().get(PATH).reply(200, body, { 'content-type': type });
    page();
    github().get(PATH).reply(200, { id: 7 });
    expect(await client().ask(READ)).toMatchObject({ ok: true, value: { data: { id: 7 } } });
    for (let attempt = 1; attempt <= 3; attempt += 1) page();
    expect(await client().ask(READ)).toMatchObject({ error: { kind: 'invalid', status: 200 } });
    github().post('/repos/acme/shop/things').reply(201, body, { 'content-type': type });
    expect(await client().ask(WRITE)).toMatchObject({ error: { kind: 'invalid', ambiguous: true } });
  });

  test('the error about a malformed answer names the malformed member', async () => {
    github().get(PATH).reply(200, { id: 'seven' });
    expect(await client().ask(READ)).toMatchObject({
      error: { kind: 'invalid', message: expect.stringContaining('id') },
    });
  });

  test('the client repeats the request after an answer that was cut off', async () => {
    let requests = 0;
    const apiUrl = await serve((_request, response) => {
      requests += 1;
      response.setHeader('content-type', 'application/json');
      if (requests > 2) {
        response.end('{"id":7}');
        return;
      }
      response.setHeader('content-length', '100');
      response.write('{"id":');
      setImmediate(() => response.destroy());
    });
    expect(await client({ apiUrl }).ask(READ)).toMatchObject({ ok: true, value: { data: { id: 7 } } });
    expect(requests).toBe(3);
  });

  test('a request ends with an error if the body of the answer never ends', async () => {
    const apiUrl = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.write('{"id":');
    });
    const clock = new DeadlineClock();
    const stalled = client({ clock, apiUrl, fetch: clock.expiringInBody(fetch) });
    expect(await stalled.ask(READ)).toMatchObject({
      error: { kind: 'unreachable', message: 'the response did not end in time' },
    });
  });

  test('the client tries a GET three times and a POST once if no answer comes', async () => {
    let requests = 0;
    const clock = new DeadlineClock();
    const apiUrl = await serve(() => {
      requests += 1;
      clock.expireSoon();
    });
    const late = { error: { kind: 'unreachable', message: 'no response in time', ambiguous: true } };
    expect(await client({ clock, apiUrl }).ask(READ)).toMatchObject(late);
    expect(requests).toBe(3);
    expect(await client({ clock, apiUrl }).ask(WRITE)).toMatchObject(late);
    expect(requests).toBe(4);
  });
});

describe('retries', () => {
  test.each([500, 502, 503, 408])(
    'the client sends a GET up to three times if the answer is %i',
    async (status) => {
      const clock = new FakeClock();
      github().get(PATH).times(3).reply(status, { message: 'oops' });
      const answer = await client({ clock }).ask(READ);
      expect(answer).toMatchObject({ error: { kind: 'unreachable', status, message: 'oops' } });
      expect(clock.sleeps).toEqual([1000, 3000]);
    },
  );

  test('the client retries a PATCH after a reset of the connection', async () => {
    github().patch(PATH).replyWithError(coded('ECONNRESET')).patch(PATH).reply(200, { id: 7 });
    const route = 'PATCH /repos/{owner}/{repo}/things/{name}';
    expect(await client().ask({ ...READ, route })).toMatchObject({ ok: true });
  });

  test.each(['reset', 502, 408])(
    'the client does not retry a POST that GitHub may have carried out: %s',
    async (how) => {
      const scope = github().post('/repos/acme/shop/things');
      if (typeof how === 'number') scope.reply(how);
      else scope.replyWithError(coded('ECONNRESET'));
      expect(await client().ask(WRITE)).toMatchObject({
        error: { kind: 'unreachable', ambiguous: true },
      });
    },
  );

  test('the client retries a POST that GitHub has certainly not carried out', async () => {
    const path = '/repos/acme/shop/things';
    const scope = github().post(path).replyWithError(coded('ECONNREFUSED'));
    scope.post(path).reply(429, {}, { 'retry-after': '2' }).post(path).reply(201, { id: 7 });
    const clock = new FakeClock();
    expect(await client({ clock }).ask(WRITE)).toMatchObject({ ok: true });
    expect(clock.sleeps).toEqual([1000, 2000]);
  });

  test('the client retries a POST after a 502 if the POST only reads', async () => {
    github().post('/repos/acme/shop/things').reply(502).post('/repos/acme/shop/things').reply(200, { id: 7 });
    expect(await client().ask({ ...WRITE, repeatable: true })).toMatchObject({ ok: true });
  });

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '60' }, 60_000],
    [{ 'retry-after': '-5' }, 60_000],
    [{ 'retry-after': 'soon' }, 60_000],
    [{ 'retry-after': '0.1' }, 1000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1768478420' }, 20_000],
    // The clock of the runner is two hours behind that of GitHub.
    [{ date: 'Thu, 15 Jan 2026 14:00:00 GMT', 'retry-after': 'Thu, 15 Jan 2026 14:00:20 GMT' }, 20_000],
    [
      {
        date: 'Thu, 15 Jan 2026 14:00:00 GMT',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1768485620',
      },
      20_000,
    ],
    [{ date: 'today', 'retry-after': 'Thu, 15 Jan 2026 12:00:20 GMT' }, 20_000],
  ])('the headers of a rate limit decide how long the client waits: %j', async (headers, wait) => {
    const clock = new FakeClock({ date: new Date(1_768_478_400_000) });
    const body = { message: 'You have exceeded a secondary rate limit.' };
    github().get(PATH).reply(403, body, headers).get(PATH).reply(200, { id: 7 });
    expect(await client({ clock }).ask(READ)).toMatchObject({ ok: true });
    expect(clock.sleeps).toEqual([wait]);
  });

  test.each([{ 'retry-after': '61' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1768480200' }])(
    'the client does not wait if a rate limit lasts longer than a minute: %j',
    async (headers) => {
      const clock = new FakeClock({ date: new Date(1_768_478_400_000) });
      github().get(PATH).reply(403, { message: 'API rate limit exceeded' }, headers);
      expect(await client({ clock }).ask(READ)).toMatchObject({ error: { kind: 'rate-limited' } });
      expect(clock.sleeps).toEqual([]);
    },
  );

  test('the client waits at most 75 s in total for rate limits', async () => {
    const clock = new FakeClock();
    const asking = client({ clock });
    const limited = () => github().get(PATH).reply(429, {}, { 'retry-after': '30' });
    limited();
    limited();
    github().get(PATH).reply(200, { id: 7 });
    expect(await asking.ask(READ)).toMatchObject({ ok: true });
    limited();
    expect(await asking.ask(READ)).toMatchObject({ error: { kind: 'rate-limited' } });
    expect(clock.sleeps).toEqual([30_000, 30_000]);
  });

  test('the client does not retry after a refusal with 401, 403, 404 or 422', async () => {
    for (const [status, kind] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'not-found'],
      [422, 'refused'],
    ] as const) {
      github().get(PATH).reply(status, { message: 'no' });
      expect(await client().ask(READ)).toMatchObject({ error: { kind, status, ambiguous: false } });
    }
  });

  test('the client does not retry after an untrusted certificate', async () => {
    github().get(PATH).replyWithError(coded('SELF_SIGNED_CERT_IN_CHAIN'));
    expect(await client().ask(READ)).toMatchObject({
      error: { kind: 'unreachable', message: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
    });
  });

  test('the client does not repeat a POST after a redirect', async () => {
    let requests = 0;
    const apiUrl = await serve((_request, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await client({ apiUrl }).ask(WRITE)).toMatchObject({ error: { kind: 'invalid', status: 307 } });
    expect(requests).toBe(1);
  });
});

describe('the run is stopped', () => {
  test('the client ends an open request if the run is stopped', async () => {
    const stop = new AbortController();
    const apiUrl = await serve(() => stop.abort());
    expect(await client({ apiUrl }).ask({ ...READ, signal: stop.signal })).toMatchObject({
      error: { kind: 'stopped' },
    });
  });

  test('the client ends the wait before a retry if the run is stopped', async () => {
    const stop = new AbortController();
    const clock = new FakeClock({ auto: false });
    github()
      .get(PATH)
      .reply(503, () => {
        setImmediate(() => setImmediate(() => stop.abort()));
        return {};
      });
    expect(await client({ clock }).ask({ ...READ, signal: stop.signal })).toMatchObject({ ok: false });
  });
});

describe('errors', () => {
  test('an error is one short line without the token', async () => {
    const message = `bad token ${TOKEN}\n::error::x${'y'.repeat(1000)}`;
    github().get(PATH).reply(400, { message });
    const answer = await client().ask(READ);
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
    expect(answer).toMatchObject({
      error: { message: expect.stringMatching(/^bad token \*\*\* ::error::x.{200,}…$/) },
    });
    if (!answer.ok) expect(answer.error.message.length).toBeLessThanOrEqual(300);
  });

  test('an error shows the details from GitHub, but no HTML', async () => {
    github()
      .get(PATH)
      .reply(422, { message: 'Invalid request.', errors: [{ field: 'path', code: 'invalid' }] });
    github().get(PATH).times(3).reply(502, '<html>unicorn</html>', { 'content-type': 'text/html' });
    expect(await client().ask(READ)).toMatchObject({
      error: { message: expect.stringContaining('"field":"path"') },
    });
    expect(await client().ask(READ)).toMatchObject({ error: { message: 'status 502' } });
  });

  test('an empty token is reported without a request', async () => {
    const environment = { owner: 'acme', repo: 'shop', apiUrl: 'https://api.github.com', graphqlUrl: '' };
    const anonymous = createGitHub({ token: '', environment, clock: new FakeClock(), fetch });
    expect(await anonymous.ask(READ)).toMatchObject({ error: { kind: 'unauthorized' } });
  });
});

function coded(code: string): Error {
  return Object.assign(new Error(code.toLowerCase()), { code });
}

describe('the size of an answer', () => {
  const large = JSON.stringify({ id: 7, padding: 'x'.repeat(65 * 1024 * 1024) });

  test.each([
    ['uncompressed', () => Buffer.from(large), {}],
    ['compressed', () => gzipSync(large), { 'content-encoding': 'gzip' }],
  ])('the client rejects an answer larger than 64 MiB: %s', async (_what, body, encoding) => {
    let requests = 0;
    const apiUrl = await serve((_request, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'application/json', ...encoding }).end(body());
    });
    expect(await client({ apiUrl }).ask(READ)).toMatchObject({
      ok: false,
      error: { kind: 'too-large' },
    });
    expect(requests).toBe(1);
  });

  test('an answer just below 64 MiB is accepted', async () => {
    const body = JSON.stringify({ id: 7, padding: 'x'.repeat(64 * 1024 * 1024 - 100) });
    const apiUrl = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    expect(await client({ apiUrl }).ask(READ)).toMatchObject({ ok: true, value: { data: { id: 7 } } });
  });
});
