import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createAuthority } from './certificates.ts';
import type { Scenario } from './scenario.ts';

/** Names that only the proxy can resolve, so that a request without the proxy fails. */
export const SCANS_HOST = 'scans.test';
export const GITHUB_HOST = 'github.test';

/** What the proxy does with a request for a tunnel. A number is the status with which the proxy refuses. */
export type Manner = 'tunnel' | 'close' | 'reset' | number;

/** A proxy in front of both fake servers. The servers use TLS, with certificates of our own authority. */
export interface ProxyNetwork {
  /** `http://127.0.0.1:PORT` */
  readonly proxyUrl: string;
  /** What the proxy does with the requests, in turn for each host. Tests may change it at any time. */
  manners: readonly Manner[];
  /** `host:port` and `Proxy-Authorization` of every tunnel request so far. */
  readonly tunnels: readonly Tunnel[];
  /** `https://127.0.0.1:PORT`: the service, reached without the proxy. */
  readonly directScans: string;
  /** The file for `NODE_EXTRA_CA_CERTS`. */
  readonly authorityFile: string;
  /** Closes every tunnel. */
  cut(): void;
  /** Closes the port of the proxy. */
  leave(): Promise<void>;
}

export interface Tunnel {
  readonly to: string;
  readonly credentials: string | undefined;
}

/** Starts the network, and stops it after the test. */
export async function openNetwork({ environment }: Scenario): Promise<ProxyNetwork> {
  const authority = createAuthority();
  const hosts = { names: [SCANS_HOST, GITHUB_HOST], addresses: ['127.0.0.1'] };
  const identity = authority.issue(hosts);
  const open = new Set<Duplex>();
  const doors = new Map<string, number>();
  const servers: Server[] = [];
  const listen = (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => keep(open, socket));
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  };
  for (const [host, origin] of [
    [SCANS_HOST, environment.service.origin],
    [GITHUB_HOST, environment.github.origin],
  ] as const) {
    const { port, hostname } = new URL(origin);
    const terminator = createTlsServer(identity, (socket) => {
      keep(open, socket);
      join(socket, connect(Number(port), hostname));
    });
    doors.set(`${host}:443`, await listen(terminator));
  }

  const tunnels: Tunnel[] = [];
  const proxy = createServer();
  proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const to = request.url ?? '';
    const before = tunnels.filter((one) => one.to === to).length;
    tunnels.push({ to, credentials: request.headers['proxy-authorization'] });
    answer(socket, network.manners[before % network.manners.length] ?? 'tunnel', doors.get(to));
  });
  const proxyPort = await listen(proxy);
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-authority-'));
  const authorityFile = path.join(folder, 'authority.pem');
  await writeFile(authorityFile, authority.cert);

  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const network: ProxyNetwork = {
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    manners: ['tunnel'],
    tunnels,
    directScans: `https://127.0.0.1:${doors.get(`${SCANS_HOST}:443`)}`,
    authorityFile,
    cut,
    leave: () => new Promise((resolve) => proxy.close(() => resolve())),
  };
  onTestFinished(async () => {
    for (const server of servers) server.close();
    cut();
    await rm(folder, { recursive: true, force: true });
  });
  return network;
}

function answer(socket: Duplex, manner: Manner, port: number | undefined): void {
  if (manner === 'close') socket.end();
  else if (manner === 'reset') reset(socket);
  else if (manner !== 'tunnel' || port === undefined) {
    const status = manner === 'tunnel' ? 502 : manner;
    socket.end(
      `HTTP/1.1 ${status} No\r\nProxy-Authenticate: Basic realm="test"\r\nContent-Length: 0\r\n\r\n`,
    );
  } else {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    join(socket, connect(port, '127.0.0.1'));
  }
}

function reset(socket: Duplex): void {
  const abort: unknown = Reflect.get(socket, 'resetAndDestroy');
  if (typeof abort === 'function') abort.call(socket);
}

function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    from.pipe(to);
  }
}

function keep(open: Set<Duplex>, socket: Duplex): void {
  open.add(socket);
  socket.on('error', () => {}).on('close', () => open.delete(socket));
}
