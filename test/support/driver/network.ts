import { type FetchResult, responseOf } from './fetch-result.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A sender of requests. A dead process receives nothing, and sends nothing. */
export interface SimulatedProcess {
  alive: boolean;
}

/** A request as `fetch` sends it. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The body. Empty if there is none. */
  readonly text: string;
}

/** One request on its way. */
export interface Passage {
  /** Called when the request arrives. Returns the result of the request. */
  arrive(): Promise<FetchResult>;
  /** Called when the request ends for the sender. `received` is false if the sender gave up waiting. */
  readonly onEnd?: (received: boolean) => void;
}

export interface NetworkOptions<P extends SimulatedProcess> {
  readonly time: VirtualTime;
  /** Returns how many milliseconds the next request or answer takes to arrive. */
  readonly latency: () => number;
  /** Called when a request is sent. */
  readonly send: (process: P, sent: Sent) => Passage;
}

/** The most redirects that are followed. Node's `fetch` follows the same number. */
const MOST_REDIRECTS = 20;

/** Creates a `fetch` for each process. Requests and their answers take time to arrive. */
export function createNetwork<P extends SimulatedProcess>({
  time,
  latency,
  send,
}: NetworkOptions<P>): (process: P) => typeof globalThis.fetch {
  function exchange(process: P, sent: Sent, signal: AbortSignal | null | undefined): Promise<Response> {
    if (!process.alive) return new Promise(() => {});
    if (signal?.aborted) return Promise.reject(signal.reason);
    const passage = send(process, sent);
    return new Promise((resolve, reject) => {
      let isOver = false;
      const over = (received: boolean, settle: () => void) => {
        if (!process.alive || isOver) return;
        isOver = true;
        passage.onEnd?.(received);
        settle();
      };
      signal?.addEventListener('abort', () => over(false, () => reject(signal.reason)), { once: true });
      // A sent request arrives, even if the sender no longer awaits the answer.
      time.after(latency(), () => {
        time.outside(passage.arrive()).then((result) => {
          if (result.kind === 'hangs') return;
          time.after(latency(), () =>
            over(true, () => {
              if (result.kind === 'throws') reject(result.error);
              else resolve(responseOf(result, sent.url.href, signal));
            }),
          );
        }, reject);
      });
    });
  }

  return (process) => async (input, init) => {
    if (input instanceof Request) throw new Error('the simulated fetch takes an address');
    const { method = 'GET', body, signal, redirect = 'follow' } = init ?? {};
    let sent: Sent = {
      method,
      url: new URL(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      text: typeof body === 'string' ? body : '',
    };
    for (let followed = 0; followed <= MOST_REDIRECTS; followed += 1) {
      const response = await exchange(process, sent, signal);
      const next = redirect === 'follow' ? redirectedTo(sent, response) : undefined;
      if (next === undefined) return response;
      sent = next;
    }
    throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') });
  };
}

/** Returns the next request, as the fetch standard requires. Undefined if the response is not a redirect. */
function redirectedTo(sent: Sent, { status, headers }: Response): Sent | undefined {
  const location = headers.get('location');
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined;
  const url = new URL(location, sent.url);
  const { authorization, ...others } = sent.headers;
  const isSame = url.origin === sent.url.origin;
  const kept = isSame && authorization !== undefined ? { ...others, authorization } : others;
  const becomesGet =
    (status === 303 && sent.method !== 'HEAD') ||
    ((status === 301 || status === 302) && sent.method === 'POST');
  return becomesGet ? { method: 'GET', url, headers: kept, text: '' } : { ...sent, url, headers: kept };
}
