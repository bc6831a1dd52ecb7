import type { Clock } from '../clock.ts';

/** Our choice: GitHub's reads catch up with a push within seconds. */
const REREAD_AFTER_SECONDS = [2, 4, 8];

/**
 * Reads from GitHub, and repeats that after 2, 4 and 8 seconds while the answer may lag behind a push.
 * @returns the first answer that does not lag, otherwise the last one
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
