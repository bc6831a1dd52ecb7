export type ConnectionFault =
  | 'dns'
  | 'refused'
  | 'connect-timeout'
  | 'timeout'
  | 'reset'
  | 'certificate'
  | 'proxy'
  | 'proxy-credentials'
  | 'other';

/** Why the answer is missing or incomplete. */
export interface ConnectionFailure {
  /** `no`: the request was certainly not sent. `unknown`: the server may have received it. */
  readonly sent: 'no' | 'unknown';
  readonly cause: ConnectionFault;
  /** A short description, which may hold foreign text. */
  readonly detail: string;
}

/** Since June 2026, undici uses this code if it cannot connect to the proxy or create the tunnel. */
export const PROXY_CONNECTION = 'UND_ERR_PRX_CONN';

type Classified = readonly [sent: ConnectionFailure['sent'], cause: ConnectionFault];

/**
 * All connection errors that we know, by the failed system call, the system call and the error code, or the error code
 * of Node and undici. An error that is not listed counts as `unknown`, because the request may have been sent.
 */
const FAULTS: ReadonlyMap<string, Classified> = new Map([
  // If the lookup of the address failed, nothing was sent. The error code does not matter.
  ['getaddrinfo', ['no', 'dns']],
  ['connect ETIMEDOUT', ['no', 'connect-timeout']],
  ['connect EHOSTUNREACH', ['no', 'other']],
  ['connect ENETUNREACH', ['no', 'other']],
  ['connect EADDRNOTAVAIL', ['no', 'other']],
  ['ENOTFOUND', ['no', 'dns']],
  ['EAI_AGAIN', ['no', 'dns']],
  ['ECONNREFUSED', ['no', 'refused']],
  ['UND_ERR_CONNECT_TIMEOUT', ['no', 'connect-timeout']],
  [PROXY_CONNECTION, ['no', 'proxy']],
  ['UND_ERR_PRX_TLS', ['no', 'proxy']],
  ['ECONNRESET', ['unknown', 'reset']],
  ['EPIPE', ['unknown', 'reset']],
  ['UND_ERR_SOCKET', ['unknown', 'reset']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['unknown', 'reset']],
  ['ETIMEDOUT', ['unknown', 'timeout']],
  ['UND_ERR_HEADERS_TIMEOUT', ['unknown', 'timeout']],
  ['UND_ERR_BODY_TIMEOUT', ['unknown', 'timeout']],
]);

/** Error codes of OpenSSL and Node for an invalid certificate. A certificate is checked before the request is sent. */
const CERTIFICATE =
  /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;

/** The message of undici if the proxy refuses to create a tunnel. The number is the status of the proxy's answer. */
const NO_TUNNEL = /^proxy response \((\d+)\)/i;

/** True if a connection can fail with this error before a proxy has created the tunnel. */
export function isLostConnection(error: Error): boolean {
  const code = property(error, 'code') ?? '';
  const [, cause] = FAULTS.get(code) ?? FAULTS.get(`connect ${code}`) ?? [];
  return cause !== undefined && cause !== 'proxy';
}

/** True if a retry would fail in the same way. */
export function isLasting(fault: ConnectionFault): boolean {
  return fault === 'certificate' || fault === 'proxy-credentials';
}

/**
 * Classifies what `fetch` threw. The cause is in `error.cause`. If several addresses failed, an `AggregateError` has
 * the error of each address.
 */
export function readConnectionError(thrown: unknown): ConnectionFailure {
  const faults = rootCauses(thrown).map(readOne);
  const [first] = faults;
  if (first === undefined) return { sent: 'unknown', cause: 'other', detail: String(thrown) };
  const doubtful = faults.find(({ sent }) => sent === 'unknown');
  const details = new Set(faults.map(({ detail }) => detail));
  return { ...(doubtful ?? first), detail: [...details].join('; ') };
}

function readOne(error: Error): ConnectionFailure {
  const code = property(error, 'code') ?? '';
  const detail = error.message.includes(code) ? error.message : `${code}: ${error.message}`;
  const [sent, cause] = classify(error, code, property(error, 'syscall') ?? '');
  return { sent, cause, detail };
}

function classify({ message }: Error, code: string, syscall: string): Classified {
  const known = FAULTS.get(syscall) ?? FAULTS.get(`${syscall} ${code}`);
  if (known !== undefined) return known;
  if (CERTIFICATE.test(code)) return ['no', 'certificate'];
  const [, status] = NO_TUNNEL.exec(message) ?? [];
  if (status !== undefined) return ['no', status === '407' ? 'proxy-credentials' : 'proxy'];
  return FAULTS.get(code) ?? ['unknown', 'other'];
}

/**
 * Returns the errors at the end of the chain of causes. Follows at most five causes. Chains from Node are not longer.
 */
function rootCauses(thrown: unknown, depth = 0): Error[] {
  if (!(thrown instanceof Error)) return [];
  if (thrown instanceof AggregateError && depth < 5) {
    return thrown.errors.flatMap((error) => rootCauses(error, depth + 1));
  }
  const deeper = depth < 5 ? rootCauses(thrown.cause, depth + 1) : [];
  return deeper.length > 0 ? deeper : [thrown];
}

function property(error: Error, name: 'code' | 'syscall'): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
