import type { Handled, SentRequest, Work } from '../faults/handled.ts';
import { answerThrough } from '../faults/interception.ts';
import { publishExchange } from './exchanges.ts';
import type { ScanServiceOptions } from './options.ts';
import { pointOf, processRequest } from './process-request.ts';
import type { LoggedRequest } from './scan-service.ts';
import type { ServiceState } from './state.ts';

/** Answers requests, over a socket or by a direct call. */
export interface Handler {
  /** All requests so far, or the newest `keptRequests` of them. */
  readonly requests: readonly LoggedRequest[];
  handle(request: SentRequest, origin: string, work: Work): Promise<Handled>;
  /** Resolves when no request is in progress. */
  settled(): Promise<void>;
}

/** An origin for `URL.parse`, which cannot parse a path alone. */
const NOWHERE = 'http://127.0.0.1';

/**
 * @param save is called before each answer is sent, so that everything that an answer reports survives the end of the
 * process
 */
export function createHandler(
  state: ServiceState,
  options: Pick<ScanServiceOptions, 'intercept' | 'keptRequests'>,
  save: (afterRead: boolean) => void,
): Handler {
  const requests: LoggedRequest[] = [];
  /** The number of requests to each route so far. */
  const counts = new Map<string, number>();
  const working = new Set<Promise<unknown>>();

  async function handle(request: SentRequest, origin: string, work: Work): Promise<Handled> {
    const { method, path, headers, onUsedConnection } = request;
    // For an address that is not valid, such as `//`, the answer is "not found".
    const url = URL.parse(path, NOWHERE) ?? new URL(NOWHERE);
    const text = request.body?.toString('utf8');
    const point = pointOf(method, url);
    const body = parsed(text);
    const log: LoggedRequest = { at: state.now(), method, path, point, body, status: undefined };
    requests.push(log);
    if (requests.length > (options.keptRequests ?? Number.POSITIVE_INFINITY)) requests.shift();
    const count = (counts.get(point) ?? 0) + 1;
    counts.set(point, count);
    const seen = { method, path, point, count, onUsedConnection, headers, body };
    const interception = await options.intercept?.(seen);
    const raw = { method, url, headers, text, origin };
    let processed = false;
    const answering = answerThrough(interception, () =>
      work(async () => {
        processed = true;
        const answer = await processRequest(state, raw);
        save(method === 'GET');
        return answer;
      }),
    );
    working.add(answering);
    const answer = await answering.finally(() => working.delete(answering));
    if (!processed) publishExchange({ settings: state.settings, request: raw, answer: undefined });
    const isWhole = interception === undefined || !('fault' in interception);
    if (isWhole) log.status = answer?.status;
    return { interception, answer };
  }

  return {
    requests,
    handle,
    settled: async () => {
      await Promise.allSettled(working);
    },
  };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
