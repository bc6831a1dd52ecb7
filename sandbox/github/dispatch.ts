import type { IncomingHttpHeaders } from 'node:http';
import { decodeSegment } from '../decode-segment.ts';
import type { Dispatch } from '../faults/handler.ts';
import type { Answer } from '../faults/interception.ts';
import { type Caller, type Need, type Permissions, refusalFor } from './access.ts';
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

export function dispatch(request: Incoming, state: GitHubState, permissions: Permissions): Dispatch<Point> {
  const path = request.url.pathname;
  if (path === GRAPHQL_PATH)
    return { point: 'graphql', answer: () => answerGraphql(request, state, permissions) };
  if (path.startsWith(`${API_PATH}/`))
    return rest(request, path.slice(API_PATH.length + 1), state, permissions);
  if (path === LOGIN_PATH) return { point: 'unknown', answer: () => LOGIN_PAGE };
  const git = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-(?:upload|receive)-pack)$/.exec(path);
  if (git === null) return { point: 'unknown', answer: () => NOT_FOUND };
  const [, owner, name, rest_ = ''] = git;
  return {
    point: 'git',
    answer: () =>
      isThis(`${owner}/${name}`, state) ? answerGit(request, rest_, state, permissions) : NOT_FOUND,
  };
}

function isThis(fullName: string, state: GitHubState): boolean {
  return fullName.toLowerCase() === state.fullName.toLowerCase();
}

function rest(
  request: Incoming,
  path: string,
  state: GitHubState,
  permissions: Permissions,
): Dispatch<Point> {
  if (path === 'user' && request.method === 'GET') {
    const need: Need = { anyOf: [], access: 'read', publicReadable: false };
    return { point: 'user', answer: () => refusalFor(request.caller, need, permissions, true) ?? NOT_FOUND };
  }
  const [, fullName = '', tail = ''] = /^repos\/([^/]+\/[^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  for (const route of ROUTES) {
    const match = route.method === request.method ? route.pattern.exec(tail) : null;
    if (match === null) continue;
    return {
      point: route.point,
      answer: () => {
        if (!isThis(fullName, state))
          return request.caller === 'unknown-token' ? refuse(401, 'Bad credentials') : NOT_FOUND;
        const refusal = refusalFor(request.caller, route.need, permissions, state.isPublic);
        if (refusal !== undefined) return refusal;
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

function answerGraphql(
  request: Incoming,
  state: GitHubState,
  permissions: Permissions,
): Answer | Promise<Answer> {
  if (request.caller === 'unknown-token') return refuse(401, 'Bad credentials');
  if (request.caller === 'anonymous') return refuse(401, 'This endpoint requires you to be authenticated.');
  const may = (...anyOf: Need['anyOf']) => {
    const need: Need = { anyOf, access: 'read', publicReadable: true };
    return refusalFor(request.caller, need, permissions, state.isPublic) === undefined;
  };
  return graphql(request.body, state, may);
}

/**
 * Answers a request of git. If permission is missing, the answer is 401 or 404. It does not show whether a private
 * repository exists.
 */
async function answerGit(
  request: Incoming,
  path: string,
  state: GitHubState,
  permissions: Permissions,
): Promise<Answer> {
  const need: Need = { anyOf: ['contents'], access: 'read', publicReadable: true };
  const refusal = refusalFor(request.caller, need, permissions, state.isPublic);
  if (request.caller !== 'token' && refusal !== undefined) {
    const body = Buffer.from('Invalid username or token.');
    return { status: 401, headers: { 'www-authenticate': 'Basic realm="GitHub"' }, body };
  }
  if (refusal !== undefined) return { status: 404, body: Buffer.from('Repository not found.') };
  const query = request.url.search.slice(1);
  const call = { method: request.method, path, query, headers: request.headers, body: request.raw };
  if (!isReadRequest(call)) return { status: 403, body: Buffer.from('The fake GitHub is read-only.') };
  return gitHttp(await state.mirror.publish(), call);
}
