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
