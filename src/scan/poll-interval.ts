/** Used if the service advises no interval. */
const DEFAULT_MS = 10_000;
/** Our choice: jobs that started at the same time soon poll at different times. */
const LARGEST_JITTER = 0.1;

/**
 * Milliseconds until the next poll: what the last answer advises, otherwise 10 seconds, plus up to a tenth.
 * @param advisedMs the advice, limited to what we obey
 */
export function pollInterval(advisedMs: number | undefined, random: () => number): number {
  return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
}
