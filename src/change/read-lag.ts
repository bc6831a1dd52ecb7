import type { Clock } from '../clock.ts';

/** Our choice. GitHub shows a push to all readers within seconds. */
const REREAD_AFTER_SECONDS = [2, 4, 8];

/**
 * Reads from GitHub. If the answer may be out of date, reads again, after 2, 4 and 8 seconds.
 * @returns the first answer that is up to date, otherwise the last one
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
