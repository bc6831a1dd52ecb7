import { notBundled } from './not-bundled.js';

/**
 * Replaces the class by which @actions/core would request an OIDC token.
 * @returns {object}
 */
export function HttpClient() {
  // @actions/github reads these members when it loads. It does not use them, because our requests name Node's `fetch`.
  return notBundled('HttpClient', { getAgent: () => undefined, getAgentDispatcher: () => undefined });
}
