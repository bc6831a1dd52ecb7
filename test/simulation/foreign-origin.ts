import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A server of another origin, to which a redirect may lead. It accepts every request and records it. */
export interface ForeignOrigin {
  readonly url: string;
  readonly requests: readonly { readonly method: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

export async function openForeignOrigin(): Promise<ForeignOrigin> {
  const requests: { method: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ method = '', headers }, response) => {
    requests.push({ method, headers });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://localhost:${address.port}/elsewhere`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
