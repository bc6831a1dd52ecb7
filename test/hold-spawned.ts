import { noteBreaches } from './contract-breaches.ts';
import { answerBreaches, parsedBody, requestBreaches } from './contract-traffic.ts';

const held = new Set<string>();

/**
 * Holds what the `fetch` of this test file exchanges with a stand-in in a process of its own against the contract; one
 * in this process is held anyway.
 */
export function holdSpawned(baseUrl: string): void {
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
    const sent = typeof init?.body === 'string' ? parsedBody(init.body) : undefined;
    const arrived = { method, path: pathname + search, headers: Object.fromEntries(headers), body: sent };
    const body = parsedBody(await response.clone().text());
    noteBreaches(requestBreaches(arrived, {}, status));
    noteBreaches(
      answerBreaches(arrived, {}, { status, headers: Object.fromEntries(response.headers), body }),
    );
    return response;
  };
}
