import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createDoor } from '../faults/door.ts';
import { endExchange, sendAnswer } from '../faults/exchange.ts';
import { answerThrough } from '../faults/interception.ts';
import { createConnectionMemory } from '../faults/used-connections.ts';
import { createControl, savingAfter } from './control.ts';
import { createWorld } from './create-world.ts';
import type { ScanServiceOptions } from './options.ts';
import { API_PREFIX, pointOf, processRequest } from './process-request.ts';
import { Refusal } from './refusal.ts';
import { readBody } from './request-body.ts';
import { type LoggedRequest, type ScanService, scanSnapshots } from './scan-service.ts';
import { openStore } from './store/store.ts';
import type { World } from './world.ts';

/**
 * Starts the stand-in on the loopback interface. Throws where it cannot listen or has no token, and `DataFolderFault`
 * where the data folder cannot be used.
 */
export async function startScanService(options: ScanServiceOptions): Promise<ScanService> {
  const world = createWorld(options);
  if (world.tokens.length === 0) throw new Error('the stand-in needs at least one token');
  const store = options.dataFolder === undefined ? undefined : await openStore(options.dataFolder, world);
  const save = (afterRead = false) => store?.save(world, afterRead);
  const wasUsed = createConnectionMemory();
  const desk: Desk = { world, options, save, requests: [], counts: new Map(), working: new Set(), wasUsed };
  const server = createServer((request, response) => {
    answerRequest(desk, request, response).catch((error: unknown) => {
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
    requests: desk.requests,
    shut: door.shut,
    reopen: door.reopen,
    dropIdle: door.dropIdle,
    async close() {
      await door.close();
      await Promise.allSettled(desk.working);
      await Promise.all(world.scans.flatMap((scan) => [scan.analysis, scan.survey]));
      store?.close();
    },
  };
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The address is not looked at, only what stands behind it. */
const NOWHERE = 'http://127.0.0.1';

interface Desk {
  readonly world: World;
  readonly options: ScanServiceOptions;
  /** Called before an answer leaves: what was answered outlives the process. */
  readonly save: (afterRead: boolean) => void;
  readonly requests: LoggedRequest[];
  /** How many requests each point has had. */
  readonly counts: Map<string, number>;
  /** Requests in the middle of their work; closing waits for them. */
  readonly working: Set<Promise<unknown>>;
  readonly wasUsed: (socket: Socket) => boolean;
}

async function answerRequest(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, options, requests, counts } = desk;
  const { method = 'GET', url: path = '/', headers } = request;
  // An address that is none, such as `//`, is nowhere.
  const url = URL.parse(path, NOWHERE) ?? new URL(NOWHERE);
  const text = await readBody(request);
  const point = pointOf(method, url);
  const body = parsed(text);
  const log: LoggedRequest = { at: world.now(), method, path, point, body, status: undefined };
  requests.push(log);
  if (requests.length > (options.keptRequests ?? Number.POSITIVE_INFINITY)) requests.shift();
  const count = (counts.get(point) ?? 0) + 1;
  counts.set(point, count);
  const origin = originOf(request.socket.localPort ?? 0);
  const onUsedConnection = desk.wasUsed(request.socket);
  const interception = await options.intercept?.({
    method,
    path,
    point,
    count,
    onUsedConnection,
    headers,
    body,
  });
  const work = answerThrough(interception, async () => {
    const processed = await processRequest(world, { method, url, headers, text, origin });
    desk.save(method === 'GET');
    return processed;
  });
  desk.working.add(work);
  const answer = await work.finally(() => desk.working.delete(work));
  if ((options.latencyMs ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, options.latencyMs));
  const isWhole = interception === undefined || !('fault' in interception);
  if (isWhole) log.status = answer?.status;
  endExchange(response, interception, answer);
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
