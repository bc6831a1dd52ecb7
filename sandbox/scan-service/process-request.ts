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

/**
 * Finds what a request asks for: the name of the route, and the function that answers. Checks nothing before the
 * function is called.
 */
export function targetOf(request: RawRequest): {
  readonly point: string;
  answer(state: ServiceState): Answer | Promise<Answer>;
} {
  const { method, url, headers } = request;
  const { origin, pathname } = url;
  const [, kind, publicId] = /^\/public\/(scan|finding)s\/([\w-]+)$/.exec(pathname) ?? [];
  if (publicId !== undefined) {
    const subject = { kind: kind === 'scan' ? kind : 'finding', publicId } as const;
    return { point: `public.${kind}`, answer: (state) => showPublicPage(state, subject, request) };
  }
  if (method === 'GET' && pathname === CONTRACT_PATH) {
    // Loaded only for this answer, because only this answer needs the YAML parser.
    const load = () => import('../contract/read-contract.ts');
    return { point: 'contract', answer: async () => ({ status: 200, body: (await load()).readContract() }) };
  }
  // A browser gets the front page. A request with a token is from a client, which gets no page.
  if (/^(?:GET|HEAD)$/.test(method) && pathname === '/' && headers.authorization === undefined) {
    const addresses = { baseUrl: `${origin}${API_PREFIX}`, contract: `${origin}${CONTRACT_PATH}` };
    return { point: 'unknown', answer: () => frontPage(addresses) };
  }
  const match = pathname.startsWith(`${API_PREFIX}/`)
    ? matchRoute(method, pathname.slice(API_PREFIX.length))
    : undefined;
  return {
    point: match?.route.point ?? 'unknown',
    async answer(state) {
      const result = await callRoute(state, request, match);
      return result instanceof Refusal ? result.answer : result;
    },
  };
}

/** Answers a request. Checks the token, the route and the scope, then does the work. */
export async function processRequest(state: ServiceState, request: RawRequest): Promise<Answer> {
  const { headers, ...rest } = await targetOf(request).answer(state);
  // The clock of the service can differ from the clock of the machine.
  const answer: Answer = { ...rest, headers: { date: state.now().toUTCString(), ...headers } };
  publishExchange({ settings: state.settings, request, answer });
  return answer;
}

async function callRoute(
  state: ServiceState,
  request: RawRequest,
  match: ReturnType<typeof matchRoute>,
): Promise<Answer | Refusal> {
  const { url, headers } = request;
  const inQuery = refuseTokenInQuery(url.searchParams);
  if (inQuery !== undefined) return inQuery;
  const token = authenticate(state, headers.authorization);
  if (token instanceof Refusal) return token;
  const tooMany = countRequest(state, token);
  if (tooMany !== undefined) return tooMany;
  if (match === undefined) return notFound('The endpoint');
  const { route, params } = match;
  const refusal = checkProjectAndScope(state, token, params['projectId'], route.scope);
  if (refusal !== undefined) return refusal;
  const json = readJson(request);
  if (json instanceof Refusal) return json;
  // A launch gets the names of the contract.
  const { repository, commit } = state.settings.launchFields;
  const isLaunch = route.point === 'scans.launch';
  const body = isLaunch ? { ...json, repositoryId: json[repository], commit: json[commit] } : json;
  const [fault] = await bodyFaults(route, body);
  if (fault !== undefined) return badRequest(`The contract does not allow this body: ${fault}.`);
  return route.handle({ state, token, params, query: url.searchParams, body });
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
