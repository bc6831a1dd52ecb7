import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gitEnvironment } from '../../../sandbox/git-process.ts';
import { listening } from '../../support/serve.ts';

export interface GitRequest {
  /** Method and path. */
  readonly line: string;
  readonly authorization: string | undefined;
  /** The body as git sent it. Git compresses long bodies. */
  readonly body: string;
}

export interface GitServer {
  readonly url: string;
  readonly requests: GitRequest[];
  /** Answers the next fetch like a server that does not serve commits by their id. */
  refuseNextFetch(): void;
  close(): Promise<void>;
}

/** Serves the repositories below `root` as a git server does: through `git http-backend`, over real sockets. */
export async function serveGit(root: string, options: { readonly token?: string } = {}): Promise<GitServer> {
  const requests: GitServer['requests'] = [];
  const wanted = `basic ${Buffer.from(`x-access-token:${options.token}`).toString('base64')}`;
  let refuse = false;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { authorization } = request.headers;
    requests.push({ line: `${request.method} ${request.url}`, authorization, body: body.toString('latin1') });
    if (options.token !== undefined && authorization?.toLowerCase() !== wanted.toLowerCase()) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else if (refuse && body.includes('command=fetch')) {
      refuse = false;
      const line = 'ERR upload-pack: not our ref';
      response.setHeader('content-type', 'application/x-git-upload-pack-result');
      response.end((line.length + 4).toString(16).padStart(4, '0') + line);
    } else {
      backend(root, request, body, response);
    }
  });
  return {
    url: `http://${await listening(server)}`,
    requests,
    refuseNextFetch: () => {
      refuse = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function backend(root: string, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: gitEnvironment({
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      // A repository of the test may belong to another user. Without these settings, git would refuse it.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol']?.toString(),
    }),
  });
  child.stdin.on('error', () => {});
  child.stdin.end(body);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    let status = 200;
    for (const line of answer.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(/:\s*/, 2);
      if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.writeHead(status).end(answer.subarray(end + 4));
  });
}
