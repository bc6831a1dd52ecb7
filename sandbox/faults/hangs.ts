type Observer = (clientPort: number) => void;

const observers = new Set<Observer>();

/**
 * Observes the fake servers of this process. Calls the observer for each connection on which a server stops sending,
 * with the port of the client. Returns a function that ends the observation.
 */
export function observeHangs(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishHang(clientPort: number | undefined): void {
  if (clientPort === undefined) return;
  for (const observer of observers) observer(clientPort);
}
