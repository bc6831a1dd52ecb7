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
