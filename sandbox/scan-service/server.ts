import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDoor } from '../faults/door.ts';
import { endExchange, sendAnswer } from '../faults/exchange.ts';
import type { SentRequest } from '../faults/handled.ts';
import { createConnectionMemory } from '../faults/used-connections.ts';
import { createControl, savingAfter } from './control.ts';
import { createWorld } from './create-world.ts';
import { createHandler } from './handler.ts';
import type { ScanServiceOptions } from './options.ts';
import { API_PREFIX } from './process-request.ts';
import { Refusal } from './refusal.ts';
import { readBody } from './request-body.ts';
import { type ScanService, scanSnapshots } from './scan-service.ts';
import { openStore } from './store/store.ts';

/**
 * Starts the stand-in on the loopback interface. Throws where it cannot listen or has no token, and `DataFolderFault`
 * where the data folder cannot be used.
 */
export async function startScanService(options: ScanServiceOptions): Promise<ScanService> {
  const world = createWorld(options);
  if (world.tokens.length === 0) throw new Error('the stand-in needs at least one token');
  const store = options.dataFolder === undefined ? undefined : await openStore(options.dataFolder, world);
  const save = (afterRead = false) => store?.save(world, afterRead);
  const handler = createHandler(world, options, save);
  const wasUsed = createConnectionMemory();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const origin = originOf(request.socket.localPort ?? 0);
    const handled = await handler.handle(await receive(request, wasUsed), origin, (work) => work());
    if ((options.latencyMs ?? 0) > 0) await sleep(options.latencyMs);
    endExchange(response, handled);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // The caller went away while it was being read: nobody is left to answer.
      if (request.errored !== null) return;
      console.error('the scan service stand-in failed:', error);
      if (response.headersSent) response.destroy();
      else sendAnswer(response, new Refusal(500, 'internal', 'The service failed.').answer());
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    store?.close();
    throw error;
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port');
  const door = createDoor(server, address.port);
  const origin = originOf(address.port);
  return {
    origin,
    baseUrl: `${origin}${API_PREFIX}`,
    token: world.tokens[0]?.token ?? '',
    tokens: world.tokens.map(({ keyId, token, scopes }) => ({ keyId, token, scopes })),
    project: world.project,
    repositories: world.repositories,
    presets: world.presets,
    ledger: () => world.ledger.state(),
    scans: () => scanSnapshots(world),
    control: savingAfter(createControl(world), () => save()),
    requests: handler.requests,
    handle: (request, work) => (door.isOpen() ? handler.handle(request, origin, work) : undefined),
    shut: door.shut,
    reopen: door.reopen,
    dropIdle: door.dropIdle,
    async close() {
      await door.close();
      await handler.settled();
      await Promise.all(world.scans.flatMap((scan) => [scan.analysis, scan.survey]));
      store?.close();
    },
  };
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function receive(request: IncomingMessage, wasUsed: (socket: Socket) => boolean): Promise<SentRequest> {
  const { method = 'GET', url: path = '/', headers } = request;
  const body = await readBody(request);
  return { method, path, headers, body, onUsedConnection: wasUsed(request.socket) };
}
