import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createGitHub, type GitHubClient, type GitHubRequest } from '../../../src/github/octokit.ts';
import type { Reply } from '../../support/answering.ts';
import { DeadlineClock } from '../../support/deadline-clock.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { serve } from '../../support/serve.ts';
import { NEXT } from './answers.ts';
import { client, TOKEN } from './client.ts';
import { expectConversations, type Row } from './conversation.ts';

const Thing = v.object({ id: v.number() });
const READ: GitHubRequest<typeof Thing> = {
  operation: 'read the thing',
  permission: 'contents: read',
  route: 'GET /repos/{owner}/{repo}/things/{name}',
  parameters: { name: 'one' },
  answer: Thing,
};
const WRITE: GitHubRequest<typeof Thing> = {
  ...READ,
  operation: 'write the thing',
  permission: 'checks: write',
  route: 'POST /repos/{owner}/{repo}/things',
  parameters: { name: 'one' },
};
/** The time of the fake clock, in milliseconds since 1970. */
const START = 1_768_478_400_000;

const THINGS = { id: 7, more: true };
const DONE: Reply = [200, THINGS];
const LIMITED = { message: 'You have exceeded a secondary rate limit.' };
/** So many seconds after the start, as GitHub writes the end of a rate limit. */
const at = (seconds: number) => String(START / 1000 + seconds);
const dated = (date: string, headers: Record<string, string>): Reply => [403, LIMITED, { date, ...headers }];
const limited = (headers: Record<string, string>): Reply => [403, LIMITED, headers];
const no = (status: number): Reply => [status, { message: 'no' }];
const HTML: Reply = [200, '<html>sign in</html>'];
const BROKEN: Reply = [200, '{"id": 7', { 'content-type': 'application/json' }];
const TWO_HOURS_AHEAD = 'Thu, 15 Jan 2026 14:00:00 GMT';
const coded = (code: string) => Object.assign(new Error(code.toLowerCase()), { code });
const three = <T>(reply: T): T[] => [reply, reply, reply];

const read = (github: GitHubClient) => github.ask(READ);
const write = (github: GitHubClient) => github.ask(WRITE);
const patch = (github: GitHubClient) =>
  github.ask({ ...READ, route: 'PATCH /repos/{owner}/{repo}/things/{name}' });
const readByPost = (github: GitHubClient) => github.ask({ ...WRITE, repeatable: true });
const named = (name: string) => (github: GitHubClient) => github.ask({ ...READ, parameters: { name } });
const twice = async (github: GitHubClient) => [await read(github), await read(github)];

