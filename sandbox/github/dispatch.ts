import type { IncomingHttpHeaders } from 'node:http';
import { decodeSegment } from '../decode-segment.ts';
import type { Dispatch } from '../faults/handler.ts';
import type { Answer } from '../faults/interception.ts';
import { type Caller, type Need, type Permissions, read, refusalFor } from './access.ts';
import { NOT_FOUND, refuse } from './answer.ts';
import { gitHttp, isReadRequest } from './git-http.ts';
import { graphql } from './graphql.ts';
import type { GitHubState } from './route.ts';
import { type Point, ROUTES } from './routes.ts';

export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** The parsed body if it is JSON, otherwise its text. Undefined if there is no body. */
  readonly body: unknown;
  readonly caller: Caller;
}

/** The paths of the REST and GraphQL endpoints, as on a GitHub Enterprise Server. */
export const API_PATH = '/api/v3';
export const GRAPHQL_PATH = '/api/graphql';

/** The login page. A GitHub Enterprise Server redirects anonymous callers to it. */
const LOGIN_PATH = '/login';
const LOGIN_PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Sign in</title>',
};

/** Returns GitHub's refusal. Undefined if the caller has access. */
type Refuse = (need: Need) => Answer | undefined;

export function dispatch(request: Incoming, state: GitHubState, permissions: Permissions): Dispatch<Point> {
  const { method, caller } = request;
  const path = request.url.pathname;
  const refusal: Refuse = (need) => refusalFor(caller, need, permissions, state.isPublic);
  if (path === GRAPHQL_PATH)
    return { point: 'graphql', answer: () => answerGraphql(request, state, refusal) };
  if (path === `${API_PATH}/user` && method === 'GET') {
    const need: Need = { anyOf: [], access: 'read', publicReadable: false };
    return { point: 'user', answer: () => refusalFor(caller, need, permissions, true) ?? NOT_FOUND };
  }
  if (path.startsWith(`${API_PATH}/`)) return rest(request, path.slice(API_PATH.length + 1), state, refusal);
  if (path === LOGIN_PATH) return { point: 'unknown', answer: () => LOGIN_PAGE };
  const git = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/info\/refs|\/git-(?:upload|receive)-pack)$/.exec(path);
  if (git === null) return { point: 'unknown', answer: () => NOT_FOUND };
  const [, fullName = '', tail = ''] = git;
  return {
    point: 'git',
    answer: () => (isThis(fullName, state) ? answerGit(request, tail, state, refusal) : NOT_FOUND),
  };
}

function isThis(fullName: string, state: GitHubState): boolean {
  return fullName.toLowerCase() === state.fullName.toLowerCase();
}

function rest(request: Incoming, path: string, state: GitHubState, refusal: Refuse): Dispatch<Point> {
  const [, fullName = '', tail = ''] = /^repos\/([^/]+\/[^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  for (const route of ROUTES) {
    const match = route.method === request.method ? route.pattern.exec(tail) : null;
    if (match === null) continue;
    return {
      point: route.point,
      answer: () => {
        if (!isThis(fullName, state))
          return request.caller === 'unknown-token' ? refuse(401, 'Bad credentials') : NOT_FOUND;
        const refused = refusal(route.need);
        if (refused !== undefined) return refused;
        // A body that is not JSON, or is only a text.
        if (typeof request.body === 'string') return refuse(400, 'Problems parsing JSON');
        const param = decodeSegment(match[1] ?? '');
        if (param === undefined) return NOT_FOUND;
        const { origin, pathname, searchParams: query } = request.url;
        return route.handle({ param, url: `${origin}${pathname}`, query, body: request.body }, state);
      },
    };
  }
  return { point: 'unknown', answer: () => NOT_FOUND };
}

function answerGraphql({ caller, body }: Incoming, state: GitHubState, refusal: Refuse) {
  if (caller === 'unknown-token') return refuse(401, 'Bad credentials');
  if (caller === 'anonymous') return refuse(401, 'This endpoint requires you to be authenticated.');
  return graphql(body, state, (...anyOf) => refusal(read(...anyOf)) === undefined);
}

/**
 * Answers a request of git. If permission is missing, the answer is 401 or 404. It does not show whether a private
 * repository exists.
 */
async function answerGit(
  { caller, method, url, headers, raw: body }: Incoming,
  path: string,
  state: GitHubState,
  refusal: Refuse,
): Promise<Answer> {
  const refused = refusal(read('contents'));
  if (caller !== 'token' && refused !== undefined) {
    const wrong = Buffer.from('Invalid username or token.');
    return { status: 401, headers: { 'www-authenticate': 'Basic realm="GitHub"' }, body: wrong };
  }
  if (refused !== undefined) return { status: 404, body: Buffer.from('Repository not found.') };
  const call = { method, path, query: url.search.slice(1), headers, body };
  if (!isReadRequest(call)) return { status: 403, body: Buffer.from('The fake GitHub is read-only.') };
  return gitHttp(await state.mirror.publish(), call);
}
