/** Where the service advises nothing. */
const DEFAULT_MS = 10_000;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 120_000;
/** Chosen: so that many jobs that started together do not poll together for ever. */
const LARGEST_JITTER = 0.1;

/** Milliseconds until the next poll: what the service advises and at most a tenth more, from 1 to 120 seconds. */
export function pollInterval(retryAfterMs: number | undefined, random: () => number): number {
  const advised = clamp(retryAfterMs ?? DEFAULT_MS);
  return clamp(advised * (1 + random() * LARGEST_JITTER));
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS);
}
