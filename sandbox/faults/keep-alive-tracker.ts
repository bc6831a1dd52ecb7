import type { Socket } from 'node:net';

/** Returns a function to call for each request. It returns true if the same socket has carried a request before. */
export function createKeepAliveTracker(): (socket: Socket) => boolean {
  const used = new WeakSet<Socket>();
  return (socket) => {
    const before = used.has(socket);
    used.add(socket);
    return before;
  };
}
