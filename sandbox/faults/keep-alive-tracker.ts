import type { Socket } from 'node:net';

/** Returns a function that says whether a connection has already carried another request. */
export function createKeepAliveTracker(): (socket: Socket) => boolean {
  const used = new WeakSet<Socket>();
  return (socket) => {
    const before = used.has(socket);
    used.add(socket);
    return before;
  };
}
