import type { Clock } from '../clock.ts';

/** Chosen: GitHub's reads catch up with a push within seconds. */
const REREAD_AFTER_SECONDS = [2, 4, 8];

/**
 * Reads from GitHub, and reads again after 2, 4 and 8 seconds as long as the answer may be one that lags behind a push.
 * @returns the first answer that does not lag, else the last one
 */
export async function readPastLag<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  read: () => Promise<T>,
  mayLag: (answer: T) => boolean,
): Promise<T> {
  let answer = await read();
  for (const seconds of REREAD_AFTER_SECONDS) {
    if (!mayLag(answer)) break;
    await clock.sleep(seconds * 1000, signal);
    answer = await read();
  }
  return answer;
}
