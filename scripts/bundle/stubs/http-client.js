import { notBundled } from './not-bundled.js';

/**
 * @actions/core would ask for an OIDC token with it.
 * @returns {object}
 */
export function HttpClient() {
  // @actions/github asks for both while it loads, and uses neither: our requests name Node's `fetch`.
  return notBundled('HttpClient', { getAgent: () => undefined, getAgentDispatcher: () => undefined });
}
