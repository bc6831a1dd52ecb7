import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../faults/interception.ts';
import { type Caller, type Need, type Permissions, refusalFor } from './access.ts';
import { NOT_FOUND, refuse } from './answer.ts';
import { TOKEN_AUTHOR } from './comments.ts';
import type { Point } from './faults.ts';
import { gitHttp, isReadRequest } from './git-http.ts';
import { graphql } from './graphql.ts';
import { branchTip } from './refs.ts';
import { ROUTES, type World } from './routes.ts';

export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** Parsed JSON of `raw`, or the fault `broken`. */
  readonly body: unknown;
  readonly caller: Caller;
}

/** What a request is for, and how it is answered. */
export interface Dispatch {
  readonly point: Point;
  answer(): Answer | Promise<Answer>;
}

/** Where the REST and GraphQL endpoints are, as on a GitHub Enterprise Server. */
export const API_PATH = '/api/v3';
export const GRAPHQL_PATH = '/api/graphql';

/** Where a GitHub Enterprise Server sends those whom it does not know. */
const LOGIN_PATH = '/login';
const LOGIN_PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Sign in</title>',
};

/** `JSON.parse` refused the body. */
export const BROKEN_JSON = Symbol('broken JSON');

export function dispatch(request: Incoming, world: World, permissions: Permissions): Dispatch {
  const path = request.url.pathname;
  if (path === GRAPHQL_PATH)
    return { point: 'graphql', answer: () => answerGraphql(request, world, permissions) };
  if (path.startsWith(`${API_PATH}/`))
    return rest(request, path.slice(API_PATH.length + 1), world, permissions);
  if (path === LOGIN_PATH) return { point: 'unknown', answer: () => LOGIN_PAGE };
  const git = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-(?:upload|receive)-pack)$/.exec(path);
  if (git === null) return { point: 'unknown', answer: () => NOT_FOUND };
  const [, owner, name, rest_ = ''] = git;
  return {
    point: 'git',
    answer: () =>
      isThis(`${owner}/${name}`, world) ? answerGit(request, rest_, world, permissions) : NOT_FOUND,
  };
}

function isThis(fullName: string, world: World): boolean {
  return fullName.toLowerCase() === world.fullName.toLowerCase();
}

function rest(request: Incoming, path: string, world: World, permissions: Permissions): Dispatch {
  if (path === 'user' && request.method === 'GET') {
    const need: Need = { anyOf: [], access: 'read', publicReadable: false };
    return { point: 'user', answer: () => refusalFor(request.caller, need, permissions, true) ?? NOT_FOUND };
  }
  const [, fullName = '', tail = ''] = /^repos\/([^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
  for (const route of ROUTES) {
    const match = route.method === request.method ? route.pattern.exec(tail) : null;
    if (match === null) continue;
    return {
      point: route.point,
      answer: () => {
        if (!isThis(fullName, world))
          return request.caller === 'stranger' ? refuse(401, 'Bad credentials') : NOT_FOUND;
        const refusal = refusalFor(request.caller, route.need, permissions, world.isPublic);
        if (refusal !== undefined) return refusal;
        if (request.body === BROKEN_JSON) return refuse(400, 'Problems parsing JSON');
        const parts = match.slice(1).map(decode);
        if (parts.includes(undefined)) return NOT_FOUND;
        const call = {
          parts: parts.map((part) => part ?? ''),
          query: request.url.searchParams,
          body: request.body,
        };
        return route.handle(call, world);
      },
    };
  }
  return { point: 'unknown', answer: () => NOT_FOUND };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

async function answerGraphql(request: Incoming, world: World, permissions: Permissions): Promise<Answer> {
  if (request.caller === 'stranger') return refuse(401, 'Bad credentials');
  if (request.caller === 'nobody') return refuse(401, 'This endpoint requires you to be authenticated.');
  const may = (...anyOf: Need['anyOf']) => {
    const need: Need = { anyOf, access: 'read', publicReadable: true };
    return refusalFor(request.caller, need, permissions, world.isPublic) === undefined;
  };
  const bases = new Set([...world.pullRequests.values()].map(({ baseRef }) => baseRef));
  if (bases.size > 0) await world.mirror.sync();
  const tips = new Map<string, string>();
  for (const base of bases) {
    const tip = await branchTip(world.mirror.dir, base);
    if (tip !== undefined) tips.set(base, tip);
  }
  return graphql(request.body, {
    viewer: TOKEN_AUTHOR.author,
    fullName: world.fullName,
    pullRequest: (number) => world.pullRequests.get(number),
    comments: (number) => world.comments.all.filter(({ issue }) => issue === number),
    branchTip: (branch) => tips.get(branch),
    mergeQueue: (branch) => world.mergeQueues?.[branch],
    mayReadPullRequests: may('pull-requests', 'issues'),
    mayReadContents: may('contents'),
  });
}

/** Without the right, git is told to authenticate, or that there is nothing: never that a private repository exists. */
async function answerGit(
  request: Incoming,
  path: string,
  world: World,
  permissions: Permissions,
): Promise<Answer> {
  const need: Need = { anyOf: ['contents'], access: 'read', publicReadable: true };
  const refusal = refusalFor(request.caller, need, permissions, world.isPublic);
  if (request.caller !== 'token' && refusal !== undefined) {
    const body = Buffer.from('Invalid username or token.');
    return { status: 401, headers: { 'www-authenticate': 'Basic realm="GitHub"' }, body };
  }
  if (refusal !== undefined) return { status: 404, body: Buffer.from('Repository not found.') };
  const query = request.url.search.slice(1);
  const call = { method: request.method, path, query, headers: request.headers, body: request.raw };
  if (!isReadRequest(call)) return { status: 403, body: Buffer.from('This stand-in is for reading only.') };
  await world.mirror.sync();
  return gitHttp(world.mirror.root, call);
}
