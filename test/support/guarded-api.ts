import { createScanApi, type ScanApi, type ScanApiOptions } from '../../src/scan-api/client.ts';
import { recordExchange } from './contract-breaches.ts';

/** Creates a client whose requests are checked against the contract. The test makes up the service's answers. */
export function createGuardedApi(options: ScanApiOptions): ScanApi {
  return createScanApi({
    ...options,
    fetch: (input, init) => {
      const { method, url, headers } = new Request(input, init);
      const { pathname, search } = new URL(url);
      const text = typeof init?.body === 'string' ? init.body : undefined;
      const sent = { method, path: pathname + search, headers: Object.fromEntries(headers), text };
      recordExchange(sent, {}, undefined);
      return options.fetch(input, init);
    },
  });
}
