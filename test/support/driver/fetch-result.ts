import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { encode } from '../../../sandbox/faults/exchange.ts';
import type { Handled } from '../../../sandbox/faults/handled.ts';
import type { Answer, Fault } from '../../../sandbox/faults/interception.ts';
import { ErrorData, errorOf } from './error-data.ts';

/** The result of a request. It is an answer, an error that `fetch` throws, half a body, or nothing at all. */
export type FetchResult =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'throws'; readonly error: Error }
  | { readonly kind: 'hangs' }
  /** After half the body, `error` follows. If it is undefined, nothing follows. */
  | { readonly kind: 'half'; readonly answer: Answer; readonly error: Error | undefined };

/**
 * The errors that Node throws if a connection fails, or if a body is cut off. They were recorded over sockets.
 * `test/simulation/fault-values.test.ts` fails if Node throws other errors.
 */
const THROWN = v.parse(
  v.object({
    refused: ErrorData,
    reset: ErrorData,
    close: ErrorData,
    'cut-body': ErrorData,
    'cut-chunked': ErrorData,
  }),
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'socket-errors.json'), 'utf8')),
);

export type SocketError = keyof typeof THROWN;

export function socketError(name: SocketError): Error {
  return errorOf(THROWN[name]);
}

/**
 * What a client sees of an exchange.
 * @param handled the exchange as a fake server handled it; undefined if the connection was refused
 */
export function fetchResultOf(handled: Handled | undefined): FetchResult {
  if (handled === undefined) return { kind: 'throws', error: socketError('refused') };
  const { interception, answer } = handled;
  if (interception !== undefined && 'fault' in interception)
    return fetchResultOfFault(interception.fault, answer);
  return answer === undefined ? { kind: 'hangs' } : { kind: 'answer', answer };
}

function fetchResultOfFault(fault: Fault, answer: Answer | undefined): FetchResult {
  switch (fault) {
    case 'reset-before':
    case 'reset-after':
      return { kind: 'throws', error: socketError('reset') };
    case 'close-before':
    case 'close-after':
      return { kind: 'throws', error: socketError('close') };
    case 'hang-before':
    case 'hang-after':
      return { kind: 'hangs' };
    case 'hang-body':
    case 'cut-body':
    case 'cut-chunked':
      if (answer === undefined) return { kind: 'hangs' };
      return { kind: 'half', answer, error: fault === 'hang-body' ? undefined : socketError(fault) };
  }
}

/** The decompressed bodies. Each body is decompressed only once. */
const plainBodies = new WeakMap<object, Buffer>();

/** The response that `fetch` creates from an answer, or from half an answer. */
export function responseOf(
  result: Extract<FetchResult, { readonly kind: 'answer' | 'half' }>,
  url: string,
  signal: AbortSignal | null | undefined,
): Response {
  const { status } = result.answer;
  const { body, headers } = encode(result.answer);
  const plain = headers['content-encoding'] === 'gzip' ? decompressed(result.answer.body, body) : body;
  const text =
    status === 204 || status === 304
      ? null
      : result.kind === 'answer'
        ? wholeOf(plain)
        : halfOf(plain, result.error, signal);
  // A constructed response has no address, so it is added.
  return Object.defineProperty(new Response(text, { status, headers }), 'url', { value: url });
}

function decompressed(key: unknown, body: Buffer): Buffer {
  if (typeof key !== 'object' || key === null) return gunzipSync(body);
  const known = plainBodies.get(key) ?? gunzipSync(body);
  plainBodies.set(key, known);
  return known;
}

/** A body arrives in chunks of this size, as over a socket. A reader that stops early gets only some of them. */
const CHUNK_BYTES = 1024 * 1024;

function wholeOf(body: Buffer): Buffer | ReadableStream<Uint8Array> {
  if (body.length <= CHUNK_BYTES) return body;
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(body.subarray(sent, sent + CHUNK_BYTES));
      sent += CHUNK_BYTES;
      if (sent >= body.length) controller.close();
    },
  });
}

function halfOf(
  body: Buffer,
  error: Error | undefined,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(body.subarray(0, Math.floor(body.length / 2)));
        return undefined;
      }
      if (error === undefined) return new Promise(() => {});
      controller.error(error);
      return undefined;
    },
  });
}
