import type { ProxyFacts, ServiceFacts } from './facts.ts';
import { explainRead, fixerOf } from './failed-read.ts';
import { code, errorOf, ok, type Row, skipped } from './row.ts';

/** Rows about the address, TLS and the proxy. The first request to the service shows whether they work. */
export function addressRows(
  baseUrl: string,
  proxy: ProxyFacts,
  service: ServiceFacts | undefined,
): readonly Row[] {
  if (proxy.fault !== undefined) return [errorOf('Address', proxy.fault, 'Admin of the runner')];
  if (service === undefined) return [skipped('Address', 'Not checked: fix the inputs first.')];
  const { token } = service;
  if (!token.ok && token.error.kind !== 'refused') {
    return [errorOf('Address', explainRead(token.error), fixerOf(token.error))];
  }
  const transport = baseUrl.startsWith('https:') ? 'over TLS' : 'over http on this machine';
  const way = proxy.variable === undefined ? '' : ` ${code(proxy.variable)} is set.`;
  return [ok('Address', `${code(baseUrl)} answers JSON ${transport}.${way}`)];
}
