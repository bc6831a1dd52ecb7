/** How a proxy kept a request from being sent. `credentials`: it wants a name and a password. */
export type ProxyFault = 'credentials' | 'refusal' | 'no-connection';

/** The code of an error that broke the way to the proxy or the making of a tunnel; undici's newer name for it. */
export const PROXY_CONNECTION = 'UND_ERR_PRX_CONN';
const PROXY_TLS = 'UND_ERR_PRX_TLS';
/** undici's message when the proxy answers the request for a tunnel with another status than 200. */
const REFUSED = /^proxy response \((\d+)\)/i;

/** What one error of the chain that `fetch` threw says of a proxy; undefined: nothing. Nothing was sent past it. */
export function proxyFaultOf(error: Error): ProxyFault | undefined {
  const [, status] = REFUSED.exec(error.message) ?? [];
  if (status !== undefined) return status === '407' ? 'credentials' : 'refusal';
  const code: unknown = Reflect.get(error, 'code');
  return code === PROXY_CONNECTION || code === PROXY_TLS ? 'no-connection' : undefined;
}
