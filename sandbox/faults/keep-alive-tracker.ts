import type { Socket } from 'node:net';

/**
 * Returns a function to call for each request of a connection. It returns false for the first request, and true for all
 * later requests.
 */
export function createKeepAliveTracker(): (socket: Socket) => boolean {
  const used = new WeakSet<Socket>();
  return (socket) => {
    const before = used.has(socket);
    used.add(socket);
    return before;
  };
}
