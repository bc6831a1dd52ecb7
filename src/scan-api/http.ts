import type { Clock } from '../clock.ts';
import { err, ok, type Result, stopCause } from '../domain/result.ts';
import { type Debug, largestBody, limitedFetch, requestLine, withDeadline } from '../http/attempt.ts';
import { type ConnectionFailure, readConnectionError } from '../http/connection-error.ts';
import { parseHttpDate, parseRetryAfter } from '../http/retry.ts';
import { redactor } from '../text/redact.ts';
import { foreignLine } from '../text/visible-text.ts';
import type { ApiError, InvalidAnswer, Operation } from './api-error.ts';
import { decodeRefusal } from './wire.ts';

/** The segments of the service's paths that are not ids. */
const FIXED_SEGMENTS = new Set([
  'cancel',
  'findings',
  'projects',
  'publish',
  'repositories',
  'resolution',
  'scan-presets',
  'scans',
  'token',
]);

/**
 * Removes the ids and the query from a path, for the log. Every segment that is not in `FIXED_SEGMENTS` counts as an
 * id.
 */
export function routeOf(path: string): string {
  const [plain = ''] = path.split('?');
  return plain
    .split('/')
    .map((segment) => (segment === '' || FIXED_SEGMENTS.has(segment) ? segment : '{id}'))
    .join('/');
}

export interface HttpRequest {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path after `base-url`, with the query. Ids are encoded already. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** The number of the attempt, from 1. The debug log shows it. */
  readonly attempt: number;
}

/** A 2xx answer with a JSON body. The body is not validated yet. */
export interface HttpAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly retryAfterSeconds: number | undefined;
  /** The time of the answer by the service's clock. Undefined if the answer has no valid `Date` header. */
  readonly date: Date | undefined;
}

export interface HttpOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /**
   * Resolves to true if errors may contain texts of the service. False if everyone can read the log, as in a public
   * repository. Asked only for an error.
   */
  readonly showMessages: () => Promise<boolean>;
  readonly attemptTimeoutMs?: number;
  /**
   * Returns the milliseconds until this run ends. If the service asks for a longer wait, the error has `outlastsRun`.
   * Default: the run has no end.
   */
  readonly leftMs?: () => number;
  /** Receives one line per request. Undefined if there is no debug log. */
  readonly debug?: Debug | undefined;
}

/**
 * Creates the client for all requests to the service. `request` sends a request once, and returns a failure as a value
 * that does not contain the token. `redact` removes the token from a text.
 */
