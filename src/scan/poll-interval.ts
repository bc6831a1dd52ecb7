/** The interval if the service advises none. */
const DEFAULT_MS = 10_000;
/**
 * Our choice: the largest random addition, as a share of the interval. Because of the addition, jobs that start
 * together do not keep polling at the same time.
 */
const LARGEST_JITTER = 0.1;

/**
 * Returns the milliseconds until the next poll: the advised interval or 10 seconds, plus a random addition of up to a
 * tenth.
 * @param advisedMs the advised interval, already limited
 */
export function pollInterval(advisedMs: number | undefined, random: () => number): number {
  return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
}
