import type { Clock } from '../clock.ts';

/** Chosen: long enough for a page of findings on a slow line, short enough that a dead connection is noticed. */
const ATTEMPT_MS = 30_000;

/** Made once, because its stack takes longer to write down than all else that is done here. */
const OVER = new DOMException('This attempt is over.', 'AbortError');

/** One attempt at a request, its body included. */
export interface Attempt {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Who ended it; undefined: the network or the server did. */
  endedBy(): 'caller' | 'deadline' | undefined;
}

/**
 * Gives an attempt one deadline for headers and body: a body that stalls is as dead as a silent server. The connection
 * of an answer that was not read to its end is dropped.
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
