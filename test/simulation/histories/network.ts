import type { Answer } from '../../../sandbox/faults/interception.ts';
import type { FetchResult } from '../../support/driver/fetch-result.ts';
import { createNetwork, type Sent, type SimulatedProcess } from '../../support/driver/network.ts';
import type { VirtualTime } from '../../support/driver/virtual-time.ts';
import { type FaultName, faultKind } from './faults.ts';
import type { RequestHandler } from './request-handlers.ts';

/** One of the workflow's two gate steps. The second one has an audit area, but no `checks: write`. */
export type Step = 'whole' | 'narrow';

/** The sender of requests: `main` or `post` of one run. */
export interface Process extends SimulatedProcess {
  readonly run: number;
  readonly phase: 'main' | 'post';
  readonly step: Step;
}

/** One request, as the network saw it. */
export interface Exchange {
  readonly process: Process;
  readonly side: RequestHandler['side'];
  readonly point: string;
  readonly path: string;
  readonly text: string;
  readonly sentAt: number;
  fault?: FaultName | undefined;
  /** The answer of the fake server, even if it did not arrive. Undefined if the request did not reach the server. */
  answer?: Answer | undefined;
  /** When the request reached the fake server. Undefined if it never did. */
  arrivedAt?: number | undefined;
  /** When the sender learned how the request ended. */
  endedAt?: number | undefined;
  /** The wrong scan that the answer named because of a fault. Undefined if there was no such fault. */
  named?: string | undefined;
  /** False if the sender gave up before the answer arrived. */
  received: boolean;
}

export interface NetworkDeps {
  readonly time: VirtualTime;
  readonly handlerOf: (sent: Sent, process: Process) => RequestHandler;
  /** Returns how many milliseconds the next request or answer takes to arrive. */
  readonly latency: () => number;
  readonly faultOf: (exchange: Exchange) => FaultName | undefined;
  /** Called before the fake server answers the request. `onAnswer` is called after the answer. */
  readonly onArrival: (exchange: Exchange) => void;
  readonly onAnswer: (exchange: Exchange) => void;
  readonly pageSize: number;
  /** Returns the id of another scan. A fault needs it to make the service name the wrong scan. */
  readonly otherScan: (id: string) => string | undefined;
}

/** The network of a history, in which requests can fail. */
export function createHistoryNetwork({ time, latency, ...deps }: NetworkDeps): {
  readonly fetchOf: (process: Process) => typeof globalThis.fetch;
  readonly exchanges: readonly Exchange[];
} {
  const exchanges: Exchange[] = [];

  function send(process: Process, sent: Sent) {
    const limited = { ...sent, url: limitPage(sent.url, deps.pageSize) };
    const handler = deps.handlerOf(limited, process);
    const { pathname, search } = limited.url;
    const exchange: Exchange = {
      process,
      side: handler.side,
      point: handler.point,
      path: `${sent.method} ${pathname}${search}`,
      text: sent.text,
      sentAt: time.now(),
      received: false,
    };
    exchanges.push(exchange);
    exchange.fault = deps.faultOf(exchange);
    const kind = exchange.fault === undefined ? undefined : faultKind(exchange.fault);
    const otherScan = (id: string) => {
      exchange.named = deps.otherScan(id);
      return exchange.named;
    };
    const arrive = async (): Promise<FetchResult> => {
      if (kind?.done !== false) {
        exchange.arrivedAt = time.now();
        deps.onArrival(exchange);
        exchange.answer = await handler.answer();
        deps.onAnswer(exchange);
      }
      const { answer } = exchange;
      return (
        kind?.result(answer, { side: handler.side, date: time.date(), otherScan }) ??
        (answer === undefined ? { kind: 'hangs' } : { kind: 'answer', answer })
      );
    };
    return {
      arrive: () => time.during(arrive),
      onEnd: (received: boolean) => {
        exchange.endedAt = time.now();
        exchange.received = received;
      },
    };
  }

  return { exchanges, fetchOf: createNetwork({ time, latency, send }) };
}

/** Limits the page size that a request asks for, as the service does. */
function limitPage(url: URL, pageSize: number): URL {
  const limited = new URL(url);
  const { searchParams } = limited;
  if (limited.pathname.endsWith('/findings') && searchParams.has('limit'))
    searchParams.set('limit', String(Math.min(pageSize, Number(searchParams.get('limit')))));
  return limited;
}

/** Whether a request of the job had a fault. Only requests to `side` of the kinds in `points` count. */
export function disturbed(
  exchanges: readonly Exchange[],
  { plan }: { readonly plan: { readonly number: number } },
  side: Exchange['side'],
  points: readonly string[],
): boolean {
  return exchanges.some(
    ({ process, fault, ...one }) =>
      process.run === plan.number && fault !== undefined && one.side === side && points.includes(one.point),
  );
}
