import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Interception } from './interception.ts';

/** A client's request. It can come over a socket or by a direct call. */
export interface SentRequest {
  readonly method: string;
  /** The path and the query, as the client sends them. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the body exceeds the limit of the fake server. */
  readonly body: Buffer | undefined;
  /** True if this is not the first request on the connection. */
  readonly onUsedConnection: boolean;
}

/** The result of a request. */
export interface Handled {
  readonly interception: Interception | undefined;
  /** Undefined if a fault prevents the request from being processed. */
  readonly answer: Answer | undefined;
}

/** Runs the work of a fake server. In a simulation, the clock stands still during this work. */
export type Work = <T>(work: () => Promise<T>) => Promise<T>;

/** Answers a request without a socket. Returns undefined while the server refuses connections. */
export type Handle = (request: SentRequest, work: Work) => Promise<Handled> | undefined;
