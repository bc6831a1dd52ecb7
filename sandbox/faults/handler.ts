import type { IncomingHttpHeaders } from 'node:http';
import type { Handled, SentRequest, Work } from './handled.ts';
import { type Answer, answerThrough, type Interception } from './interception.ts';
import type { ServerClock } from './server-clock.ts';

/** A request in the log of a fake server. */
export interface LoggedRequest<Point extends string = string> {
  readonly at: Date;
  readonly method: string;
  /** The path and the query, as the client sent them. */
  readonly path: string;
  /** The kind of the request, such as `scans.launch`. `unknown` if the server has no such route. */
  readonly point: Point;
  /** The number of requests of this kind so far, including this one. */
  readonly count: number;
  /** The parsed body if it is JSON, otherwise its text. Undefined if the request has no body. */
  readonly body: unknown;
  /** True if this is not the first request on the connection. */
  readonly onUsedConnection: boolean;
  /** Undefined until the request is answered. If a fault replaces the answer, it stays undefined. */
  status: number | undefined;
}

/**
 * Returns what replaces the normal exchange. Undefined keeps the normal exchange. The log has no headers, because they
 * hold the token.
 */
export type Intercept<Point extends string = string> = (
  request: Readonly<LoggedRequest<Point>> & { readonly headers: IncomingHttpHeaders },
) => Interception | undefined | Promise<Interception | undefined>;

/** The kind of a request, and the function that answers it. */
export interface Dispatch<Point extends string = string> {
  readonly point: Point;
  answer(): Answer | Promise<Answer>;
  /** Called if an interception prevents the request from being processed. */
  skip?(): void;
}

export interface HandlerOptions<Point extends string> {
  readonly clock: ServerClock;
  readonly intercept?: Intercept<Point> | undefined;
  /** How many of the newest requests are kept in `requests`. Default: all. */
  readonly keptRequests?: number | undefined;
  /** Finds the kind of a request. `body` is the body as `LoggedRequest` has it. */
  dispatch(request: SentRequest, body: unknown, origin: string): Dispatch<Point>;
}

/** Creates the function that logs a request, calls the interceptor, and answers. */
export function createHandler<Point extends string>(options: HandlerOptions<Point>, origin: string) {
  const requests: LoggedRequest<Point>[] = [];
  const counts = new Map<Point, number>();
  const working = new Set<Promise<unknown>>();
  return {
    requests,
    /** Resolves when no request is in progress. */
    settled: () => Promise.allSettled(working),
    async handle(request: SentRequest, work: Work): Promise<Handled> {
      const { method, path, headers, onUsedConnection } = request;
      const body = parsed(request.body);
      const { point, answer: process, skip } = options.dispatch(request, body, origin);
      const count = (counts.get(point) ?? 0) + 1;
      counts.set(point, count);
      const at = options.clock.now();
      const arrived = { at, method, path, point, count, body, onUsedConnection };
      const log: LoggedRequest<Point> = { ...arrived, status: undefined };
      requests.push(log);
      if (requests.length > (options.keptRequests ?? Number.POSITIVE_INFINITY)) requests.shift();
      const interception = await options.intercept?.({ ...log, headers });
      let isProcessed = false;
      const answering = answerThrough(interception, () => {
        isProcessed = true;
        return work(async () => process());
      });
      working.add(answering);
      const answer = await answering.finally(() => working.delete(answering));
      if (!isProcessed) skip?.();
      if (interception === undefined || !('fault' in interception)) log.status = answer?.status;
      return { interception, answer };
    },
  };
}

/** Parses a body if it is JSON, otherwise returns its text. Undefined if there is no body. */
function parsed(bytes: Buffer | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
