import { get, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fault } from '../../sandbox/faults/interception.ts';
import { startServer } from '../../sandbox/faults/server.ts';
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

async function serve(fault: Fault) {
  let processed = 0;
  const server = await startServer({
    clock: MACHINE_CLOCK,
    intercept: () => ({ fault }),
    dispatch: () => ({
      point: 'text',
      answer: () => {
        processed += 1;
        return { status: 200, body: '0123456789' };
      },
    }),
    onError: () => ({ status: 500 }),
  });
  onTestFinished(() => server.close());
  return { port: Number(new URL(server.origin).port), server, processed: () => processed };
}

describe('a broken exchange', () => {
  test.each([
    ['reset-before', 0, 'ECONNRESET'],
    ['reset-after', 1, 'ECONNRESET'],
    ['close-before', 0, 'socket hang up'],
    ['close-after', 1, 'socket hang up'],
  ] as const)(
    'with the fault %s, the server processes %i requests, and the client gets the error "%s"',
    async (fault, times, text) => {
      const { port, processed } = await serve(fault);
      await expect(exchange(port)).rejects.toThrow(text);
      expect(processed()).toBe(times);
    },
  );

  test.each([
    ['cut-body', '10'],
    ['cut-chunked', undefined],
  ] as const)(
    'the fault %s sends half of the body, and then closes the connection',
    async (fault, length) => {
      const { port, processed } = await serve(fault);
      expect(await exchange(port)).toEqual({ length, body: '01234', ended: 'aborted' });
      expect(processed()).toBe(1);
    },
  );

  test('a server refuses connections until its port is opened', async () => {
    const { port, server, processed } = await serve('cut-body');
    server.refuseConnections();
    await expect(exchange(port)).rejects.toThrow('ECONNREFUSED');
    await server.acceptConnections();
    await exchange(port);
    expect(processed()).toBe(1);
    server.refuseConnections();
    await server.close();
  });
});
