type Observer = (clientPort: number) => void;

const observers = new Set<Observer>();

/**
 * Calls the observer with the client's port of every connection on which a fake server of this process stops sending.
 * Returns a function that ends the observation.
 */
export function observeHangs(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishHang(clientPort: number | undefined): void {
  if (clientPort === undefined) return;
  for (const observer of observers) observer(clientPort);
}
