import type { Socket } from 'node:net';

/** Tells of each request whether its connection has carried another one before. */
export function createConnectionMemory(): (socket: Socket) => boolean {
  const used = new WeakSet<Socket>();
  return (socket) => {
    const before = used.has(socket);
    used.add(socket);
    return before;
  };
}