export function createHttp(options: HttpOptions) {
  const { baseUrl, token, clock, leftMs = () => Number.POSITIVE_INFINITY } = options;
  const redact = redactor(token);

  async function request(call: HttpRequest): Promise<Result<HttpAnswer, ApiError>> {
    const { operation, method, path, body, signal } = call;
    const stopped = (sent: 'no' | 'unknown') =>
      err({ kind: 'stopped', operation, sent, by: stopCause(signal) ?? 'signal' } as const);
    const unreachable = ({ detail, ...failure }: ConnectionFailure) =>
      err({ kind: 'unreachable', operation, ...failure, detail: foreignLine(redact(detail)) } as const);
    if (signal.aborted) return stopped('no');

    return withDeadline({ clock, signal, ms: options.attemptTimeoutMs }, async (attempt) => {
      let oversize = false;
      const limited = limitedFetch(options.fetch, 'service', () => {
        oversize = true;
      });
      try {
        const response = await limited(`${baseUrl}${path}`, {
          method,
          // Following a redirect would repeat a POST, and could send the token to another address.
          redirect: 'manual',
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${token}`,
            'user-agent': 'scangate',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: body === undefined ? null : JSON.stringify(body),
          signal: attempt.signal,
        });
        return await readAnswer(operation, response, () => oversize);
      } catch (thrown) {
        const endedBy = attempt.endedBy();
        if (endedBy === 'caller') return stopped('unknown');
        if (endedBy === undefined) return unreachable(readConnectionError(thrown));
        return unreachable({ sent: 'unknown', cause: 'timeout', detail: 'no complete response in time' });
      }
    });
  }

  async function readAnswer(
    operation: Operation,
    response: Response,
    isOversize: () => boolean,
  ): Promise<Result<HttpAnswer, ApiError>> {
    const { status } = response;
    const date = parseHttpDate(response.headers.get('date') ?? '');
    const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'), date ?? clock.date());
    const outlastsRun = retryAfterSeconds !== undefined && retryAfterSeconds * 1_000 >= leftMs();
    const lasting = outlastsRun ? { outlastsRun } : {};
    const invalid = (problem: InvalidAnswer['problem'], detail: string) =>
      err({
        kind: 'invalid',
        operation,
        status,
        problem,
        detail: foreignLine(redact(detail)),
        retryAfterSeconds,
        ...lasting,
      } as const);

    if ((status >= 300 && status < 400) || response.type === 'opaqueredirect') {
      // The address in a redirect may quote a finding. So the error omits the address if errors may not contain texts
      // of the service.
      return invalid(
        'redirect',
        (await options.showMessages()) ? redirectTarget(response, baseUrl) : 'a redirect',
      );
    }
    const text = await response.text().catch((thrown: unknown) => {
      if (isOversize()) return undefined;
      throw thrown;
    });
    if (text === undefined) return invalid('oversize', `more than ${largestBody('service')}`);
    const json = parseJson(text, redact);
    if (json === undefined) {
      return invalid('not-json', bodyShown(text, await options.showMessages()));
    }
    if (response.ok) return ok({ status, json: json.value, retryAfterSeconds, date });
    const refusal = decodeRefusal(json.value);
    if (!refusal.ok) return invalid('wrong-shape', refusal.error);
    const { code, message } = refusal.value;
    return err({
      kind: 'refused',
      operation,
      status,
      code,
      message: (await options.showMessages()) ? message : '',
      retryAfterSeconds,
      ...lasting,
    });
  }

  async function tracedRequest(call: HttpRequest): Promise<Result<HttpAnswer, ApiError>> {
    const began = clock.now();
    const answer = await request(call);
    const end = endOf(answer);
    if (end !== undefined) {
      const { method, path, attempt } = call;
      const ms = clock.now() - began;
      options.debug?.(redact(requestLine({ method, route: routeOf(path), end, attempt, ms })));
    }
    return answer;
  }

  return { request: options.debug === undefined ? request : tracedRequest, redact };
}

function bodyShown(text: string, showMessages: boolean): string {
  if (text.trim() === '') return 'an empty body';
  return showMessages ? `a body that begins with ${text}` : 'a body of another format';
}

/** Describes how the request ended, for the debug log. Undefined if the request was not sent. */
function endOf(answer: Result<HttpAnswer, ApiError>): string | undefined {
  if (answer.ok) return String(answer.value.status);
  const { error } = answer;
  switch (error.kind) {
    case 'refused':
      return `${error.status} refused`;
    case 'invalid':
      return `${error.status} ${error.problem}`;
    case 'unreachable':
      return error.cause;
    case 'stopped':
      return error.sent === 'no' ? undefined : 'stopped';
  }
}

/**
 * Parses JSON, and removes the token from every string. The service or the scanned code may repeat the token. In the
 * text, JSON escapes can disguise the token, so this function searches the parsed strings.
 * @returns the parsed value in an object; undefined if the text is not valid JSON
 */
function parseJson(text: string, redact: (text: string) => string): { readonly value: unknown } | undefined {
  try {
    return { value: redactStrings(JSON.parse(text), redact) };
  } catch {
    return undefined;
  }
}

/** Removes the token from the parsed strings, in place. A reviver of JSON.parse would take several times as long. */
function redactStrings(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name);
    const redacted = redactStrings(member, redact);
    if (redacted !== member) Reflect.set(value, name, redacted);
  }
  return value;
}

/** Returns the origin and the path of the redirect's target. Leaves out the query, because it may contain secrets. */
function redirectTarget(response: Response, baseUrl: string): string {
  const location = response.headers.get('location');
  const target = location === null ? null : URL.parse(location, baseUrl);
  return target === null ? 'a redirect' : `a redirect to ${target.origin}${target.pathname}`;
}
