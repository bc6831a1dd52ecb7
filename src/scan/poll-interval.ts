/** The interval if the service advises none. */
const DEFAULT_MS = 10_000;
/** Our choice. With a random part, jobs that start at the same time soon poll at different times. */
const LARGEST_JITTER = 0.1;

/**
 * Returns the milliseconds until the next poll: what the last answer advises, otherwise 10 seconds, plus up to a tenth.
 * @param advisedMs the advised interval, already limited
 */
export function pollInterval(advisedMs: number | undefined, random: () => number): number {
  return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
}
