import type { createEndpoints } from '../contract/endpoints.ts';
import type { Answer } from '../faults/interception.ts';
import { isObject, type JsonObject } from '../json.ts';
import { authenticate, checkProjectAndScope, countRequest, refuseTokenInQuery } from './authorize.ts';
import { publishExchange, type RawRequest } from './exchanges.ts';
import { frontPage } from './public-pages/front-page.ts';
import { showPublicPage } from './public-pages/show-page.ts';
import { badRequest, notFound, Refusal } from './refusal.ts';
import { matchRoute, type Route } from './routes.ts';
import type { ServiceState } from './state.ts';

export const API_PREFIX = '/api/v1';
/**
 * The path of the contract. A request for it needs no token. The path is outside of the API path, because the contract
 * is not an endpoint of the service.
 */
export const CONTRACT_PATH = '/openapi.json';

/** Returns the name of the requested route. Checks nothing. */
export function pointOf(method: string, url: URL): string {
  const page = publicPageOf(url);
  if (page !== undefined) return `public.${page.kind}`;
  if (isContract(method, url)) return 'contract';
  return routeOf(method, url)?.route.point ?? 'unknown';
}

function isContract(method: string, url: URL): boolean {
  return method === 'GET' && url.pathname === CONTRACT_PATH;
}

function routeOf(method: string, url: URL) {
  return url.pathname.startsWith(`${API_PREFIX}/`)
    ? matchRoute(method, url.pathname.slice(API_PREFIX.length))
    : undefined;
}

function publicPageOf(url: URL): { kind: 'scan' | 'finding'; publicId: string } | undefined {
  const [, kind, publicId] = /^\/public\/(scan|finding)s\/([\w-]+)$/.exec(url.pathname) ?? [];
  return publicId === undefined ? undefined : { kind: kind === 'scan' ? 'scan' : 'finding', publicId };
}

/** Answers a request. Checks the token, the route and the scope, then does the work. */
export async function processRequest(state: ServiceState, request: RawRequest): Promise<Answer> {
  const { headers, ...rest } = await answerTo(state, request);
  // The clock of the service can differ from the clock of the machine.
  const answer: Answer = { ...rest, headers: { date: state.now().toUTCString(), ...headers } };
  publishExchange({ settings: state.settings, request, answer });
  return answer;
}

async function answerTo(state: ServiceState, request: RawRequest): Promise<Answer> {
  const page = publicPageOf(request.url);
  if (page !== undefined) {
    const { method, text } = request;
    const password = new URLSearchParams(method === 'POST' ? text : '').get('password') ?? undefined;
    return showPublicPage(state, { ...page, method, password });
  }
  if (isContract(request.method, request.url)) {
    // Loaded only for this answer, because only this answer needs the YAML parser.
    const { readContract } = await import('../contract/read-contract.ts');
    return { status: 200, body: readContract() };
  }
  const front = frontPageFor(request);
  if (front !== undefined) return front;
  const result = await callRoute(state, request);
  return result instanceof Refusal ? result.answer : result;
}

/** Returns the front page for a browser. A request with a token is from a client, which gets no page. */
function frontPageFor({ method, url: { origin, pathname }, headers }: RawRequest): Answer | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && pathname === '/' && headers.authorization === undefined
    ? frontPage({ baseUrl: `${origin}${API_PREFIX}`, contract: `${origin}${CONTRACT_PATH}` })
    : undefined;
}

async function callRoute(state: ServiceState, request: RawRequest): Promise<Answer | Refusal> {
  const { method, url, headers } = request;
  const inQuery = refuseTokenInQuery(url.searchParams);
  if (inQuery !== undefined) return inQuery;
  const token = authenticate(state, headers.authorization);
  if (token instanceof Refusal) return token;
  const tooMany = countRequest(state, token);
  if (tooMany !== undefined) return tooMany;
  const match = routeOf(method, url);
  if (match === undefined) return notFound('The endpoint');
  const { route, params } = match;
  const refusal = checkProjectAndScope(state, token, params['projectId'], route.scope);
  if (refusal !== undefined) return refusal;
  const json = readJson(request);
  if (json instanceof Refusal) return json;
  const body = route.point === 'scans.launch' ? withContractNames(json, state.settings.launchFields) : json;
  const [fault] = await bodyFaults(route, body);
  if (fault !== undefined) return badRequest(`The contract does not allow this body: ${fault}.`);
  return route.handle({ state, token, params, query: url.searchParams, body });
}

/** Gives the members of a launch the names of the contract. */
function withContractNames(
  body: JsonObject,
  { repository, commit }: ServiceState['settings']['launchFields'],
): JsonObject {
  return { ...body, repositoryId: body[repository], commit: body[commit] };
}

let findEndpoint: ReturnType<typeof createEndpoints> | undefined;

/** Checks the form of a body against the contract. Loads the contract only for a request that may have a body. */
async function bodyFaults({ method, path }: Route, body: JsonObject): Promise<string[]> {
  if (method === 'GET' || method === 'DELETE') return [];
  if (findEndpoint === undefined) {
    const [endpoints, contract] = await Promise.all([
      import('../contract/endpoints.ts'),
      import('../contract/read-contract.ts'),
    ]);
    findEndpoint = endpoints.createEndpoints(contract.readContract());
  }
  return findEndpoint(method, path)?.body?.(body, false) ?? [];
}

function readJson({ text, headers }: RawRequest): JsonObject | Refusal {
  if (text === undefined) return badRequest('The body is too large.');
  if (text === '') return {};
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return badRequest('A body must be sent as application/json.');
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The text is not JSON. It gets the same answer as JSON that is not an object.
  }
  return badRequest('The body must be a JSON object.');
}
