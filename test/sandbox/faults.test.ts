import { createServer, get, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endExchange } from '../../sandbox/faults/exchange.ts';
import { answerThrough, type Fault } from '../../sandbox/faults/interception.ts';
import { createPortControl } from '../../sandbox/faults/port-control.ts';

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
  const server = createServer(async (_request, response) => {
    const answer = await answerThrough({ fault }, () => {
      processed += 1;
      return { status: 200, body: '0123456789' };
    });
    endExchange(response, { interception: { fault }, answer });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const portControl = createPortControl(server, address.port);
  onTestFinished(() => portControl.close());
  return { port: address.port, portControl, processed: () => processed };
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
    const { port, portControl, processed } = await serve('cut-body');
    portControl.refuseConnections();
    await expect(exchange(port)).rejects.toThrow('ECONNREFUSED');
    await portControl.acceptConnections();
    await exchange(port);
    expect(processed()).toBe(1);
    portControl.refuseConnections();
    await portControl.close();
  });
});
