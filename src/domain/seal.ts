import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Proves that what stands on GitHub was written for this repository by a holder of the API token. The token cannot be
 * read from it.
 */
export interface Seal {
  /** HMAC-SHA-256 of the repository and a text with the token: 43 characters of base64url. */
  macOf(text: string): string;
  /** Was this MAC made of this text with this token, for this repository? */
  isMacOf(mac: string, text: string): boolean;
  /** There is no token, so nothing can be proven. */
  readonly isEmpty: boolean;
}

/**
 * @param apiToken an empty one is no secret, and proves nothing
 * @param repositoryId one token can serve several repositories; without a space
 */
export function createSeal(apiToken: string, repositoryId: string): Seal {
  const isEmpty = apiToken === '';
  const macOf = (text: string) =>
    createHmac('sha256', apiToken).update(`${repositoryId} ${text}`).digest('base64url');
  return {
    isEmpty,
    macOf,
    isMacOf: (mac, text) => {
      const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(text))];
      return !isEmpty && given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
