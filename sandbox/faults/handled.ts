import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Interception } from './interception.ts';

/** A request as a client sends it, whether over a socket or not. */
export interface SentRequest {
  readonly method: string;
  /** As it is sent, the query included. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined: larger than the stand-in reads. */
  readonly body: Buffer | undefined;
  /** Its connection has carried another request before. */
  readonly onUsedConnection: boolean;
}

/** What comes of a request. */
export interface Handled {
  readonly interception: Interception | undefined;
  /** Undefined where the fault comes before the work. */
  readonly answer: Answer | undefined;
}

/** Runs the work of a stand-in; a simulation lets its time stand still meanwhile. */
export type Work = <T>(work: () => Promise<T>) => Promise<T>;

/** Answers a request without a socket. Undefined while connections are refused. */
export type Handle = (request: SentRequest, work: Work) => Promise<Handled> | undefined;
