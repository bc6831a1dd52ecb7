type Observer = (clientPort: number) => void;

const observers = new Set<Observer>();

/**
 * Has the client's port of every connection shown on which a stand-in of this process sends nothing any more, until
 * what it returns is called.
 */
export function observeHangs(observer: Observer): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function publishHang(clientPort: number | undefined): void {
  if (clientPort === undefined) return;
  for (const observer of observers) observer(clientPort);
}
