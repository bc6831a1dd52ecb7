/** Where the service advises nothing. */
const DEFAULT_MS = 10_000;
/** Chosen: so that many jobs that started together do not poll together for ever. */
const LARGEST_JITTER = 0.1;

/**
 * Milliseconds until the next poll: what the last answer advises, else 10 seconds, and at most a tenth more.
 * @param advisedMs as far as the advice is obeyed
 */
export function pollInterval(advisedMs: number | undefined, random: () => number): number {
  return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
}
