import { recordExchange } from './contract-breaches.ts';
import { parsedBody } from './contract-traffic.ts';

const held = new Set<string>();

/**
 * Makes `fetch` check each exchange with this fake server against the contract. Only a fake server in another process
 * needs this.
 */
export function guardSpawned(baseUrl: string): void {
  if (held.size === 0) watchFetch();
  held.add(new URL(baseUrl).origin);
}

function watchFetch(): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const { method, url, headers } = new Request(input, init);
    const response = await fetch(input, init);
    const { origin, pathname, search } = new URL(url);
    if (!held.has(origin)) return response;
    const { status } = response;
    const text = typeof init?.body === 'string' ? init.body : undefined;
    const arrived = { method, path: pathname + search, headers: Object.fromEntries(headers), text };
    const body = parsedBody(await response.clone().text());
    recordExchange(arrived, {}, { status, headers: Object.fromEntries(response.headers), body });
    return response;
  };
}
