import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Fault } from './options.ts';

/** Larger bodies are answered with 400. */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** The whole body as text; undefined when it is too large. It is read to its end, so that the answer arrives. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= LARGEST_BODY_BYTES) chunks.push(bytes);
  }
  return size > LARGEST_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Sends an answer. Returns when it is handed over. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const { body, headers } = encode(answer);
  response.writeHead(answer.status, headers).end(body);
}

/** Breaks the connection at the place that the fault names; a hang leaves it open until the service is closed. */
export function sendFault(response: ServerResponse, fault: Fault, answer: Answer | undefined): void {
  if (fault === 'reset-before' || fault === 'reset-after') {
    // With a reset rather than a quiet end: the client cannot take it for an answer.
    response.socket?.resetAndDestroy();
  } else if ((fault === 'cut-body' || fault === 'hang-body') && answer !== undefined) {
    const { body, headers } = encode(answer);
    const half = body.subarray(0, Math.floor(body.length / 2));
    response.writeHead(answer.status, headers).write(half, () => {
      if (fault === 'cut-body') response.socket?.destroy();
    });
  }
}

function encode(answer: Answer): { body: Buffer; headers: Record<string, string> } {
  const { body } = answer;
  const isText = typeof body === 'string';
  const bytes = Buffer.from(isText ? body : body === undefined ? '' : JSON.stringify(body));
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  const headers = { 'content-type': type, ...answer.headers, 'content-length': String(bytes.length) };
  return { body: bytes, headers };
}
