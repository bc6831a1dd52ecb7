import { hasInvisible } from '../text/visible-text.ts';

/** The longest address that all browsers and mail programs support. */
const LONGEST_URL = 2000;

/** Returns the address if a markdown link may use it, otherwise undefined. `allowedAddress` has the rules. */
export function linkTarget(url: string, allowed: readonly string[]): string | undefined {
  const href = allowedAddress(url, allowed)?.replaceAll('&', '&amp;');
  return href !== undefined && href.length > LONGEST_URL ? undefined : href;
}

/**
 * Returns the normalized address. Undefined if it is not below one of the allowed prefixes. Each prefix is an absolute
 * address that ends in a slash. The URL parser resolves `..` before the comparison, so that an address cannot leave its
 * prefix.
 */
export function allowedAddress(url: string, allowed: readonly string[]): string | undefined {
  if (url.length > LONGEST_URL || hasInvisible(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '')
    return undefined;
  if (!allowed.some((prefix) => liesUnder(parsed, prefix))) return undefined;
  const href = parsed.href.replace(/[^A-Za-z0-9\-._~:/?#&+,;=%]/g, percentEncoded);
  return href.length > LONGEST_URL ? undefined : href;
}

function liesUnder(url: URL, prefix: string): boolean {
  if (!URL.canParse(prefix)) return false;
  const root = new URL(prefix);
  return url.origin === root.origin && root.pathname.endsWith('/') && url.pathname.startsWith(root.pathname);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
