/** Splits a name such as `resetToken`, `RESET_TOKEN` or `reset-token` into its segments, in lower case. */
function segmentsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

const SECRETS =
  /^(?:apikey|credential|csrf|nonce|otp|passcode|passphrase|passwd|password|salt|secret|token)$/;
/** Pairs of words that mean a secret. The second word alone does not: a `key` may be the key of a table. */
const SECRET_PAIRS =
  /^(?:access|api|auth|encryption|private|reset|secret|session|signing|verification) (?:code|id|key)$/;

/**
 * Matches text that may contain the name of a secret. The rule for hard-coded credentials skips a file without a match.
 */
export const MENTIONS_SECRET = new RegExp(
  `${SECRETS.source.replace(/[$^]/g, '')}|jsonwebtoken|${SECRET_PAIRS.source.replace(/[$^]/g, '').replace(' ', '[^A-Za-z\\d]*')}`,
  'i',
);

/** True if a value with this name is a secret. The end of the name decides: a `tokenType` is not a token. */
export function namesSecret(name: string): boolean {
  const segments = segmentsOf(name);
  const last = (segments.at(-1) ?? '').replace(/s$/, '');
  return SECRETS.test(last) || SECRET_PAIRS.test(`${segments.at(-2) ?? ''} ${last}`);
}
