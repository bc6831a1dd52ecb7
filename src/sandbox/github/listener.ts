import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerOf, type Permissions } from './access.ts';
import { type Answer, refuse } from './answer.ts';
import { BROKEN_JSON, dispatch, type Incoming } from './dispatch.ts';
import type { Fault, Intercept, LoggedRequest } from './faults.ts';
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
  return (request, response) => {
    handle(setup, request, response).catch((error: unknown) => {
      // A client that went away is no fault of the server's; anything else must be seen.
      if (!response.destroyed)
        send(response, refuse(500, error instanceof Error ? error.message : 'Server Error'));
    });
  };
}

async function handle(
  setup: ListenerSetup,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const incoming = await read(request, setup);
  const { point, answer } = dispatch(incoming, setup.world, setup.permissions);
  const logged: LoggedRequest = {
    method: incoming.method,
    path: request.url ?? '',
    point,
    count: setup.requests.filter((earlier) => earlier.point === point).length + 1,
    body: incoming.body === BROKEN_JSON ? undefined : incoming.body,
    caller: incoming.caller,
  };
  setup.requests.push(logged);
  if (setup.latencyMs > 0) await sleep(setup.latencyMs);
  const fault = await setup.intercept?.(logged);
  if (fault === undefined) return send(response, await answer());
  await suffer(fault, response, answer);
}

async function suffer(
  fault: Fault,
  response: ServerResponse,
  answer: () => Answer | Promise<Answer>,
): Promise<void> {
  if ('status' in fault) return send(response, { ...fault, body: textOf(fault.body) });
  if (fault.fault === 'hang') return;
  if (fault.fault === 'reset-after') await answer();
  response.socket?.resetAndDestroy();
}

function textOf(body: unknown): unknown {
  return typeof body === 'string' ? Buffer.from(body) : body;
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

function send(response: ServerResponse, answer: Answer): void {
  const { status, headers = {}, body } = answer;
  if (body === undefined) {
    response.writeHead(status, headers).end();
  } else if (Buffer.isBuffer(body)) {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(body);
  } else {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body));
  }
}
