import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createControl } from './control.ts';
import { createWorld } from './create-world.ts';
import { readBody, sendAnswer, sendFault } from './http-edge.ts';
import type { Answer, Interception, ScanServiceOptions } from './options.ts';
import { API_PREFIX, pointOf, processRequest, type RawRequest } from './process-request.ts';
import { Refusal } from './refusal.ts';
import { type LoggedRequest, type ScanService, scanSnapshots } from './scan-service.ts';
import type { World } from './world.ts';

/** Starts the stand-in on a free port of the loopback interface. Throws where it cannot listen or has no token. */
export async function startScanService(options: ScanServiceOptions): Promise<ScanService> {
  const world = createWorld(options);
  const [first] = world.tokens;
  if (first === undefined) throw new Error('the stand-in needs at least one token');
  const desk: Desk = { world, options, requests: [], working: new Set() };
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
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    baseUrl: `${origin}${API_PREFIX}`,
    token: first.token,
    tokens: world.tokens.map(({ keyId, token, scopes }) => ({ keyId, token, scopes })),
    project: world.project,
    repositories: world.repositories,
    presets: world.presets,
    ledger: () => world.ledger.state(),
    scans: () => scanSnapshots(world),
    control: createControl(world),
    requests: desk.requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await Promise.allSettled(desk.working);
      await Promise.all(world.scans.map((scan) => scan.analysis));
    },
  };
}

interface Desk {
  readonly world: World;
  readonly options: ScanServiceOptions;
  readonly requests: LoggedRequest[];
  /** Requests in the middle of their work; closing waits for them. */
  readonly working: Set<Promise<unknown>>;
}

async function answerRequest(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, options, requests } = desk;
  const { method = 'GET', url: path = '/', headers } = request;
  const url = new URL(path, 'http://127.0.0.1');
  const text = await readBody(request);
  const point = pointOf(method, url);
  const body = parsed(text);
  const log: LoggedRequest = { at: world.now(), method, path, point, body, status: undefined };
  requests.push(log);
  const count = requests.filter((one) => one.point === point).length;
  const interception = await options.intercept?.({ method, path, point, count, headers, body });
  const work = answerOf(world, interception, { method, url, headers, text });
  desk.working.add(work);
  const answer = await work.finally(() => desk.working.delete(work));
  if ((options.latencyMs ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, options.latencyMs));
  if (interception !== undefined && 'fault' in interception) {
    sendFault(response, interception.fault, answer);
  } else if (answer !== undefined) {
    log.status = answer.status;
    sendAnswer(response, answer);
  }
}

/** Undefined where a fault comes before the work. */
async function answerOf(
  world: World,
  interception: Interception | undefined,
  request: RawRequest,
): Promise<Answer | undefined> {
  if (interception === undefined) return processRequest(world, request);
  if ('status' in interception) return interception;
  if ('rewrite' in interception) return interception.rewrite(await processRequest(world, request));
  return interception.fault.endsWith('-before') ? undefined : processRequest(world, request);
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
