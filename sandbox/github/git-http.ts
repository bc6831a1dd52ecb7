import type { SentRequest } from '../faults/handled.ts';
import type { Answer } from '../faults/interception.ts';
import { runGit } from '../git-process.ts';

/** A request of git's smart HTTP protocol. `path` follows the repository: `/info/refs` or `/git-upload-pack`. */
type GitRequest = Omit<SentRequest, 'onUsedConnection'> & { readonly query: string };

/** True if the request only reads. A push is refused before git sees it. */
export function isReadRequest(request: GitRequest): boolean {
  if (request.path === '/git-upload-pack') return request.method === 'POST';
  return request.path === '/info/refs' && request.query === 'service=git-upload-pack';
}

/** Answers a request by running `git http-backend`, git's own server. Throws if it cannot be started. */
export async function gitHttp(root: string, request: GitRequest): Promise<Answer> {
  const { body = Buffer.alloc(0) } = request;
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : '';
  };
  const env = {
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: header('git-protocol'),
    PATH_INFO: `/repository.git${request.path}`,
    REQUEST_METHOD: request.method,
    QUERY_STRING: request.query,
    CONTENT_TYPE: header('content-type'),
    CONTENT_LENGTH: String(body.length),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
    REMOTE_ADDR: '127.0.0.1',
  };
  const { stdout } = await runGit(root, ['http-backend'], { env, input: body });
  return readCgi(stdout);
}

/** Splits the output of a CGI program into headers and body. The header `Status` has the status code. */
function readCgi(output: Buffer): Answer {
  const end = output.indexOf('\r\n\r\n');
  if (end < 0) return { status: 500, body: Buffer.from('git http-backend gave no answer') };
  const headers: Record<string, string> = {};
  for (const line of output.subarray(0, end).toString('latin1').split('\r\n')) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status, ...rest } = headers;
  return { status: Number.parseInt(status ?? '200', 10), headers: rest, body: output.subarray(end + 4) };
}
