type Observer = (clientPort: number) => void;

const observers = new Set<Observer>();

/**
 * Observes the fake servers of this process. When a server lets a connection hang, calls the observer with the client's
 * port. Returns a function that ends the observation.
 */
export function observeHangs(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishHang(clientPort: number | undefined): void {
  if (clientPort === undefined) return;
  for (const observer of observers) observer(clientPort);
}
