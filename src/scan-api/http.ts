import type { Clock } from '../clock.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { stopCause } from '../domain/stop.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { redactor } from '../text/redact.ts';
import type { ApiError, Nonsense, Operation } from './api-error.ts';
import { readConnectionError } from './connection-error.ts';
import { parseRetryAfter } from './retry-after.ts';
import { decodeRefusal } from './wire.ts';

/** Ours: long enough for a page of findings on a slow line, short enough that a dead connection is noticed. */
const ATTEMPT_TIMEOUT_MS = 30_000;
/** Ours, counted after decompression: a hundred findings with their details take well under a tenth of it. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;

export interface HttpRequest {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  /** Below `base-url`, query included; ids in it are encoded. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** A 2xx answer whose body is JSON; its shape is not yet checked. */
export interface HttpAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly retryAfterSeconds: number | undefined;
}

export interface Http {
  /** One attempt. Every failure is a value without the token in it. */
  request(request: HttpRequest): Promise<Result<HttpAnswer, ApiError>>;
  /** Hides the token in a text that may echo it. */
  readonly redact: (text: string) => string;
}

export interface HttpOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly attemptTimeoutMs?: number;
}

/** The one place that speaks HTTP with the service. */
export function createHttp(options: HttpOptions): Http {
  const { baseUrl, token, clock } = options;
  const redact = redactor(token);

  async function request(call: HttpRequest): Promise<Result<HttpAnswer, ApiError>> {
    const { operation, method, path, body, signal } = call;
    const stopped = (sent: 'no' | 'unknown') =>
      err({ kind: 'stopped', operation, sent, by: stopCause(signal) ?? 'signal' } as const);
    if (signal.aborted) return stopped('no');

    // One deadline for the whole attempt: a body that stalls after its headers is as dead as a silent server.
    const deadline = clock.timeout(options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS);
    const ended = new AbortController();
    const attempt = AbortSignal.any([signal, deadline.signal, ended.signal]);
    try {
      const response = await options.fetch(`${baseUrl}${path}`, {
        method,
        // A followed redirect would send the POST again, and the token elsewhere.
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          'user-agent': 'scangate',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: attempt,
      });
      return await readAnswer(operation, response);
    } catch (thrown) {
      if (signal.aborted) return stopped('unknown');
      if (deadline.signal.aborted) {
        const detail = 'no complete answer in time';
        return err({ kind: 'unreachable', operation, sent: 'unknown', cause: 'timeout', detail });
      }
      const reading = readConnectionError(thrown);
      return err({ kind: 'unreachable', operation, ...reading, detail: foreignLine(redact(reading.detail)) });
    } finally {
      deadline.clear();
      // Drops the connection of an answer that was not read to its end; nothing to a finished one.
      ended.abort();
    }
  }

  async function readAnswer(operation: Operation, response: Response): Promise<Result<HttpAnswer, ApiError>> {
    const { status } = response;
    const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'), clock.date());
    const nonsense = (problem: Nonsense['problem'], detail: string) =>
      err({
        kind: 'nonsense',
        operation,
        status,
        problem,
        detail: foreignLine(redact(detail)),
        retryAfterSeconds,
      } as const);

    if ((status >= 300 && status < 400) || response.type === 'opaqueredirect') {
      return nonsense('redirect', redirectTarget(response, baseUrl));
    }
    const text = await readBody(response);
    if (text === undefined) return nonsense('oversize', 'more than 10 MiB');
    const json = parseJson(text, redact);
    if (json === undefined) {
      return nonsense('not-json', text.trim() === '' ? 'an empty body' : `a body that begins with ${text}`);
    }
    if (response.ok) return ok({ status, json: json.value, retryAfterSeconds });
    const refusal = decodeRefusal(json.value);
    if (!refusal.ok) return nonsense('wrong-shape', refusal.error);
    const { code, message } = refusal.value;
    return err({
      kind: 'refused',
      operation,
      status,
      code,
      message,
      retryAfterSeconds,
      tooFresh: false,
    });
  }

  return { request, redact };
}

/** Undefined when there is more than we read. Throws when the connection fails. */
async function readBody(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Boxed, because `null` is JSON too. A service, or the code it scanned, may echo the token: no string that holds it
 * gets past here, whatever its escapes.
 */
function parseJson(text: string, redact: (text: string) => string): { readonly value: unknown } | undefined {
  try {
    return {
      value: JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? redact(value) : value)),
    };
  } catch {
    return undefined;
  }
}

/** Only the origin and path: a query may carry secrets of somebody else. */
function redirectTarget(response: Response, baseUrl: string): string {
  const location = response.headers.get('location');
  const target = location === null ? null : URL.parse(location, baseUrl);
  return target === null ? 'a redirect' : `a redirect to ${target.origin}${target.pathname}`;
}
