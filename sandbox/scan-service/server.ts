import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endExchange, sendAnswer } from '../faults/exchange.ts';
import type { SentRequest } from '../faults/handled.ts';
import { createKeepAliveTracker } from '../faults/keep-alive-tracker.ts';
import { createPortControl } from '../faults/port-control.ts';
import { createControl, savingAfter } from './control.ts';
import { createState } from './create-state.ts';
import { createHandler } from './handler.ts';
import type { ScanServiceOptions } from './options.ts';
import { API_PREFIX } from './process-request.ts';
import { Refusal } from './refusal.ts';
import { readBody } from './request-body.ts';
import { type FakeScanService, scanSnapshots } from './scan-service.ts';
import { openStore } from './store/store.ts';

// An import of `node:http` would also load the client for web sockets. Loading it takes as long as loading the rest of
// the service.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Starts the fake service on the loopback interface. Throws if it has no token, or cannot listen. Throws
 * `DataFolderError` if the data folder cannot be used.
 */
export async function startFakeScanService(options: ScanServiceOptions): Promise<FakeScanService> {
  const state = createState(options);
  if (state.tokens.length === 0) throw new Error('the fake service needs at least one token');
  const store = options.dataFolder === undefined ? undefined : await openStore(options.dataFolder, state);
  const save = (afterRead = false) => store?.save(state, afterRead);
  const handler = createHandler(state, options, save);
  const wasUsed = createKeepAliveTracker();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const origin = originOf(request.socket.localPort ?? 0);
    const handled = await handler.handle(await receive(request, wasUsed), origin, (work) => work());
    if ((options.latencyMs ?? 0) > 0) await sleep(options.latencyMs);
    endExchange(response, handled);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // The client disconnected before the request was complete, so nothing can be answered.
      if (request.errored !== null) return;
      console.error('the fake scanning service failed:', error);
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
  if (address === null || typeof address === 'string') throw new Error('the fake service has no port');
  const portControl = createPortControl(server, address.port);
  const origin = originOf(address.port);
  return {
    origin,
    baseUrl: `${origin}${API_PREFIX}`,
    token: state.tokens[0]?.token ?? '',
    tokens: state.tokens.map(({ keyId, token, scopes, requestCeiling }) => ({
      keyId,
      token,
      scopes,
      requestCeiling,
    })),
    project: state.project,
    repositories: state.repositories,
    presets: state.presets,
    isRestored: store?.isRestored ?? false,
    ledger: () => state.ledger.state(),
    scans: () => scanSnapshots(state),
    control: savingAfter(createControl(state), () => save()),
    requests: handler.requests,
    handle: (request, work) => (portControl.isOpen() ? handler.handle(request, origin, work) : undefined),
    refuseConnections: portControl.refuseConnections,
    acceptConnections: portControl.acceptConnections,
    dropIdle: portControl.dropIdle,
    async close() {
      await portControl.close();
      await handler.settled();
      await Promise.all(state.scans.flatMap((scan) => [scan.analysis, scan.survey]));
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
