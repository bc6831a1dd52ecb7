import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Interception } from './interception.ts';

/** A request as a client sends it, over a socket or not. */
export interface SentRequest {
  readonly method: string;
  /** As the client sends it, with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the body exceeds the fake server's limit. */
  readonly body: Buffer | undefined;
  /** Whether its connection has carried another request before. */
  readonly onUsedConnection: boolean;
}

/** The result of a request. */
export interface Handled {
  readonly interception: Interception | undefined;
  /** Undefined if the fault happens before the request is processed. */
  readonly answer: Answer | undefined;
}

/** Runs the work of a fake server. A simulation stops its clock meanwhile. */
export type Work = <T>(work: () => Promise<T>) => Promise<T>;

/** Answers a request without a socket. Returns undefined while connections are refused. */
export type Handle = (request: SentRequest, work: Work) => Promise<Handled> | undefined;
