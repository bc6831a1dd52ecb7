import { notBundled } from './not-bundled.js';

/**
 * @actions/core would use it to ask for an OIDC token.
 * @returns {object}
 */
export function HttpClient() {
  // @actions/github requests both while it loads, and uses neither, because our requests name Node's `fetch`.
  return notBundled('HttpClient', { getAgent: () => undefined, getAgentDispatcher: () => undefined });
}
