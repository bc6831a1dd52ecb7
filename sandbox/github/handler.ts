import type { Handled, SentRequest, Work } from '../faults/handled.ts';
import { answerThrough } from '../faults/interception.ts';
import { callerOf, type Permissions } from './access.ts';
import { BROKEN_JSON, dispatch, type Incoming } from './dispatch.ts';
import type { Intercept, LoggedRequest } from './faults.ts';
import type { GitHubState } from './routes.ts';

export interface HandlerSetup {
  readonly state: GitHubState;
  readonly permissions: Permissions;
  readonly token: string;
  readonly origin: string;
  readonly requests: LoggedRequest[];
  readonly intercept: Intercept | undefined;
}

/** Logs a request, calls the interceptor, and answers. */
export async function handleRequest(setup: HandlerSetup, request: SentRequest, work: Work): Promise<Handled> {
  const incoming = read(request, setup);
  const { point, answer } = dispatch(incoming, setup.state, setup.permissions);
  const logged: LoggedRequest = {
    method: incoming.method,
    path: request.path,
    point,
    count: (setup.requests.findLast((earlier) => earlier.point === point)?.count ?? 0) + 1,
    body: incoming.body === BROKEN_JSON ? undefined : incoming.body,
    onUsedConnection: request.onUsedConnection,
    caller: incoming.caller,
  };
  setup.requests.push(logged);
  const interception = await setup.intercept?.(logged);
  return { interception, answer: await answerThrough(interception, () => work(async () => answer())) };
}

function read({ method, path, headers, body }: SentRequest, setup: HandlerSetup): Incoming {
  const raw = body ?? Buffer.alloc(0);
  const isGit = headers['content-type']?.startsWith('application/x-git') === true;
  return {
    method,
    url: new URL(path, setup.origin),
    headers,
    raw,
    body: raw.length === 0 || isGit ? undefined : parse(raw),
    caller: callerOf(headers, setup.token),
  };
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return BROKEN_JSON;
  }
}
