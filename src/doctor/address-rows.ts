import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ProxyFacts, ServiceFacts } from './facts.ts';
import { code, errorOf, type Fixer, ok, type Row, skipped } from './row.ts';

/** Address, TLS and proxy, by the first request to the service. */
export function addressRows(
  baseUrl: string,
  proxy: ProxyFacts,
  service: ServiceFacts | undefined,
): readonly Row[] {
  if (proxy.fault !== undefined) return [errorOf('Address', proxy.fault, 'Admin of the runner')];
  if (service === undefined) return [skipped('Address', 'Not checked: fix the inputs first.')];
  const { token } = service;
  if (!token.ok && token.error.kind !== 'refused') {
    return [errorOf('Address', explainApiError(token.error), fixerOf(token.error))];
  }
  const transport = baseUrl.startsWith('https:') ? 'over TLS' : 'over http on this machine';
  const way = proxy.variable === undefined ? '' : ` ${code(proxy.variable)} is set.`;
  return [ok('Address', `${code(baseUrl)} answers JSON ${transport}.${way}`)];
}

/** Who can fix a request that failed. */
export function fixerOf(failure: ApiError): Fixer {
  switch (failure.kind) {
    case 'refused':
      return failure.status === 429 || failure.status >= 500
        ? 'Support of the service'
        : 'Project admin of the service';
    case 'nonsense':
      return failure.status >= 500 ? 'Support of the service' : 'Workflow maintainer';
    case 'unreachable':
      return failure.cause === 'reset' || failure.cause === 'timeout' || failure.cause === 'other'
        ? 'Support of the service'
        : 'Admin of the runner';
    case 'stopped':
      return 'Workflow maintainer';
  }
}
