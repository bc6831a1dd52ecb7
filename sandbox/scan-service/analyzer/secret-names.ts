/** Splits `resetToken`, `RESET_TOKEN` and `reset-token` into their words, in lower case. */
function wordsOf(name: string): string[] {
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
/** Secret only by the word before them: a key alone may be that of a table. */
const SECRET_PAIRS =
  /^(?:access|api|auth|encryption|private|reset|secret|session|signing|verification) (?:code|id|key)$/;

/** Does this name say that its value has to be secret? Its last word decides: a `tokenType` is no token. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  const last = (words.at(-1) ?? '').replace(/s$/, '');
  return SECRETS.has(last) || SECRET_PAIRS.test(`${words.at(-2) ?? ''} ${last}`);
}
