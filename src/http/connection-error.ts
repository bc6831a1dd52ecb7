import { type ProxyFault, proxyFaultOf } from './proxy-fault.ts';

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

/** Why there is no whole answer. */
export interface ConnectionFailure {
  /** `no`: the request surely never left. `unknown`: the server may have acted on it. */
  readonly sent: 'no' | 'unknown';
  readonly cause: ConnectionFault;
  /** May hold foreign text. */
  readonly detail: string;
}

/** Codes of Node and undici. What is not listed here stays `unknown`: a launch is never sent twice on a guess. */
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

/** The same codes mean "never connected" when the system call that failed is `connect`. */
const NEVER_CONNECTED: ReadonlyMap<string, ConnectionFault> = new Map([
  ['ETIMEDOUT', 'connect-timeout'],
  ['EHOSTUNREACH', 'other'],
  ['ENETUNREACH', 'other'],
  ['EADDRNOTAVAIL', 'other'],
]);

/** OpenSSL's and Node's messages for an invalid certificate. The request is not sent before that check. */
const CERTIFICATE =
  /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|CERT_|CRL_|ERR_TLS_CERT|ERROR_IN_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;

/** Nothing went past the proxy. */
const PROXY: Readonly<Record<ProxyFault, ConnectionFault>> = {
  credentials: 'proxy-credentials',
  refusal: 'proxy',
  'no-connection': 'proxy',
};

/** Reads what `fetch` threw: it hides the cause in `error.cause`, and several addresses in an `AggregateError`. */
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
  // Whatever the code: without an address there is no connection.
  if (syscall === 'getaddrinfo') return { sent: 'no', cause: 'dns', detail };
  const neverConnected = syscall === 'connect' ? NEVER_CONNECTED.get(code) : undefined;
  if (neverConnected !== undefined) return { sent: 'no', cause: neverConnected, detail };
  if (CERTIFICATE.test(code)) return { sent: 'no', cause: 'certificate', detail };
  const proxyFault = proxyFaultOf(error);
  if (proxyFault !== undefined) return { sent: 'no', cause: PROXY[proxyFault], detail };
  const [sent, cause] = FAULTS.get(code) ?? ['unknown', 'other'];
  return { sent, cause, detail };
}

/** The errors at the end of the chain of causes; deeper than five is no chain that Node makes. */
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
