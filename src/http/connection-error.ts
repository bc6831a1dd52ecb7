/** How a proxy prevented a request. `credentials`: the proxy requires a name and a password. */
export type ProxyFault = 'credentials' | 'refusal' | 'no-connection';

/** Since June 2026, undici uses this code if it cannot connect to the proxy or create the tunnel. */
export const PROXY_CONNECTION = 'UND_ERR_PRX_CONN';
const PROXY_TLS = 'UND_ERR_PRX_TLS';
/** The message of undici if the proxy refuses to create a tunnel. The number is the status of the proxy's answer. */
const REFUSED = /^proxy response \((\d+)\)/i;

/**
 * Classifies one error in the chain that `fetch` threw. Returns undefined if the error is not about a proxy. If it is
 * about a proxy, nothing reached the server.
 */
export function proxyFaultOf(error: Error): ProxyFault | undefined {
  const [, status] = REFUSED.exec(error.message) ?? [];
  if (status !== undefined) return status === '407' ? 'credentials' : 'refusal';
  const code: unknown = Reflect.get(error, 'code');
  return code === PROXY_CONNECTION || code === PROXY_TLS ? 'no-connection' : undefined;
}

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

/**
 * Error codes of Node and undici. A code that is not listed counts as `unknown`, because the request may have been
 * sent.
 */
const FAULTS: ReadonlyMap<string, readonly [sent: ConnectionFailure['sent'], cause: ConnectionFault]> =
  new Map([
    ['ENOTFOUND', ['no', 'dns']],
    ['EAI_AGAIN', ['no', 'dns']],
    ['ECONNREFUSED', ['no', 'refused']],
    ['UND_ERR_CONNECT_TIMEOUT', ['no', 'connect-timeout']],
    ['ECONNRESET', ['unknown', 'reset']],
    ['EPIPE', ['unknown', 'reset']],
    ['UND_ERR_SOCKET', ['unknown', 'reset']],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['unknown', 'reset']],
    ['ETIMEDOUT', ['unknown', 'timeout']],
    ['UND_ERR_HEADERS_TIMEOUT', ['unknown', 'timeout']],
    ['UND_ERR_BODY_TIMEOUT', ['unknown', 'timeout']],
  ]);

/** If the failed system call is `connect`, these codes prove that nothing was sent. */
const NEVER_CONNECTED: ReadonlyMap<string, ConnectionFault> = new Map([
  ['ETIMEDOUT', 'connect-timeout'],
  ['EHOSTUNREACH', 'other'],
  ['ENETUNREACH', 'other'],
  ['EADDRNOTAVAIL', 'other'],
]);

/** Error codes of OpenSSL and Node for an invalid certificate. A certificate is checked before the request is sent. */
const CERTIFICATE =
  /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;

/** The faults of a proxy. In all cases, nothing reached the server. */
const PROXY: Readonly<Record<ProxyFault, ConnectionFault>> = {
  credentials: 'proxy-credentials',
  refusal: 'proxy',
  'no-connection': 'proxy',
};

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
  const syscall = property(error, 'syscall');
  // If the lookup of the address failed, nothing was sent. The error code does not matter.
  if (syscall === 'getaddrinfo') return { sent: 'no', cause: 'dns', detail };
  const neverConnected = syscall === 'connect' ? NEVER_CONNECTED.get(code) : undefined;
  if (neverConnected !== undefined) return { sent: 'no', cause: neverConnected, detail };
  if (CERTIFICATE.test(code)) return { sent: 'no', cause: 'certificate', detail };
  const proxyFault = proxyFaultOf(error);
  if (proxyFault !== undefined) return { sent: 'no', cause: PROXY[proxyFault], detail };
  const [sent, cause] = FAULTS.get(code) ?? ['unknown', 'other'];
  return { sent, cause, detail };
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
