import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { endExchange, sendAnswer } from '../faults/exchange.ts';
import { createKeepAliveTracker } from '../faults/keep-alive-tracker.ts';
import { refuse } from './answer.ts';
import { type HandlerSetup, handleRequest } from './handler.ts';

/** Reads requests from sockets, and sends the answers. */
export function listener(
  setup: HandlerSetup,
  latencyMs: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  const wasUsed = createKeepAliveTracker();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const onUsedConnection = wasUsed(request.socket);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (latencyMs > 0) await sleep(latencyMs);
    const sent = { method, path, headers, body: Buffer.concat(chunks), onUsedConnection };
    endExchange(response, await handleRequest(setup, sent, (work) => work()));
  };
  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // The answer is the error. A client that has disconnected gets no answer.
      if (!response.destroyed)
        sendAnswer(response, refuse(500, error instanceof Error ? error.message : 'Server Error'));
    });
  };
}