const ROWS: readonly Row[] = [
  ['an answer', read, DONE],
  ['an answer with a next page', read, [200, THINGS, NEXT]],
  ['an answer with a previous page', read, [200, THINGS, { link: NEXT.link.replace('next"', 'prev"') }]],
  ['foreign text in the route', named('../../user?x'), DONE],
  ['HTML, then an answer', read, HTML, DONE],
  ['HTML three times', read, ...three(HTML)],
  ['HTML for a write', write, HTML],
  ['broken JSON, then an answer', read, BROKEN, DONE],
  ['broken JSON three times', read, ...three(BROKEN)],
  ['broken JSON for a write', write, BROKEN],
  ['a malformed member', read, [200, { id: 'seven' }]],
  ['a malformed body', read, [200, 7]],
  ...[500, 502, 503, 408].map((status): Row => [`${status} three times`, read, ...three(no(status))]),
  ['503 with Retry-After 3600', read, [503, {}, { 'retry-after': '3600' }], DONE],
  ['a reset before a PATCH', patch, coded('ECONNRESET'), DONE],
  ['a reset before a write', write, coded('ECONNRESET')],
  ['502 for a write', write, no(502)],
  ['408 for a write', write, no(408)],
  [
    'a refused connection and a rate limit before a write',
    write,
    coded('ECONNREFUSED'),
    [429, {}, { 'retry-after': '2' }],
    DONE,
  ],
  ['502 for a POST that only reads', readByPost, no(502), DONE],
  ['an untrusted certificate', read, coded('SELF_SIGNED_CERT_IN_CHAIN')],
  ...[401, 403, 404, 422].map((status): Row => [`${status}`, read, no(status)]),
  ...['7', '60', '-5', 'soon', '0.1'].map(
    (wait): Row => [`a rate limit with Retry-After ${wait}`, read, limited({ 'retry-after': wait }), DONE],
  ),
  ...Object.entries({
    'a reset': limited({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': at(20) }),
    'a date, and the clock of the runner is behind': dated(TWO_HOURS_AHEAD, {
      'retry-after': 'Thu, 15 Jan 2026 14:00:20 GMT',
    }),
    'a reset, and the clock of the runner is behind': dated(TWO_HOURS_AHEAD, {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': at(7220),
    }),
    'an invalid date': dated('today', { 'retry-after': 'Thu, 15 Jan 2026 12:00:20 GMT' }),
  }).map(([what, reply]): Row => [`a rate limit with ${what}`, read, reply, DONE]),
  ['a rate limit with Retry-After 61', read, limited({ 'retry-after': '61' })],
  ['a long rate limit', read, limited({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': at(1800) })],
  ['rate limits of 90 s in total', twice, ...three(limited({ 'retry-after': '30' })).toSpliced(2, 0, DONE)],
  [
    'an error with details',
    read,
    [422, { message: 'Invalid request.', errors: [{ field: 'path', code: 'invalid' }] }],
  ],
  ['an answer larger than 64 MiB', read, [200, ' '.repeat(64 * 1024 * 1024 + 1)]],
  ['an answer of 11 MiB', read, [200, { id: 7, padding: ' '.repeat(11 * 1024 * 1024) }]],
  ['an error with HTML', read, ...three<Reply>([502, '<html>unicorn</html>'])],
  [
    'an error with the token and a log command',
    read,
    [400, { message: `bad token ${TOKEN}\n::error::${'x'.repeat(1000)}` }],
  ],
];

test('the client repeats what is safe and useful, and says what GitHub refuses', async () => {
  await expectConversations('octokit', ROWS);
});

describe('the answer to a request', () => {
  test('the client sends its headers', async () => {
    let sent = new Headers();
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      sent = new Headers(init?.headers);
      return Response.json(THINGS);
    };
    await client({ fetch }).ask(READ);
    expect(Object.fromEntries(sent)).toMatchObject({
      authorization: `token ${TOKEN}`,
      'user-agent': expect.stringMatching(/^scangate /),
      'x-github-api-version': '2022-11-28',
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

test('the client does not repeat a POST after a redirect', async () => {
  let requests = 0;
  const apiUrl = await serve((_request, response) => {
    requests += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await client({ apiUrl }).ask(WRITE)).toMatchObject({ error: { kind: 'invalid', status: 307 } });
  expect(requests).toBe(1);
});

test('the client ends an open request if the run is stopped', async () => {
  const stop = new AbortController();
  const apiUrl = await serve(() => stop.abort());
  expect(await client({ apiUrl }).until(stop.signal).ask(READ)).toMatchObject({
    error: { kind: 'stopped' },
  });
});

test('the client ends the wait before a retry if the run is stopped', async () => {
  const stop = new AbortController();
  const clock = new FakeClock({ auto: false });
  const fetch = async () => {
    setImmediate(() => setImmediate(() => stop.abort()));
    return Response.json({}, { status: 503 });
  };
  expect(await client({ clock, fetch }).until(stop.signal).ask(READ)).toMatchObject({ ok: false });
});

test('an empty token is reported without a request', async () => {
  const environment = { owner: 'acme', repo: 'shop', apiUrl: 'https://api.github.com', graphqlUrl: '' };
  const anonymous = createGitHub({ token: '', environment, clock: new FakeClock(), fetch });
  expect(await anonymous.until(NEVER_ABORTED).ask(READ)).toMatchObject({ error: { kind: 'unauthorized' } });
});
