import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { endExchange, sendAnswer } from '../faults/exchange.ts';
import { answerThrough } from '../faults/interception.ts';
import { createConnectionMemory } from '../faults/used-connections.ts';
import { callerOf, type Permissions } from './access.ts';
import { refuse } from './answer.ts';
import { BROKEN_JSON, dispatch, type Incoming } from './dispatch.ts';
import type { Intercept, LoggedRequest } from './faults.ts';
import type { World } from './routes.ts';

export interface ListenerSetup {
  readonly world: World;
  readonly permissions: Permissions;
  readonly token: string;
  readonly origin: string;
  readonly requests: LoggedRequest[];
  readonly intercept: Intercept | undefined;
  readonly latencyMs: number;
}

/** Reads a request, logs it, lets the interceptor have its way, and sends the answer. */
export function listener(setup: ListenerSetup): (request: IncomingMessage, response: ServerResponse) => void {
  const wasUsed = createConnectionMemory();
  return (request, response) => {
    handle(setup, request, response, wasUsed(request.socket)).catch((error: unknown) => {
      // A client that went away is no fault of the server's; anything else must be seen.
      if (!response.destroyed)
        sendAnswer(response, refuse(500, error instanceof Error ? error.message : 'Server Error'));
    });
  };
}

async function handle(
  setup: ListenerSetup,
  request: IncomingMessage,
  response: ServerResponse,
  onUsedConnection: boolean,
): Promise<void> {
  const incoming = await read(request, setup);
  const { point, answer } = dispatch(incoming, setup.world, setup.permissions);
  const logged: LoggedRequest = {
    method: incoming.method,
    path: request.url ?? '',
    point,
    count: setup.requests.filter((earlier) => earlier.point === point).length + 1,
    body: incoming.body === BROKEN_JSON ? undefined : incoming.body,
    onUsedConnection,
    caller: incoming.caller,
  };
  setup.requests.push(logged);
  if (setup.latencyMs > 0) await sleep(setup.latencyMs);
  const interception = await setup.intercept?.(logged);
  endExchange(response, interception, await answerThrough(interception, answer));
}

async function read(request: IncomingMessage, setup: ListenerSetup): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const raw = Buffer.concat(chunks);
  const isGit = request.headers['content-type']?.startsWith('application/x-git') === true;
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', setup.origin),
    headers: request.headers,
    raw,
    body: raw.length === 0 || isGit ? undefined : parse(raw),
    caller: callerOf(request.headers, setup.token),
  };
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return BROKEN_JSON;
  }
}
