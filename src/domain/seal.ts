import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs texts on GitHub. The signature proves that a holder of the API token wrote the text for this repository. It
 * does not reveal the token.
 */
export interface Seal {
  /**
   * Makes the signature: the HMAC-SHA-256 of the repository and the text. The key is the token. Returns 43 characters
   * of base64url.
   */
  macOf(text: string): string;
  /** True if the MAC was made from this text, for this repository, with this token. */
  isMacOf(mac: string, text: string): boolean;
  /** True if there is no token. Without a token, the seal can prove nothing. */
  readonly isEmpty: boolean;
}

/**
 * @param apiToken the key; an empty token proves nothing
 * @param repositoryId contains no space. A token can serve several repositories, so this id makes a MAC valid in only
 * one of them
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
