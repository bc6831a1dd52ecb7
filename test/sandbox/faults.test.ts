import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Fault } from '../../sandbox/faults/interception.ts';
import { type ServerOptions, startServer } from '../../sandbox/faults/server.ts';
import { MACHINE_CLOCK } from '../../sandbox/faults/server-clock.ts';

/** What a client sees of one exchange: the bytes, and how the connection ended. */
async function exchange(port: number) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject);
  });
  let body = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  const ended = await new Promise<string>((resolve) => {
    response.on('end', () => resolve('whole')).on('error', ({ message }) => resolve(message));
  });
  return { length: response.headers['content-length'], body, ended };
}

/** Starts a server that answers each request with ten digits, and counts the requests that it processes. */
async function serve(options: Pick<ServerOptions<string>, 'intercept' | 'keptRequests' | 'latencyMs'> = {}) {
  let processed = 0;
  const server = await startServer({
    clock: MACHINE_CLOCK,
    dispatch: ({ path }) => ({
      point: path.startsWith('/a') ? 'a' : 'b',
      answer: () => {
        processed += 1;
        return { status: 200, body: '0123456789' };
      },
    }),
    onError: () => ({ status: 500 }),
    ...options,
  });
  onTestFinished(() => server.close());
  const ask = async (path = '/', init: RequestInit = {}) => {
    const response = await fetch(`${server.origin}${path}`, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { port: Number(new URL(server.origin).port), server, ask, processed: () => processed };
}

const withFault = (fault: Fault) =>
  serve({ intercept: ({ point }) => (point === 'b' ? { fault } : undefined) });

test.each<[Fault, processed: number, seen: string | object]>([
  ['reset-before', 0, 'ECONNRESET'],
  ['reset-after', 1, 'ECONNRESET'],
  ['close-before', 0, 'socket hang up'],
  ['close-after', 1, 'socket hang up'],
  ['cut-body', 1, { length: '10', body: '01234', ended: 'aborted' }],
  ['cut-chunked', 1, { length: undefined, body: '01234', ended: 'aborted' }],
])(
  'with the fault %s, the server processes %i requests, and breaks the exchange',
  async (fault, times, seen) => {
    const { port, processed } = await withFault(fault);
    const result: unknown = await exchange(port).catch((error: Error) => error.message);
    expect(result).toEqual(typeof seen === 'string' ? expect.stringContaining(seen) : seen);
    expect(processed()).toBe(times);
  },
);

test.each([
  ['hang-before', 0],
  ['hang-after', 1],
  ['hang-body', 1],
] as const)(
  'a request with the fault %s waits until the server closes, and %i requests are processed',
  async (fault, times) => {
    const { ask, server, processed } = await withFault(fault);
    const hanging = ask('/b').catch(() => 'broken');
    await expect.poll(() => server.requests.length).toBe(1);
    expect((await ask('/a')).status).toBe(200);
    expect(processed()).toBe(times + 1);
    await server.close();
    expect(await hanging).toBe('broken');
  },
);

test('a server refuses connections until its port is opened', async () => {
  const { port, server, processed } = await withFault('cut-body');
  server.refuseConnections();
  await expect(exchange(port)).rejects.toThrow('ECONNREFUSED');
  await server.acceptConnections();
  await exchange(port);
  expect(processed()).toBe(1);
  server.refuseConnections();
  await server.close();
});

test('an interception replaces the answer of the server, or changes it', async () => {
  const down = { status: 503, headers: { 'retry-after': '7' }, body: { message: 'down' } };
  const { ask, processed } = await serve({
    intercept: ({ count }) =>
      count === 1 ? down : count === 2 ? { rewrite: (answer) => ({ ...answer, status: 201 }) } : undefined,
  });
  const { status, text, headers } = await ask();
  expect([status, text, headers.get('retry-after')]).toEqual([503, '{"message":"down"}', '7']);
  expect(processed()).toBe(0);
  expect(await ask()).toMatchObject({ status: 201, text: '0123456789' });
  expect((await ask()).status).toBe(200);
  expect(processed()).toBe(2);
});

test('the request log has the newest requests with their kind, their body and the status of their answer', async () => {
  const { ask, server } = await serve({
    keptRequests: 3,
    intercept: ({ point, count }) => (point === 'a' && count === 2 ? { fault: 'reset-after' } : undefined),
  });
  await ask('/before');
  await ask('/a?page=2');
  await ask('/a', { method: 'POST', body: '{"x":1}' }).catch(() => {});
  await ask('/b', { method: 'POST', body: '{' });
  expect(server.requests).toMatchObject([
    { method: 'GET', path: '/a?page=2', point: 'a', count: 1, body: undefined, status: 200 },
    { method: 'POST', path: '/a', point: 'a', count: 2, body: { x: 1 }, status: undefined },
    { method: 'POST', path: '/b', point: 'b', count: 2, body: '{', status: 200 },
  ]);
});

test('the configured latency delays every answer', async () => {
  const { ask } = await serve({ latencyMs: 40 });
  const before = performance.now();
  await ask();
  expect(performance.now() - before).toBeGreaterThanOrEqual(39);
});
