/** Splits `resetToken`, `RESET_TOKEN` and `reset-token` into their segments, in lower case. */
function segmentsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

const SECRETS: ReadonlySet<string> = new Set([
  'apikey',
  'credential',
  'csrf',
  'nonce',
  'otp',
  'passcode',
  'passphrase',
  'passwd',
  'password',
  'salt',
  'secret',
  'token',
]);
/** These words are secret only with the word before them: a key alone may be the key of a table. */
const SECRET_PAIRS =
  /^(?:access|api|auth|encryption|private|reset|secret|session|signing|verification) (?:code|id|key)$/;

/** A file without this text has no name that implies a secret. */
export const MENTIONS_SECRET = new RegExp(
  `${[...SECRETS].join('|')}|jsonwebtoken|${SECRET_PAIRS.source.replace(/[$^]/g, '').replace(' ', '[^A-Za-z\\d]*')}`,
  'i',
);

/** Whether this name implies a secret value. Its last segment decides: a `tokenType` is not a token. */
export function namesSecret(name: string): boolean {
  const segments = segmentsOf(name);
  const last = (segments.at(-1) ?? '').replace(/s$/, '');
  return SECRETS.has(last) || SECRET_PAIRS.test(`${segments.at(-2) ?? ''} ${last}`);
}
