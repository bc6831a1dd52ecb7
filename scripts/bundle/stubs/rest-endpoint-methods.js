import { notBundled } from './not-bundled.js';

/**
 * Replaces the plugin that adds a method for each endpoint to octokit. Our requests name a route instead.
 * @returns {{ readonly rest: object }}
 */
export function restEndpointMethods() {
  return { rest: notBundled('octokit.rest') };
}
