import type { Clock } from '../clock.ts';

/**
 * Our choice: the time for one attempt. It is enough for a page of findings on a slow line. It is short enough to
 * notice a dead connection.
 */
const ATTEMPT_MS = 30_000;

/**
 * All attempts share one error. Creating an error records a stack, which takes longer than the rest of `withDeadline`.
 */
const OVER = new DOMException('This attempt is over.', 'AbortError');

/**
 * True for an error that Node's `fetch` emits outside of its promise. Two kinds of answers cause one: an answer that
 * claims more than five layers of compression, and a large compressed answer that ends with the connection. The attempt
 * fails too, so nothing else has to happen.
 */
export function isStrayFetchError(error: unknown): boolean {
  if (error === OVER) return true;
  if (!(error instanceof Error)) return false;
  const [innermost] = error.stack?.match(/^ +at .*$/m) ?? [];
  return (
    Reflect.get(error, 'code') === 'ERR_ASSERTION' &&
    innermost?.includes('node:internal/deps/undici') === true
  );
}

/** One attempt at a request, up to the end of the answer. */
export interface Attempt {
  /** Aborts when the attempt has to end. */
  readonly signal: AbortSignal;
  /** What ended the attempt. Undefined if neither the caller nor the deadline ended it. */
  endedBy(): 'caller' | 'deadline' | undefined;
}

/**
 * Gives an attempt one deadline for the headers and the body, because either can stall. Drops the connection if the
 * answer was not read to its end.
 */
export async function withDeadline<T>(
  {
    clock,
    signal,
    ms = ATTEMPT_MS,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly ms?: number | undefined },
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const deadline = clock.timeout(ms);
  const over = new AbortController();
  try {
    return await work({
      signal: AbortSignal.any([signal, deadline.signal, over.signal]),
      endedBy: () => (signal.aborted ? 'caller' : deadline.signal.aborted ? 'deadline' : undefined),
    });
  } finally {
    deadline.clear();
    over.abort(OVER);
  }
}

/**
 * Our choice: the size of the largest answer after decompression, in MiB. A hundred findings need less than 1. A hundred
 * comments on GitHub, which everyone can write, can have 40.
 */
const LARGEST_MIB = { service: 10, github: 64 } as const;

/** Returns the limit as messages show it. */
export function largestBody(server: keyof typeof LARGEST_MIB): string {
  return `${LARGEST_MIB[server]} MiB`;
}

/**
 * Wraps `fetch`. Reading an answer fails if the answer is larger than the limit of this server.
 * @param onOversize called before the read fails
 */
export function limitedFetch(
  fetch: typeof globalThis.fetch,
  server: keyof typeof LARGEST_MIB,
  onOversize: () => void,
): typeof globalThis.fetch {
  return async (...args) => {
    const response = await fetch(...args);
    if (response.body === null) return response;
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= LARGEST_MIB[server] * 1024 * 1024) return controller.enqueue(chunk);
        onOversize();
        controller.error(new Error(`the answer is larger than ${largestBody(server)}`));
      },
    });
    const { status, statusText, headers, url } = response;
    const limited = new Response(response.body.pipeThrough(counter), { status, statusText, headers });
    // octokit needs the URL of a response. The constructor makes a response without a URL.
    return Object.defineProperty(limited, 'url', { value: url });
  };
}

/** One request in the debug log. Of the answer, the log shows only the status. It shows no headers and no bodies. */
export interface RequestTrace {
  readonly method: string;
  /** The path without ids, names and a query. */
  readonly route: string;
  /** A status, a kind of failure, or both. */
  readonly end: string;
  readonly attempt: number;
  readonly ms: number;
}

/** Writes a line of the debug log. */
export type Debug = (line: string) => void;

/** Describes a request in one line. */
export function requestLine({ method, route, end, attempt, ms }: RequestTrace): string {
  return `${method} ${route}: ${end}, attempt ${attempt}, ${Math.round(ms)} ms`;
}
