import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../faults/interception.ts';
import type { ServiceState } from './state.ts';

/** A request whose body was read as text. */
export interface RawRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the body exceeds the limit of the fake servers. */
  readonly text: string | undefined;
}

/** One request to a fake service of this process, and its answer. */
export interface Exchange {
  readonly settings: ServiceState['settings'];
  readonly request: RawRequest;
  /** The answer before a fault changes it. Undefined if the fake service did not process the request. */
  readonly answer: Answer | undefined;
}

type Observer = (exchange: Exchange) => void;

const observers = new Set<Observer>();

/** Observes all exchanges of all fake services in this process. Returns a function that ends the observation. */
export function observeExchanges(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishExchange(exchange: Exchange): void {
  for (const observer of observers) observer(exchange);
}
