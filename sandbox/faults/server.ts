import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endExchange, sendAnswer } from './exchange.ts';
import type { Handled, SentRequest, Work } from './handled.ts';
import { createHandler, type HandlerOptions } from './handler.ts';
import type { Answer } from './interception.ts';
import type { ServerClock } from './server-clock.ts';

// An import of `node:http` would also load the client for web sockets. Loading it takes as long as loading the rest of
// a fake server.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Our choice. Larger bodies do not reach the fake server. The old and the new guidance of a repository fit into one
 * body, even if every character is escaped.
 */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;

/** The options that callers of a fake server may set. */
export interface ListenOptions<Point extends string>
  extends Pick<HandlerOptions<Point>, 'intercept' | 'keptRequests'> {
  /** Default: the clock of this machine. */
  readonly clock?: ServerClock;
  /** The port on the loopback interface. Default: 0, which means any free port. */
  readonly port?: number | undefined;
  /** The milliseconds that the server waits before each answer. Default: 0. */
  readonly latencyMs?: number | undefined;
}

export interface ServerOptions<Point extends string> extends ListenOptions<Point>, HandlerOptions<Point> {
  readonly clock: ServerClock;
  /** Returns the answer after an error in the fake server itself. */
  readonly onError: (error: unknown) => Answer;
}

/** Starts a server on the loopback interface that can lose requests and answers. Throws if it cannot listen. */
export async function startServer<Point extends string>(options: ServerOptions<Point>) {
  const { port = 0, latencyMs = 0, onError } = options;
  const server = createServer();
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const { handle, requests, settled } = createHandler(options, origin);
  const used = new WeakSet<Socket>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const handled = await handle(await receive(request, used), (work) => work());
    if (latencyMs > 0) await sleep(latencyMs);
    endExchange(response, handled);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A client that has disconnected gets no answer.
      if (request.errored !== null || response.destroyed) return;
      const failure = onError(error);
      if (response.headersSent) response.destroy();
      else sendAnswer(response, failure);
    });
  });
  let gone: Promise<void> | undefined;
  const leave = () => {
    gone ??= new Promise((resolve) => server.close(() => resolve()));
    return gone;
  };
  return {
    /** For example `http://127.0.0.1:8080`. */
    origin,
    /** The requests in the order of their arrival. The list changes while the server runs. */
    requests,
    /** Answers a request without a socket. Returns undefined while the server refuses connections. */
    handle: (request: SentRequest, work: Work): Promise<Handled> | undefined =>
      server.listening ? handle(request, work) : undefined,
    /** Refuses connections until `acceptConnections` is called. Still answers the requests that have arrived. */
    refuseConnections: () => void leave(),
    /** Rejects if another program has taken the port. */
    async acceptConnections(): Promise<void> {
      if (server.listening) return;
      await gone;
      gone = undefined;
      await listen(server, address.port);
    },
    /** Closes every idle connection without an answer, as a load balancer does. */
    dropIdle: () => server.closeIdleConnections(),
    /** Stops listening, and breaks every open connection. Resolves when no request is in progress. */
    async close(): Promise<void> {
      const left = leave();
      server.closeAllConnections();
      await left;
      await settled();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Reads a request to its end, even if its body is too large. Otherwise the client would not get the answer. */
async function receive(request: IncomingMessage, used: WeakSet<Socket>): Promise<SentRequest> {
  const { method = 'GET', url: path = '/', headers, socket } = request;
  const onUsedConnection = used.has(socket);
  used.add(socket);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= LARGEST_BODY_BYTES) chunks.push(bytes);
  }
  const body = size > LARGEST_BODY_BYTES ? undefined : Buffer.concat(chunks);
  return { method, path, headers, body, onUsedConnection };
}
