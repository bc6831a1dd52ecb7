import type { Server } from 'node:http';

/** Makes a server refuse connections for some time. The port stays the same. */
export interface PortControl {
  /** Returns false while connections are refused. */
  readonly isOpen: () => boolean;
  /** Refuses new connections. Still answers the requests that have arrived. */
  refuseConnections(): void;
  /** Accepts connections again. Rejects if another program has taken the port. */
  acceptConnections(): Promise<void>;
  /** Closes every idle connection without an answer. */
  dropIdle(): void;
  /** Breaks every connection. Resolves when all are closed. */
  close(): Promise<void>;
}

export function createPortControl(server: Server, port: number): PortControl {
  let gone: Promise<void> | undefined;
  const leave = () => {
    gone ??= new Promise((resolve) => server.close(() => resolve()));
    return gone;
  };
  return {
    isOpen: () => server.listening,
    refuseConnections: () => void leave(),
    async acceptConnections() {
      if (server.listening) return;
      await gone;
      gone = undefined;
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
    },
    dropIdle: () => server.closeIdleConnections(),
    async close() {
      const left = leave();
      server.closeAllConnections();
      await left;
    },
  };
}
