import { notBundled } from './not-bundled.js';

/**
 * The plugin that gives octokit a method for each endpoint. Our requests name their route instead.
 * @returns {{ readonly rest: object }}
 */
export function restEndpointMethods() {
  return { rest: notBundled('octokit.rest') };
}
