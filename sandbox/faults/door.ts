import type { Server } from 'node:http';

/** Lets a listening server leave its port, so that connections to it are refused, and come back to the same port. */
export interface Door {
  /** False while connections are refused. */
  readonly isOpen: () => boolean;
  /** Refuses from now on; requests that already arrived are still answered. */
  shut(): void;
  /** Resolves when the port answers again. Rejects where somebody else has taken it. */
  reopen(): Promise<void>;
  /** Drops every connection that waits for its next request, without a word. */
  dropIdle(): void;
  /** Breaks every connection, and resolves when all of them are gone. */
  close(): Promise<void>;
}

export function createDoor(server: Server, port: number): Door {
  let gone: Promise<void> | undefined;
  const leave = () => {
    gone ??= new Promise((resolve) => server.close(() => resolve()));
    return gone;
  };
  return {
    isOpen: () => server.listening,
    shut: () => void leave(),
    async reopen() {
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
