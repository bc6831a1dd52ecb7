import type { Answer } from '../faults/interception.ts';
import type { JsonObject } from '../json.ts';
import { createEndpoints, type Endpoint } from './endpoints.ts';

/** A request as the server received it. */
export interface Sent {
  readonly method: string;
  /** The path after the version prefix, with the query. */
  readonly path: string;
  /** The headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed if it is JSON, otherwise text. Undefined if there is no body. */
  readonly body: unknown;
}

/**
 * Creates the check of requests and answers against a contract. Each problem is described in one line. Each schema is
 * compiled when it is first needed.
 */
export function createTrafficCheck(document: JsonObject) {
  const find = createEndpoints(document);
  const split = ({ method, path }: Sent) => {
    const url = new URL(`http://service${path}`);
    return { url, endpoint: find(method, url.pathname), name: `${method} ${url.pathname}` };
  };
  return {
    /**
     * Checks a request.
     * @param exact if true, two more things are problems: a missing bearer token, and a member, a parameter or a body
     * that the contract does not name
     */
    request(sent: Sent, exact: boolean): string[] {
      const { url, endpoint, name } = split(sent);
      if (endpoint === undefined) return [`${name}: request: the contract has no such endpoint`];
      const said = (faults: readonly string[]) =>
        faults.map((fault) => `${endpoint.name}: request: ${fault}`);
      return said([
        ...endpoint.query(url.searchParams, exact),
        ...(exact ? tokenFaults(sent) : []),
        ...bodyFaults(endpoint, sent, exact),
      ]);
    },

    /**
     * Checks an answer. A member that the contract does not name is a problem.
     * @param complete if true, a missing member is also a problem
     */
    answer(sent: Sent, { status, headers = {}, body }: Answer, complete: boolean): string[] {
      const { endpoint, name } = split(sent);
      if (endpoint === undefined) {
        return status >= 400 ? [] : [`${name}: answer ${status}: the contract has no such endpoint`];
      }
      const breach = (fault: string) => `${endpoint.name}: answer ${status}: ${fault}`;
      if (!endpoint.statuses.includes(String(status))) {
        return [breach(`the contract has ${endpoint.statuses.join(', ')}`)];
      }
      const sentHeaders = new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
      const type = sentHeaders.get('content-type') ?? 'application/json';
      const isJson =
        typeof body !== 'string' && !Buffer.isBuffer(body) && type.startsWith('application/json');
      if (!isJson) return [breach(`the body is ${type}, expected JSON`)];
      return [
        ...endpoint.headers(String(status), sentHeaders, body),
        ...endpoint.answer(String(status), body, complete),
      ].map(breach);
    },
  };
}

function tokenFaults({ headers }: Sent): string[] {
  const { authorization } = headers;
  return typeof authorization === 'string' && /^Bearer \S+$/.test(authorization)
    ? []
    : ['the header Authorization is not a bearer token'];
}

function bodyFaults(endpoint: Endpoint, { headers, body }: Sent, exact: boolean): string[] {
  if (body === undefined) return endpoint.needsBody ? ['a body is expected'] : [];
  if (endpoint.body === undefined) return exact ? ['no body is expected'] : [];
  const type = headers['content-type'];
  if (typeof type !== 'string' || !/^application\/json\s*(?:;|$)/i.test(type)) {
    return ['the header Content-Type is not application/json'];
  }
  return endpoint.body(body, exact);
}
