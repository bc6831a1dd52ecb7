import type { Answer } from '../../../src/sandbox/faults/interception.ts';
import type { Counter, Sent } from './counters.ts';
import { type Fate, type FaultName, faultKind } from './faults.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Who sends requests: `main` or `post` of one run. Of a dead process nothing is heard any more. */
export interface Process {
  readonly run: number;
  readonly phase: 'main' | 'post';
  alive: boolean;
}

/** One request, as the network saw it. */
export interface Exchange {
  readonly process: Process;
  readonly side: Counter['side'];
  readonly point: string;
  readonly path: string;
  readonly text: string;
  readonly sentAt: number;
  fault: FaultName | undefined;
  /** Of what the stand-in answered, whether or not that arrived; undefined where it was not asked. */
  answer: Answer | undefined;
  /** When it reached the stand-in; undefined where it never did. */
  arrivedAt: number | undefined;
  /** When the sender knew how it ended. */
  endedAt: number | undefined;
}

export interface NetworkWorld {
  readonly time: VirtualTime;
  readonly counterOf: (sent: Sent) => Counter;
  /** Milliseconds that one way takes. */
  readonly latency: () => number;
  readonly faultOf: (exchange: Exchange) => FaultName | undefined;
  /** Called when the stand-in is about to answer, and when it has answered. */
  readonly onArrival: (exchange: Exchange) => void;
  readonly onAnswer: (exchange: Exchange) => void;
  readonly pageSize: number;
  readonly sender: () => Process | undefined;
}

/** A `fetch` that leads to the stand-ins through a network where requests take their time and come to harm. */
export function createNetwork(world: NetworkWorld): {
  readonly fetch: typeof globalThis.fetch;
  readonly exchanges: readonly Exchange[];
} {
  const { time } = world;
  const exchanges: Exchange[] = [];

  function send(sent: Sent, signal: AbortSignal | null | undefined): Promise<Response> {
    const process = world.sender();
    if (process === undefined)
      return Promise.reject(new Error('somebody outside of the history sent a request'));
    if (!process.alive) return new Promise(() => {});
    if (signal?.aborted) return Promise.reject(signal.reason);
    const counter = world.counterOf(sent);
    const { pathname, search } = sent.url;
    const exchange: Exchange = {
      process,
      side: counter.side,
      point: counter.point,
      path: `${sent.method} ${pathname}${search}`,
      text: sent.text,
      sentAt: time.now(),
      fault: undefined,
      answer: undefined,
      arrivedAt: undefined,
      endedAt: undefined,
    };
    exchanges.push(exchange);
    exchange.fault = world.faultOf(exchange);
    const kind = exchange.fault === undefined ? undefined : faultKind(exchange.fault);
    return new Promise((resolve, reject) => {
      const over = (tell: () => void) => {
        if (!process.alive || exchange.endedAt !== undefined) return;
        exchange.endedAt = time.now();
        tell();
      };
      signal?.addEventListener('abort', () => over(() => reject(signal.reason)), { once: true });
      // What was sent arrives, even where nobody waits for the answer any more.
      time.after(world.latency(), () => {
        void time
          .during(async () => {
            if (kind?.done === false) return;
            exchange.arrivedAt = time.now();
            world.onArrival(exchange);
            exchange.answer = await counter.answer();
            world.onAnswer(exchange);
          })
          .then(() => {
            const { answer } = exchange;
            const fate: Fate =
              kind?.fate(answer) ?? (answer === undefined ? { kind: 'hangs' } : { kind: 'answer', answer });
            if (fate.kind === 'hangs') return;
            time.after(world.latency(), () =>
              over(() => {
                if (fate.kind === 'throws') reject(fate.error);
                else resolve(responseOf(fate, signal));
              }),
            );
          }, reject);
      });
    });
  }

  return {
    exchanges,
    fetch: (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const text = typeof init?.body === 'string' ? init.body : '';
      if (url.pathname.endsWith('/findings') && url.searchParams.has('limit')) {
        url.searchParams.set(
          'limit',
          String(Math.min(world.pageSize, Number(url.searchParams.get('limit')))),
        );
      }
      const headers = Object.fromEntries(new Headers(init?.headers));
      return send({ method: init?.method ?? 'GET', url, headers, text }, init?.signal);
    },
  };
}

function responseOf(
  fate: Extract<Fate, { readonly kind: 'answer' | 'half' }>,
  signal: AbortSignal | null | undefined,
): Response {
  const { status, headers = {}, body } = fate.answer;
  const plain = typeof body === 'string' || Buffer.isBuffer(body);
  const text = body === undefined ? '' : plain ? String(body) : JSON.stringify(body);
  const init = {
    status,
    headers: {
      'content-type': plain ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
      ...headers,
    },
  };
  if (status === 204) return new Response(null, init);
  if (fate.kind === 'answer') return new Response(text, init);
  const half = new TextEncoder().encode(text.slice(0, Math.floor(text.length / 2)));
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(half);
        return undefined;
      }
      if (fate.then === 'stalls') return new Promise(() => {});
      const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
      controller.error(new TypeError('terminated', { cause }));
      return undefined;
    },
  });
  return new Response(stream, init);
}
