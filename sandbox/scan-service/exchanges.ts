import type { Answer } from '../faults/interception.ts';
import type { RawRequest } from './raw-request.ts';
import type { World } from './world.ts';

/** One request to a stand-in of this process, and what it was answered. */
export interface Exchange {
  readonly settings: World['settings'];
  readonly request: RawRequest;
  /** As the stand-in itself made it, whatever became of it; undefined where it did not process the request. */
  readonly answer: Answer | undefined;
}

type Observer = (exchange: Exchange) => void;

const observers = new Set<Observer>();

/** Has every exchange of every stand-in of this process shown to the observer, until what it returns is called. */
export function observeExchanges(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishExchange(exchange: Exchange): void {
  for (const observer of observers) observer(exchange);
}
