type Observer = (clientPort: number) => void;

const observers = new Set<Observer>();

/**
 * Observes the fake servers of this process. If a server leaves a connection open without sending more, calls the
 * observer with the client's port. Returns a function that ends the observation.
 */
export function observeHangs(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishHang(clientPort: number | undefined): void {
  if (clientPort === undefined) return;
  for (const observer of observers) observer(clientPort);
}
