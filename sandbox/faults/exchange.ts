import type { ServerResponse } from 'node:http';
import type { Handled } from './handled.ts';
import { publishHang } from './hangs.ts';
import type { Answer, Fault } from './interception.ts';

/** Ends an exchange as the interception says. After a `hang`, the connection stays open until the server is closed. */
export function endExchange(response: ServerResponse, { interception, answer }: Handled): void {
  if (interception !== undefined && 'fault' in interception) sendFault(response, interception.fault, answer);
  else if (answer !== undefined) sendAnswer(response, answer);
}

/** Sends an answer. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const { body, headers } = encode(answer);
  const length = answer.status === 204 ? {} : { 'content-length': String(body.length) };
  response.writeHead(answer.status, { ...headers, ...length }).end(body);
}

function sendFault(response: ServerResponse, fault: Fault, answer: Answer | undefined): void {
  const { socket } = response;
  switch (fault) {
    case 'reset-before':
    case 'reset-after':
      // A client can take a normal close for the end of the answer. A reset is always an error.
      socket?.resetAndDestroy();
      break;
    case 'close-before':
    case 'close-after':
      socket?.destroy();
      break;
    case 'hang-before':
    case 'hang-after':
      publishHang(socket?.remotePort);
      break;
    case 'hang-body':
    case 'cut-body':
    case 'cut-chunked': {
      if (answer === undefined) break;
      const { body, headers } = encode(answer);
      const length = fault === 'cut-chunked' ? {} : { 'content-length': String(body.length) };
      const half = body.subarray(0, Math.floor(body.length / 2));
      response.writeHead(answer.status, { ...headers, ...length }).write(half, () => {
        if (fault === 'hang-body') publishHang(socket?.remotePort);
        else socket?.destroy();
      });
    }
  }
}

/** Encodes the body and the headers of an answer. The headers do not include `Content-Length`. */
export function encode({ body, headers }: Answer): { body: Buffer; headers: Record<string, string> } {
  if (body === undefined) return { body: Buffer.alloc(0), headers: { ...headers } };
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  return {
    body: Buffer.isBuffer(body) ? body : Buffer.from(isText ? body : JSON.stringify(body)),
    headers: { 'content-type': type, ...headers },
  };
}
