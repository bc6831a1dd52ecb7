import type { Answer } from '../faults/interception.ts';
import type { RawRequest } from './raw-request.ts';
import type { ServiceState } from './state.ts';

/** One request to a fake service of this process, and its answer. */
export interface Exchange {
  readonly settings: ServiceState['settings'];
  readonly request: RawRequest;
  /** The answer of the fake service before any fault. Undefined if it did not process the request. */
  readonly answer: Answer | undefined;
}

type Observer = (exchange: Exchange) => void;

const observers = new Set<Observer>();

/** Calls the observer with every exchange of every fake service in this process. Returns a function that stops it. */
export function observeExchanges(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishExchange(exchange: Exchange): void {
  for (const observer of observers) observer(exchange);
}
