import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Proves that a text on GitHub was written for this repository by a holder of the API token. The text does not reveal
 * the token.
 */
export interface Seal {
  /**
   * Makes the HMAC-SHA-256 of the repository and a text, with the token as the key. Returns 43 characters of base64url.
   */
  macOf(text: string): string;
  /** True if the MAC was made from this text, for this repository, with this token. */
  isMacOf(mac: string, text: string): boolean;
  /** True if there is no token. Without a token, the seal can prove nothing. */
  readonly isEmpty: boolean;
}

/**
 * @param apiToken the key; an empty token proves nothing
 * @param repositoryId contains no space. A token can serve several repositories, but a MAC is valid in only one of
 * them
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
