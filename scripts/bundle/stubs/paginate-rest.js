import { notBundled } from './not-bundled.js';

/**
 * Replaces the plugin that reads all pages of a list. Our code limits the size and the number of the pages itself.
 * @returns {{ readonly paginate: object }}
 */
export function paginateRest() {
  return { paginate: notBundled('octokit.paginate') };
}
